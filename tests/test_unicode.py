"""No character is lost: what a program writes in any script is on the screen, in order.

Rule: a text is compared as it was written, never normalised. The texts hold no plain blank at
their end, because blanks on the right of a row are not part of its text.
"""

from itertools import product
from unicodedata import normalize

import pytest
from wcwidth import wcwidth

from geminipty.terminal import Row, Terminal
from geminipty.terminal.cells import MAX_MARKS, SIMPLE, joins, width
from tests.standards import Pieces, by_character, in_pieces, whole

ZWJ = "\u200d"
VS15, VS16 = "\ufe0e", "\ufe0f"
TONES = [chr(code) for code in range(0x1F3FB, 0x1F400)]
PEOPLE = "👨👩🧑"
THINGS = ["💻", "🚀", "🎓", "🌾", "🍳", f"⚕{VS16}", f"✈{VS16}"]
COUNTRIES = [
    "AD",
    "BR",
    "CH",
    "DE",
    "EU",
    "FR",
    "GB",
    "IN",
    "JP",
    "KE",
    "KR",
    "MX",
    "NG",
    "US",
    "ZA",
]
#: Characters that show nothing, or only tell how others are shown.
INVISIBLE = {
    "zero width space": "\u200b",
    "zero width non-joiner": "\u200c",
    "zero width joiner": "\u200d",
    "left-to-right mark": "\u200e",
    "right-to-left mark": "\u200f",
    "Arabic letter mark": "\u061c",
    "embedding": "\u202a",
    "pop directional formatting": "\u202c",
    "override": "\u202e",
    "isolate": "\u2067",
    "pop directional isolate": "\u2069",
    "word joiner": "\u2060",
    "invisible plus": "\u2064",
    "byte order mark": "\ufeff",
    "soft hyphen": "\u00ad",
    "combining grapheme joiner": "\u034f",
    "Mongolian vowel separator": "\u180e",
    "line separator": "\u2028",
    "variation selector 17": "\U000e0100",
    "interlinear annotation": "\ufff9",
}


def flag(country: str) -> str:
    """The flag of a country by its two letters."""
    return "".join(chr(ord(letter) - ord("A") + 0x1F1E6) for letter in country)


def subdivision(code: str) -> str:
    """The flag of a part of a country: a black flag, tags, and the tag that ends them."""
    return "🏴" + "".join(chr(ord(letter) + 0xE0000) for letter in code) + "\U000e007f"


def stack(base: str, count: int) -> str:
    """`base` under or over `count` different marks."""
    return base + "".join(chr(0x0300 + index) for index in range(count))


WORDS = [
    "café", "naïve", "Ångström", "Zürich", "señor", "čeština", "łódź", "İstanbul", "Việt", "ṩ",
    "ǘ", "ệ", "한국어", "각", "が", "パ", "ヴ", "Ω", "ά", "ё", "й", "ṏ", "ậ", "ỡ", "ñandú",
]  # fmt: skip

