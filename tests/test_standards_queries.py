"""A program hears fixed answers to the questions that the owner chose, and nothing it wrote."""

import re

import pytest

from geminipty.terminal import Query, Terminal
from geminipty.terminal.queries import MAX_WAITING
from tests.standards import Pieces, in_pieces

# fmt: off
QUESTIONS = [
    # (question, answer, query, source)
    ("\x1b[c", "\x1b[?62;22c", Query.DA1, "ECMA-48 8.3.24"),
    ("\x1b[0c", "\x1b[?62;22c", Query.DA1, "ECMA-48 8.3.24"),
    ("\x9bc", "\x1b[?62;22c", Query.DA1, "ECMA-48 8.3.24"),
    ("\x1b[>c", "\x1b[>0;0;0c", Query.DA2, "xterm DA2"),
    ("\x1b[>0c", "\x1b[>0;0;0c", Query.DA2, "xterm DA2"),
    ("\x1b[5n", "\x1b[0n", Query.DSR, "ECMA-48 8.3.35"),
    ("\x1b[6n", "\x1b[1;1R", Query.CPR, "ECMA-48 8.3.14"),
    ("\x1b[2;3H\x1b[6n", "\x1b[2;3R", Query.CPR, "ECMA-48 8.3.14"),
    ("0123456789\x1b[6n", "\x1b[1;10R", Query.CPR, "xterm CPR"),
    ("0123456789a\x1b[6n", "\x1b[2;2R", Query.CPR, "xterm CPR"),
    ("half\r\n\x1b[6n", "\x1b[2;1R", Query.CPR, "ECMA-48 8.3.14"),
    ("half\x1b[6n", "\x1b[1;5R", Query.CPR, "ECMA-48 8.3.14"),
    ("日\x1b[6n", "\x1b[1;3R", Query.CPR, "ECMA-48 8.3.14"),
    ("\x1b[2;3r\x1b[?6h\x1b[2;4H\x1b[6n", "\x1b[2;4R", Query.CPR, "xterm CPR under DECOM"),
    ("\x1b[>q", "\x1bP>|geminipty\x1b\\", Query.XTVERSION, "xterm XTVERSION"),
    ("\x1b[>0q", "\x1bP>|geminipty\x1b\\", Query.XTVERSION, "xterm XTVERSION"),
    ("\x1b]10;?\x1b\\", "\x1b]10;rgb:ffff/ffff/ffff\x1b\\", Query.FOREGROUND, "xterm OSC 10"),
    ("\x1b]10;?\x07", "\x1b]10;rgb:ffff/ffff/ffff\x1b\\", Query.FOREGROUND, "xterm OSC 10"),
    ("\x1b]11;?\x1b\\", "\x1b]11;rgb:0000/0000/0000\x1b\\", Query.BACKGROUND, "xterm OSC 11"),
    ("\x1b]11;?\x07", "\x1b]11;rgb:0000/0000/0000\x1b\\", Query.BACKGROUND, "xterm OSC 11"),
    ("\x1b[?u", "\x1b[?0u", Query.KITTY, "kitty keyboard"),
    ("\x1b[?4m", "\x1b[>4;0m", Query.MODIFY_OTHER_KEYS, "xterm XTQMODKEYS"),
    ("\x1b[>4;?m", "\x1b[>4;0m", Query.MODIFY_OTHER_KEYS, "Gemini CLI 0.61.0"),
]

