"""Texts that a screen cannot show to the sign: 310 replies of 31 kinds, in 30 scripts.

They are the same in each run. What the API sends is the truth; a test says who kept it.
"""

import random
from itertools import chain

#: Pieces of each kind; a text is made of some of them. The marks are written as escapes where an
#: editor would hide them or move them.
PIECES = {
    "emoji": (
        "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",
        "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
        "\U0001f1ee\U0001f1f3",
        "\u2764\ufe0f\u200d\U0001f525",
        "\U0001f44d\U0001f3fd",
        "1\ufe0f\u20e3",
        "\U0001f9d1\U0001f3ff\u200d\U0001f680",
        "\u26a0\ufe0f Warning",
        "\u2602\ufe0e",
    ),
    "persian": ("می\u200cخواهم", "کتاب\u200cها", "نمی\u200cدانم", "سلام", "خانه\u200cی ما", "۱۲۳"),
    "hindi": ("नमस्ते", "क्\u200dष", "क्\u200cष", "हिन्दी", "दुनिया", "र्\u200dक", "विद्यार्थी"),
    "arabic": ("السَّلَامُ", "عَلَيْكُم", "لا\u200dإ", "كتاب\u061c:", "١٢٣", "ﷺ", "مـرحـبـا"),
    "hebrew": ("שָׁלוֹם", "עוֹלָם", "בְּרֵאשִׁית", "\u200fא\u200e b", "ירושלים", "״אבג״"),
    "thai": ("สวัสดี", "ภาษา\u200bไทย", "น้ำ", "กำลัง", "ที่\u200bนี่", "เรียนรู้"),
    "tamil": ("வணக்கம்", "தமிழ்", "க்\u200cஷ", "ஸ்ரீ", "நன்றி", "கொள்கை"),
    "bengali": ("নমস্কার", "বাংলা", "র\u200d্য", "ক্ষ", "স্বাগতম", "ৎ"),
    "burmese": ("မြန်မာ", "ကျွန်ုပ်", "မင်္ဂလာပါ", "ဘာသာ\u200bစကား", "စကား"),
    "khmer": ("ភាសាខ្មែរ", "សួស្តី", "ក្រុម\u200bហ៊ុន", "ស្ត្រី", "អក្ខរក្រម", "\u17b4ក\u17b5"),
    "korean": (
        "안녕하세요",
        "\u1112\u1161\u11ab",
        "\u115f\u1161",
        "\u1100\u1160",
        "\u3164빈칸",
        "\uffa0반각",
    ),
    "telugu and kannada": ("తెలుగు", "క్\u200cష", "క్ష్మి", "ಕನ್ನಡ", "ರ\u200d್ಯ", "ಕ್ಷಮಿಸಿ"),
    "malayalam and sinhala": ("മലയാളം", "ന്\u200d", "ക്ഷ", "සිංහල", "ශ්\u200dරී", "ක්\u200dෂ"),
    "gujarati, punjabi and lao": ("ગુજરાતી", "ક્ષ", "ਪੰਜਾਬੀ", "ਸ੍ਰੀ", "ພາສາ\u200bລາວ", "ນ້ຳ"),
    "greek and cyrillic": ("ἀρχῇ", "ΐ", "Ὀδυσσεύς", "и\u0306", "Ѓ", "ѿ\u0483", "Привет"),
    "armenian and georgian": ("Հայերեն", "և", "ﬓ", "ქართული", "ᲥᲐᲠᲗ", "ჟ\u0302"),
    "ethiopic, cherokee and syriac": ("አማርኛ", "ሰ\u135f", "ᏣᎳᎩ", "ꭰ", "ܣܘܪܝܝܐ", "ܐ\u0710\u0730"),
    "mongolian": ("ᠮᠣᠩᠭᠣᠯ", "ᠠ\u180e", "ᠬᠡ\u180b", "\u180cᠭ", "\u202fᠤᠨ", "ᠪᠢᠴᠢᠭ"),
    "tibetan": ("བོད་སྐད", "རྫོང་ཁ", "བཀྲ་ཤིས", "ཨོཾ་མ་ཎི", "སྒྲུབ"),
    "chinese and japanese": (
        "漢字",
        "かな\u3099",
        "ﾊﾝｶｸ",
        "葛\U000e0100",
        "辻\U000e0101",
        "ｶ\uff9e",
        "々〆",
    ),
    "combining": (
        "e\u0301\u0302\u0303",
        "Z\u0351\u036b\u0343",
        "n\u0303",
        "a\u034fb",
        "o\u20dd",
        "\u1ab0x",
    ),
    "lone marks": (
        "\u0301",
        "\u20e3",
        "\u093f",
        "\ufe0f",
        "\u200d",
        "\u0e31",
        "\U0001f3fb",
        "\u1dc4 x",
    ),
    "no width": tuple(
        f"a{chr(code)}b"
        for code in chain(
            (0xAD, 0x34F, 0x61C, 0x180E, 0x2060, 0xFEFF, 0x1D173, 0xE0001),
            range(0x200B, 0x2010),
            range(0x202A, 0x202F),
            range(0x2061, 0x2065),
            range(0x2066, 0x2070),
            range(0xFFF9, 0xFFFC),
        )
    ),
    "controls": (
        *(f"c{chr(code)}d" for code in chain(range(0x20), range(0x7F, 0xA0))),
        "\x1b[31mred\x1b[0m",
        "\x1b]0;title\x07",
        "\x9b1mbold",
        "one\x1b[2Jtwo",
        "a\bb\x7f",
    ),
    "lines": (
        "tab\there",
        "crlf\r\nline",
        "\r",
        "trailing  \n",
        "\n\n\n",
        "\tleading",
        "\v",
        "\f",
        "\u2028",
    ),
    "blanks": (
        "a\u00a0b",
        "\u1680",
        "\u2003em",
        "\u2009thin",
        "\u202fnarrow",
        "\u3000wide",
        "\u205f",
        "x   y",
    ),
    "bidi": (
        "\u202eevil\u202c",
        "\u2066iso\u2069",
        "abc \u05d0\u05d1 def",
        "\u202b\u0627\u202c",
        "\u200f!",
    ),
    "astral": ("𝕬𝖇𝖈", "𠮷野家", "𓀀𓂀", "🂡🃏", "𝔘𝔫𝔦", "𐍈𐌰", "\U0001f9ff"),
    "selectors": ("⚠\ufe0f", "⚠\ufe0e", "☎\ufe0e☎\ufe0f", "A\ufe00", "≨\ufe00", "㐂\U000e0100"),
    "private": (
        "\ue000",
        "\uf8ff",
        "\U000f0000",
        "\U0010fffd",
        "\ufffd",
        "\ufffc",
        "\ufdd0",
        "\uffff",
    ),
    "marks of Markdown": (
        "**b**",
        "`c`",
        "<!-- hidden -->",
        "> q",
        "# h",
        "[l](u)",
        "|a|b|",
        "- i",
        "<b>x</b>",
    ),
}
#: Texts of each kind.
EACH = 10
#: What stands between two pieces.
_BETWEEN = (" ", " ", " ", "", "\n", ", ")


def replies(kind: str) -> list[str]:
    """The replies of a kind: each another mixture of its pieces, some long, with blank ends."""
    dice = random.Random(kind)
    pieces = PIECES[kind]
    made = []
    for number in range(EACH):
        count = 200 if number == EACH - 1 else dice.randint(2, 9)
        words = [
            part for _ in range(count) for part in (dice.choice(pieces), dice.choice(_BETWEEN))
        ]
        begin, end = (
            dice.choice(("", "", "  ", "\t", "\n")),
            dice.choice(("", "", "  ", "\n", " \n\n")),
        )
        made.append(f"{begin}{number}. {''.join(words)} end{end}")
    return made