#: Texts by kind; what is made by rule is made here, what people write is written out.
TEXTS: dict[str, list[str]] = {
    "emoji": [*"😀🎉✨✅🚀🤖🪄🫠⌚⏰☕♿🀄🈚🃏", "🐦‍⬛", "😀😀", "a😀b"],
    "VS16": [base + VS16 for base in "❤⚠✈☀☎✔✖☺ℹ↔▶⏏⚙🕷🏷🅰©®‼〰㊗"]
    + ["⚠️ Warning: read this", "✔️done", "a❤️b", "❤️❤️❤️"],
    "VS15": [base + VS15 for base in "❤⚠☺✈⌚☕⚡👍"] + ["a❤︎b"],
    "keycap": [f"{key}{VS16}\u20e3" for key in "0123456789#*"] + ["1\u20e3", "1️⃣ first 2️⃣ second"],
    "flag": [flag(code) for code in COUNTRIES]
    + ["🇩🇪🇫🇷", "🇩🇪🇫🇷🇮🇹🇪🇸", "a🇯🇵b", "🇩", "🇩🇪🇫"],
    "subdivision": [subdivision(code) for code in ("gbeng", "gbsct", "gbwls", "ustx", "esct")],
    "skin tone": [base + tone for base in "👍🤘☝" for tone in TONES]
    + ["✌🏽", "👍🏽👍🏿", "a👋🏻b", "x🏽", "🏽", f"☝{VS16}🏽"],
    "family": [
        ZWJ.join(family)
        for family in (
            *product("👨👩", "👨👩", "👧👦"),
            *product("👨👩", "👧👦", "👧👦"),
            *product("👨👩", "👩", "👧", "👧👦"),
        )
    ],
    "profession": [
        f"{person}{tone}{ZWJ}{thing}"
        for person, tone, thing in product(PEOPLE, ["", TONES[2]], THINGS)
    ],
    "joined": [
        "🏳️‍🌈", "🏳️‍⚧️", "🏴‍☠️", "👁️‍🗨️", "🐻‍❄️", "🐈‍⬛", "❤️‍🔥", "❤️‍🩹", "😶‍🌫️", "😮‍💨",
        "🤷🏽‍♀️", "🧑🏻‍🤝‍🧑🏿", "👩‍❤️‍👩", "👩🏽‍❤️‍💋‍👨🏿", "⛹🏿‍♂️", "🕵️‍♀️", "👨‍🦰", "🧑‍🧑‍🧒‍🧒", "🙂‍↔️",
        "👩‍💻👩‍💻", "a👩‍💻b", f"👩{ZWJ}", f"👩{ZWJ}x", f"日{ZWJ}本", f"{ZWJ}👩",
    ],
    "Hindi": ["नमस्ते", "नमस्ते दुनिया end", "हिन्दी", "क्षत्रिय", "श्री", "र्क", "ज्ञान", "हाँ"],
    "Hindi with joiners": ["क्\u200dष", "क्\u200cष", "र\u200d्क", "श्\u200dर"],
    "Marathi and Nepali": ["मराठी", "महाराष्ट्र", "नेपाली"],
    "Bengali": ["বাংলা", "স্বাগতম", "কেমন আছেন", "র্যা", "র\u200d্যা"],
    "Gujarati and Punjabi": ["ગુજરાતી", "ਪੰਜਾਬੀ", "ਸਤ ਸ੍ਰੀ ਅਕਾਲ"],
    "Tamil": ["தமிழ்", "வணக்கம்", "க்ஷ", "ஸ்ரீ", "கொ", "நிலா"],
    "Telugu, Kannada, Malayalam": ["తెలుగు", "ನಮಸ್ಕಾರ", "മലയാളം", "ക്ഷ", "ശ്രീ"],
    "Sinhala": ["සිංහල", "ශ්\u200dරී ලංකා"],
    "Arabic": ["مرحبا", "السلام عليكم", "العربية", "لا", "ﷺ", "ـــ", "١٢٣"],
    "Arabic with tashkeel": ["مُحَمَّد", "بِسْمِ ٱللَّهِ", "قُرْآنٌ", "شَدَّةٌ"],
    "Persian with ZWNJ": ["می\u200cخواهم", "کتاب\u200cها", "نمی\u200cدانم", "خانه\u200cای"],
    "Urdu": ["اردو", "پاکستان\u200c", "ہے\u200e."],
    "Arabic signs": ["\u0600١", "\u06dd١", "\u0601\u0661", "\u070f\u0710"],
    "Hebrew": ["שלום", "עברית", "ירושלים", "ﬡ", "״א״"],
    "Hebrew with niqqud": ["שָׁלוֹם", "בְּרֵאשִׁית", "יִשְׂרָאֵל", "אָ֑ב"],
    "Thai": ["สวัสดี", "ภาษาไทย", "ก็", "ที่นี่", "น้ำ", "กำลัง", "ปู่ย่า", "เชียงใหม่"],
    "Lao": ["ສະບາຍດີ", "ພາສາລາວ", "ນ້ຳ", "ກຳ", "ຫຼ້າ"],
    "Burmese": ["မြန်မာ", "မင်္ဂလာပါ", "ကျေးဇူး", "ဘာသာစကား", "ကြော်"],
    "Khmer": ["ខ្មែរ", "សួស្តី", "ភាសា", "ក្រុង", "ស្ត្រី"],
    "Tibetan": ["བོད་ཡིག", "བཀྲ་ཤིས་བདེ་ལེགས", "ཨོཾ", "རྫོགས", "སྒྲུབ"],
    "Mongolian": ["ᠮᠣᠩᠭᠣᠯ", "ᠪᠢ\u180eᠴᠢ", "ᠨ\u180b"],
    "Georgian, Armenian, Ethiopic": ["საქართველო", "Հայերեն", "አማርኛ", "ሰላም፡ዓለም"],
    "Greek and Cyrillic": ["Ελληνικά", "Русский", "Українська", "Ѐ", "а҃", "б҇", "Ѫ҈"],
    "Korean": ["한국어", "안녕하세요", "값싼", "ㄱㄴㄷ", "ﾡﾢ"],
    "Korean jamo": ["\u1112\u1161\u11ab", "\u1100\u1161", "\u1100\u1100\u1161", "\u115f\u1161",
                    "\u1112\u1161\u11ab\u1100\u116e\u11a8", "\ua960\u1161\ud7cb", "ㅎ\u1161"],
    "Chinese": ["中文", "你好，世界！", "繁體中文", "《書》、「話」。", "〇", "㐀", "兀︀"],
    "Japanese": ["日本語", "ひらがな", "カタカナ", "々〆ヶ", "葛󠄀城", "辻󠄁", "〒１２３"],
    "Kana with marks": ["か\u3099", "は\u309a", "う゛", "ｶﾞｷﾞ", "ﾊﾟﾋﾟ", "ｱｲｳ", "ﾞ", "か゚", "ｶ\u3099"],
    "fullwidth": ["ＡＢＣ", "１２３！？", "￥＄", "～", "｜", "ｗｗｗ", "aＢc"],
    "Vietnamese": ["Tiếng Việt", "Nguyễn", "phở", "đường", "Ơ Ư Ă Ê Ô", "Xin chào"],
    "NFC": [normalize("NFC", word) for word in WORDS],
    "NFD": [normalize("NFD", word) for word in WORDS],
    "combining stack": [stack("a", count) for count in range(1, MAX_MARKS + 1)]
    + [stack("日", 3), stack("😀", 2), stack(" ", 2) + "x", stack("a", 2) + stack("b", 3) + "c"]
    + ["Z̮̞̠͙͔ͅḀ̗̞͈̻̗Ḷ͙͎̯̹̞͓G̻O̭̗̮", "\u0301a", "\u0301\u0302\u0303a", "a\u20dd", "a\u0488", "o\u0361o"],
    "at the start": [mark + "word" for mark in INVISIBLE.values()],
    "in the middle": ["zero" + mark + "width" for mark in INVISIBLE.values()],
    "at the end": ["word" + mark for mark in INVISIBLE.values()],
    "between wide": ["日" + mark + "本" for mark in INVISIBLE.values()],
    "many invisible": ["\u200b\u200b\u200bx", "x\u200b\u200b\u200b", "\u2066שלום\u2069 ok",
                       "\u202bעברית\u202c", "a\u200b\u0301b", "\ufeff\u200b日", "a\u2060\u2060b"],
    "mathematics": ["𝐀𝑩𝒞", "𝔘𝔫𝔦", "𝟙𝟚𝟛", "∀x∈ℝ", "∑∫√∞", "≠≤≥", "x̄", "a⃗", "=\u0338", "≨\ufe00"],
    "symbols": ["←→↑↓", "⌘⌥⇧", "♠♣♥♦", "♀♂", "№™", "½⅓", "①②", "⓿", "⸮", "‰", "⁇", "†‡", "𝄞", "𝅘𝅥𝅮"],
    "private use": ["\ue000", "\ue0b0\ue0b1", "\uf8ff", "\U000f0001", "\U0010fffd", "a\ue0a0b"],
    "planes 2 and 3": ["𠀀", "𠮷野家", "𪚥", "\U0002ebf0", "𰻞𰻞麵", "\U00031350", "丽\U0002f800"],
    "other planes": ["𐎠𐎡", "𒀀", "𓀀", "𐤀", "𞤀𞤁", "𑀓𑁆𑀱", "𞸀", "🮀", "\U00018b00\U00016fe4", "𐍈", "𝼀"],
    "box drawing": ["┌─┬─┐", "│ │", "╭──╮", "╰──╯", "═║╔╗", "█▓▒░", "▀▄▌▐", "▁▂▃▄▅▆▇█", "◢◣◤◥"],
    "braille": ["⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏", "⠀⠁", "⣿", "⣾⣽⣻⢿"],
    "odd": ["\ufffd", "\ufffc", "\uffff", "\U0001fffe", "a\u3000b", "a\u00a0b", "a\u2003b"],
    "mixed": ["日本語 and नमस्ते and 🇩🇪!", "שלום 123 مرحبا", "⚠️ हिन्दी 한국어 ไทย 👩‍💻 e\u0301"],
}  # fmt: skip

