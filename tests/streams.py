"""Streams of terminal output, made by hypothesis: what the CLI writes, and what a foe would.

Rule: every piece is a string; a stream is the pieces joined. Streams are small and dense, because
what breaks a terminal is what stands next to what, not how much there is.
"""

from hypothesis import strategies as st

numbers = st.one_of(
    st.integers(0, 12).map(str),
    st.sampled_from(["", "0", "00", "65535", "65536", "99999999999999999999"]),
)
params = st.lists(numbers, max_size=4).map(";".join)
sgr = st.one_of(
    st.sampled_from(["", "0", "1", "2", "7", "8", "22", "27", "39", "49", "38;5;200", "48;5;17"]),
    st.sampled_from(["38;2;1;2;3", "48;2;9;8;7", "38:2::1:2:3", "4:3", "58;5;7", "38;5", "38;2;1"]),
    params,
).map("\x1b[{}m".format)

simple_text = st.text(st.sampled_from("abcXYZ 019.─│▄▀✦⠋é"), min_size=1, max_size=14)
odd_text = st.lists(
    st.sampled_from(
        [
            "日本", "한", "🎉", "👩", "\u200d", "\ufe0f", "❤", "⚠️", "1️⃣", "🇩🇪", "👍🏽", "e\u0301",
            "न", "म", "स्ते", "\u200b", "\u0300", "\u20e3", "ก็", "\u200f", "ｗ", "♂",
        ]
    ),
    min_size=1,
    max_size=5,
).map("".join)  # fmt: skip
text = st.one_of(simple_text, odd_text)

csi = st.one_of(
    st.tuples(params, st.sampled_from(list("ABCDEFGHIJKLMPSTXZ@`abdefghjkrsu"))).map(
        lambda p: f"\x1b[{p[0]}{p[1]}"
    ),
    st.tuples(
        st.sampled_from(["?", ">", "<", "=", ""]),
        params,
        st.sampled_from(["", " ", "!", '"', "$", "  !!!"]),
        st.sampled_from(list("hlmpquncJKxyz{|}~")),
    ).map(lambda p: f"\x1b[{p[0]}{p[1]}{p[2]}{p[3]}"),
)
modes = st.tuples(
    st.sampled_from(["4", "20", "?3", "?5", "?6", "?7", "?25", "?47", "?1047", "?1048", "?1049"])
    | st.sampled_from(["?2004", "?2026", "?2026", "?1;7"]),
    st.sampled_from("hl"),
).map(lambda p: f"\x1b[{p[0]}{p[1]}")
strings = st.tuples(
    st.sampled_from(
        ["\x1b]0;", "\x1b]2;", "\x1b]8;;", "\x1b]11;?", "\x1bP", "\x1b_", "\x1b^", "\x1bX"]
    )
    | st.sampled_from(["\x9d0;", "\x90", "\x1b]52;c;"]),
    st.text(st.sampled_from("ab ◇;?\r\n\x01"), max_size=6),
    st.sampled_from(["\x07", "\x1b\\", "\x9c", "\x18", "\x1a", "\x1b", "\x1b[A", ""]),
).map("".join)
escapes = st.sampled_from(
    [
        *[
            "\x1b7",
            "\x1b8",
            "\x1bD",
            "\x1bE",
            "\x1bM",
            "\x1bH",
            "\x1bc",
            "\x1b#8",
            "\x1b(0",
            "\x1b(B",
        ],
        *["\x1b)0", "\x0e", "\x0f", "\x1b", "\x1b[", "\x1b[?", "\x1b(", "\x1b[>4;?m", "\x1b[1;?H"],
        *["\x9b", "\x84", "\x85", "\x8d", "\x9c", "\x7f", "\x1b%G"],
    ]
)
controls = st.sampled_from(
    ["\r", "\n", "\r\n", "\r\n", "\r\n", "\t", "\x08", "\x0b", "\x07", "\x00"]
)

#: A line as the CLI paints it: styles that are closed again, then CR LF.
painted_line = st.lists(st.tuples(sgr, text), max_size=3).map(
    lambda runs: "".join(style + words for style, words in runs) + "\x1b[0m\r\n"
)
erase_run = st.tuples(st.sampled_from(["", "\x1b[2B", "\x1b[4B"]), st.integers(0, 6)).map(
    lambda p: p[0] + "\x1b[2K\x1b[1A" * p[1] + "\x1b[2K\x1b[G"
)
park = st.tuples(st.integers(0, 4), st.integers(0, 9)).map(lambda p: f"\x1b[{p[0]}A\x1b[{p[1]}G")
#: A picture as the CLI paints it.
picture = st.tuples(
    st.sampled_from(["", "\x1b[?25l", "\x1b[?2026h", "\x1b[2J\x1b[3J\x1b[H"]),
    erase_run,
    st.lists(painted_line | simple_text.map("{}\r\n".format) | st.just("\r\n"), max_size=6),
    park | st.sampled_from(["", "\x1b[?2026l", "\x1b]0;◇  Ready\x07", "half a line"]),
).map(lambda p: p[0] + p[1] + "".join(p[2]) + p[3])

pieces = st.one_of(text, sgr, csi, modes, strings, escapes, controls, painted_line, erase_run, park)
#: Anything a terminal may meet.
hostile = st.lists(pieces, max_size=24).map("".join)
#: What the CLI writes.
cli_like = st.lists(st.one_of(picture, picture, picture, pieces), max_size=6).map("".join)
#: Both, and noise.
any_stream = st.one_of(
    hostile,
    cli_like,
    st.text(max_size=40),
    st.binary(max_size=60).map(lambda b: b.decode("latin1")),
)


#: Where to cut a stream, as parts of its length.
places = st.lists(st.floats(0, 1), max_size=6)


def cut(stream: str, at: list[float]) -> list[str]:
    """The stream in pieces."""
    ends = sorted({round(place * len(stream)) for place in at})
    return [stream[a:b] for a, b in zip([0, *ends], [*ends, len(stream)], strict=True)]