#: What other terminals answer, or what looks like a question: (text, what it is).
UNANSWERED = [
    ("\x05", "ENQ"),
    ("\x1bZ", "DECID"),
    ("\x1b[1c", "DA with a parameter that is none"),
    ("\x1b[?c", "DA of the Linux console"),
    ("\x1b[=c", "DA3"),
    ("\x1b[?62;22c", "an answer to DA1"),
    ("\x1b[0n", "an answer to DSR"),
    ("\x1b[?6n", "DECXCPR"),
    ("\x1b[?15n", "printer status"),
    ("\x1b[?26n", "keyboard status"),
    ("\x1b[?63;1n", "DECCKSR"),
    ("\x1b[?996n", "colour scheme"),
    ("\x1b[x", "DECREQTPARM"),
    ("\x1b[?2026$p", "DECRQM"),
    ("\x1b[4$p", "ANSI DECRQM"),
    ("\x1b[1;1;1;1;5;10*y", "DECRQCRA"),
    ("\x1b[1$w", "DECRQPSR"),
    ("\x1b[11t", "window state"),
    ("\x1b[14t", "window size in pixels"),
    ("\x1b[18t", "window size in cells"),
    ("\x1b[20t", "icon name"),
    ("\x1b[21t", "title"),
    ("\x1b[?1;1;0S", "XTSMGRAPHICS"),
    ("\x1b]0;?\x07", "a title of a question mark"),
    ("\x1b]4;1;?\x07", "palette"),
    ("\x1b]12;?\x07", "cursor colour"),
    ("\x1b]52;c;?\x07", "clipboard"),
    ("\x1b]50;?\x07", "font"),
    ("\x1b]11;#ff0000\x07", "a background that is set"),
    ("\x1b]11;?\x18", "a question that was cancelled"),
    ("\x1b]11;?", "a question without an end"),
    ("\x1bP$qm\x1b\\", "DECRQSS"),
    ("\x1bP+q544e\x1b\\", "XTGETTCAP"),
    ("\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\", "kitty graphics"),
]
# fmt: on

MARK = "rm -rf"
#: The mark in every place where some terminal once kept a text to send it back.
HOSTILE = [
    f"{MARK}\r\n",
    f"\x1b]0;{MARK}\x07\x1b[21t",
    f"\x1b]2;{MARK}\r\n\x07\x1b[21t",
    f"\x1b]1;{MARK}\x07\x1b[20t",
    f"\x1b]10;{MARK}\x07\x1b]10;?\x07",
    f"\x1b]11;{MARK};?\x07\x1b]11;?\x07",
    f"\x1b]4;1;{MARK}\x07\x1b]4;1;?\x07",
    f"\x1b]50;{MARK}\x07\x1b]50;?\x07",
    f"\x1b]52;c;{MARK}\x07\x1b]52;c;?\x07",
    f"\x1bP$q{MARK}\x1b\\",
    f"\x1bP+q{MARK}\x1b\\",
    f"\x1bP1$r{MARK}\x1b\\",
    f"\x1bP>|{MARK}\x1b\\\x1b[>q",
    f"\x1b_{MARK}\x1b\\",
    f"\x1b^{MARK}\x1b\\",
    f"\x1bX{MARK}\x1b\\",
    f"\x1b[>4;2m{MARK}\x1b[?4m",
    f"\x1b[>1u{MARK}\x1b[?u",
]


@in_pieces
@pytest.mark.parametrize(("question", "answer", "query", "source"), QUESTIONS)
def test_a_question_is_answered_by_choice_alone(
    question: str, answer: str, query: Query, source: str, pieces: Pieces
) -> None:
    """A question has one answer if its query was chosen, and none if all others were."""
    chosen = Terminal(10, 4, answers={query})
    others = Terminal(10, 4, answers=set(Query) - {query})

    for piece in pieces(question):
        chosen.receive(piece)
        others.receive(piece)

    assert chosen.data_to_send() == answer, source
    assert others.data_to_send() == ""


def test_da1_alone_is_answered_unless_more_is_chosen() -> None:
    """By default a program that asks everything hears the answer to DA1 only."""
    terminal = Terminal(10, 4)

    for question, _, query, _ in QUESTIONS:
        if query is not Query.DA1:
            terminal.receive(question)
    terminal.receive("\x1b[c")

    assert terminal.data_to_send() == "\x1b[?62;22c"


@in_pieces
def test_the_first_questions_of_the_cli_are_answered_in_order(pieces: Pieces) -> None:
    """The CLI's first write is answered in the order of its questions, DA1 last."""
    terminal = Terminal(10, 4, answers=set(Query))

    for piece in pieces("\x1b[8m\x1b[?u\x1b]11;?\x1b\\\x1b[>q\x1b[>4;?m\x1b[c\x1b[2K\r\x1b[0m"):
        terminal.receive(piece)

    assert terminal.data_to_send() == (
        "\x1b[?0u\x1b]11;rgb:0000/0000/0000\x1b\\\x1bP>|geminipty\x1b\\\x1b[>4;0m\x1b[?62;22c"
    )


def test_an_answer_is_handed_out_once() -> None:
    """What was taken to be sent is not handed out again."""
    terminal = Terminal(10, 4)
    terminal.receive("\x1b[c")

    terminal.data_to_send()

    assert terminal.data_to_send() == ""


@in_pieces
@pytest.mark.parametrize(("text", "what"), UNANSWERED)
def test_other_questions_go_unheard(text: str, what: str, pieces: Pieces) -> None:
    """With every query chosen, what is not on the list is still not answered."""
    terminal = Terminal(10, 4, answers=set(Query))

    for piece in pieces(text):
        terminal.receive(piece)

    assert terminal.data_to_send() == "", what


@in_pieces
@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_that_a_program_wrote_is_sent_back(text: str, pieces: Pieces) -> None:
    """Whatever a program wrote before it asks, it hears the fixed answers and two numbers."""
    terminal = Terminal(10, 4, answers=set(Query))
    everything = "".join(question for question, *_ in QUESTIONS)
    fixed = "|".join(re.escape(answer) for _, answer, *_ in QUESTIONS)

    for piece in pieces(text + everything):
        terminal.receive(piece)

    sent = terminal.data_to_send()
    assert re.fullmatch(rf"({fixed}|\x1b\[[0-9]{{1,2}};[0-9]{{1,2}}R)+", sent)
    assert MARK not in sent


def test_a_program_that_only_asks_is_cut_off() -> None:
    """Answers that nobody takes are bounded, however often a program asks."""
    terminal = Terminal(10, 4)

    terminal.receive("\x1b[c" * 10_000)

    assert terminal.data_to_send() == "\x1b[?62;22c" * MAX_WAITING