every_kind = pytest.mark.parametrize("texts", TEXTS.values(), ids=TEXTS.keys())


def painted(text: str, pieces: Pieces, columns: int = 200) -> Terminal:
    """A terminal that received the text in pieces."""
    terminal = Terminal(columns, 3)
    for piece in pieces(text):
        terminal.receive(piece)
    return terminal


def first_row(text: str, pieces: Pieces) -> Row:
    """The first row of a wide screen that received the text in pieces."""
    return painted(text, pieces).picture().rows[0]


def unwrapped(terminal: Terminal) -> str:
    """The text from the first line that was painted on, over rows that wrapped."""
    frame = terminal.picture()
    text = ""
    for row in (*frame.scrolled, *frame.rows):
        text += row.text
        if not row.wrapped:
            break
    return text


def repainted(line: str) -> list[Row]:
    """The rows of a line that was painted six times, CR LF behind each."""
    terminal = Terminal(200, 8)
    for _ in range(3):
        terminal.receive(f"{line}\r\n{line}\r\n")
    return list(terminal.picture().rows)


def test_the_texts_are_many() -> None:
    """At least 220 different texts are tried, more than the bar of 200."""
    texts = [text for texts in TEXTS.values() for text in texts]

    assert len(set(texts)) >= 220
    assert [text for text in texts if text != text.rstrip(" ")] == []


@in_pieces
@every_kind
def test_every_character_comes_back_from_its_row(texts: list[str], pieces: Pieces) -> None:
    """A row's text is the text that was painted, whole or one character at a time."""
    assert [first_row(text, pieces).text for text in texts] == texts
    assert ["".join(first_row(text, pieces).cells) for text in texts] == texts


@in_pieces
@every_kind
def test_the_cursor_stands_right_of_the_text(texts: list[str], pieces: Pieces) -> None:
    """The cursor has gone as many columns as the text has cells."""
    frames = [painted(text, pieces).picture() for text in texts]

    assert [frame.cursor for frame in frames] == [(frame.rows[0].width, 0) for frame in frames]


@in_pieces
@every_kind
def test_every_character_comes_back_with_text_after_it(texts: list[str], pieces: Pieces) -> None:
    """What follows a text stands right of it: neither eats the other."""
    lines = [f"{text}|{text}|" for text in texts]

    assert [first_row(line, pieces).text for line in lines] == lines


@every_kind
def test_a_text_gives_one_row_however_it_is_cut(texts: list[str]) -> None:
    """Painted at once or one character at a time, a text gives the same cells."""
    at_once = [first_row(text, whole) for text in texts]

    assert [first_row(text, by_character) for text in texts] == at_once


@in_pieces
@every_kind
def test_a_style_between_characters_parts_nothing(texts: list[str], pieces: Pieces) -> None:
    """With a change of style before each character, every character is in the same cell."""
    plain = [first_row(text, whole).cells for text in texts]
    styled = [
        "".join(f"\x1b[{31 + index % 6}m{char}" for index, char in enumerate(text))
        for text in texts
    ]

    rows = [first_row(text, pieces) for text in styled]

    assert [row.text for row in rows] == texts
    assert [row.cells for row in rows] == plain


@in_pieces
@pytest.mark.parametrize("columns", [1, 2, 3, 5, 8])
@every_kind
def test_every_character_comes_back_over_wrapped_rows(
    texts: list[str], columns: int, pieces: Pieces
) -> None:
    """On a narrow screen the rows that wrapped give the text again, joined."""
    dotted = [text.replace(" ", "·") for text in texts]  # a blank may end a row and is no text then

    assert [unwrapped(painted(text, pieces, columns)) for text in dotted] == dotted


@every_kind
def test_a_line_painted_again_is_the_same_row(texts: list[str]) -> None:
    """A line that is known and put on the screen whole is the row that painting gives."""
    slowly = [first_row(text, by_character) for text in texts]

    assert [repainted(text)[:6] for text in texts] == [[row] * 6 for row in slowly]


@every_kind
def test_a_styled_line_painted_again_is_the_same_row(texts: list[str]) -> None:
    """A known line with styles is the row that painting character by character gives."""
    lines = [f"\x1b[1m{text[:1]}\x1b[31m{text[1:]}\x1b[39m\x1b[22m" for text in texts]
    slowly = [first_row(line, by_character) for line in lines]

    assert [row.text for row in slowly] == texts
    assert [repainted(line)[:6] for line in lines] == [[row] * 6 for row in slowly]


@every_kind
def test_a_line_painted_over_itself_is_the_same_row(texts: list[str]) -> None:
    """Erased and painted again in its place, as the CLI does, a line is what it was."""
    again = "\x1b[2K\x1b[1A\x1b[2K\x1b[G"
    terminals = [Terminal(200, 3) for _ in texts]

    for terminal, text in zip(terminals, texts, strict=True):
        for erase in ("", again, again, again):
            terminal.receive(f"{erase}{text}\r\n")

    assert [terminal.picture().lines for terminal in terminals] == [
        [text, "", ""] for text in texts
    ]


@every_kind
def test_every_character_comes_back_in_the_pyte_view(texts: list[str]) -> None:
    """The cells of the buffer and the display, as pyte's users read them, give the text too."""
    screens = [painted(text, whole).screen for text in texts]
    cells = ["".join(char.data for char in screen.buffer[0].values()) for screen in screens]

    assert [row.rstrip(" ") for row in cells] == texts
    assert [screen.display[0].rstrip(" ") for screen in screens] == texts


@in_pieces
@pytest.mark.parametrize(
    "lines",
    [
        ["\u200b", "abc", "def"],
        ["abc", "\u200b\u200d", "def", "abc"],
        ["abc", "\u0301", "abc", "\u0301", "abc"],
        ["\ufeff", "日本", "\ufeff", "日本"],
    ],
)
def test_a_line_of_marks_alone_loses_none(lines: list[str], pieces: Pieces) -> None:
    """Marks in a line without a character wait for the next one, wherever that is."""
    terminal = Terminal(20, 8)

    for piece in pieces("".join(f"{line}\r\n" for line in lines)):
        terminal.receive(piece)

    assert "".join(terminal.picture().lines) == "".join(lines)


@in_pieces
@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("⚠️", 2), ("❤️", 2), ("⚠︎", 1), ("1️⃣", 2), ("🇩🇪", 2), ("🇩🇪🇫🇷", 4), ("👍🏽", 2),
        ("👨‍👩‍👧‍👦", 2), ("👩🏽‍❤️‍💋‍👨🏿", 2), ("🏳️‍🌈", 2), (subdivision("gbsct"), 2),
        ("e\u0301", 1), ("日本", 4),
        ("\u1112\u1161\u11ab", 2), ("한", 2), ("か\u3099", 2), ("ｶﾞ", 2), ("ก็", 1),
        ("zero\u200bwidth", 9),
        ("\u200bx", 1), ("𠮷", 2), ("Ａ", 2), ("⣿", 1), ("─", 1), ("\ue0b0", 1), ("\ufeffx", 1),
        ("👩\u200dx", 3),
    ],
)  # fmt: skip
def test_columns_are_counted_as_a_reader_sees_them(text: str, columns: int, pieces: Pieces) -> None:
    """A character made of several takes the columns of what is seen, as the CLI counts them."""
    assert painted(text, pieces).picture().cursor == (columns, 0)


@in_pieces
@pytest.mark.parametrize("text", ["e" + "\u0301" * 20_000, "日" + "\u0301" * 20_000])
def test_marks_above_the_cap_are_given_up(text: str, pieces: Pieces) -> None:
    """A cell keeps its character and as many marks as the cap allows; the rest changes nothing."""
    row = first_row(text + "x", pieces)

    assert row.text == text[: 1 + MAX_MARKS] + "x"


@in_pieces
def test_marks_without_a_character_are_capped_too(pieces: Pieces) -> None:
    """Marks that wait at the left edge for a character are kept up to the cap."""
    row = first_row("\u0301" * 20_000 + "x", pieces)

    assert row.text == "\u0301" * MAX_MARKS + "x"


def test_simple_characters_take_one_column_and_join_nothing() -> None:
    """Each character of the short cut for simple text takes one column and joins no other."""
    simple = [char for char in map(chr, range(0x110000)) if SIMPLE.fullmatch(char)]

    assert {chr(code) for code in range(0x20, 0x7F)} <= set(simple)
    assert [char for char in simple if wcwidth(char) != 1 or width(char) != 1] == []
    assert [char for char in simple if joins(f"👩{ZWJ}", char) or joins("a", char)] == []
