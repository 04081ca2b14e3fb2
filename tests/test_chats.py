"""The CLI's chat files: the exact reply of a turn, or nothing; never a wrong one.

`tests/chats/` holds real files, made against a scripted model. The story of most of them is
STORY; its prompts are the same in each release.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from geminipty.chats import ChatLog, ExactReply, agrees, fits
from geminipty.chats.agreement import rendered
from geminipty.chats.files import ChatFile, parsed, stamp_of
from geminipty.chats.records import Message, Role, message
from geminipty.model import Reply, ReplySource, ToolCall, ToolOutcome, Turn, TurnOutcome
from geminipty.witnesses import merge

CHATS = Path(__file__).parent / "chats"
FILES = sorted(CHATS.rglob("session-*"))
FIRST = "First answer, part {:02}."
#: What was asked, what the model sent; None where no file has the end of it.
STORY = [
    (
        "say hello",
        "Hello **there**.\n\n- one\n- two\n\n```python\nx = 1\n```\n\nDone.",
    ),
    ("say hello", "Hello again."),
    ("read a.txt", "I will read the file.\n\nIt has three lines: alpha, beta, gamma."),
    ("read two", "One was there."),
    ("what is in @notes.md", "It holds notes."),
    ("run it", "I run it.\n\nIt printed two lines."),
    ("run it no", None),
    ("fail with 400", None),
    ("write slowly", None),
    ("write a file\nof two lines", "x"),
    ("first question", " ".join(FIRST.format(number) for number in range(1, 25))),
    ("second question", "Second answer, short."),
    ("after the clear", "A fresh start."),
]
STORIES = ["0.5.5", "0.15.4", "0.30.1", "0.38.2", "0.39.1", "0.51.0", "0.61.0"]


def states(path: Path) -> Iterator[tuple[Message | None, bytes]]:
    """How a file grew: the message that comes next, and all of the file with it."""
    data = path.read_bytes()
    if path.suffix == ".jsonl":
        end = 0
        for line in data.splitlines(keepends=True):
            end += len(line)
            yield message(parsed(line)), data[:end]
    else:
        whole = json.loads(data)
        for count, record in enumerate(whole["messages"], 1):
            text = json.dumps({**whole, "messages": whole["messages"][:count]})
            yield message(record), text.encode()


def chats(folder: Path, name: str = "session-a.jsonl", project: str = "proj") -> Path:
    """A place for a chat file in a `.gemini` folder."""
    path = folder / "tmp" / project / "chats" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def line(kind: str, text: str, name: str = "", **more: object) -> bytes:
    """A line of a chat file."""
    record = {"id": name or f"{kind} {text}", "type": kind, "content": text, **more}
    return json.dumps(record).encode() + b"\n"


def append(path: Path, *lines: bytes) -> None:
    """Add to a file, as the CLI does."""
    with path.open("ab") as file:
        file.writelines(lines)


def play(folder: Path, source: Path, log: ChatLog) -> list[tuple[str, ExactReply | None]]:
    """Let a file grow message by message, and ask for each turn when the next one begins."""
    path = chats(folder, source.name)
    result: list[tuple[str, ExactReply | None]] = []
    prompt = None
    for found, data in states(source):
        if found and found.role is Role.PROMPT:
            if prompt is not None:
                result.append((prompt, log.reply(prompt)))
            prompt = (found.shown or found.text).partition("\n---")[0]
            log.mark()
        path.write_bytes(data)
    if prompt is not None:
        result.append((prompt, log.reply(prompt)))
    return result


@pytest.mark.parametrize("release", STORIES)
def test_every_turn_of_a_real_chat_is_exact(release: str, tmp_path: Path) -> None:
    """Text is whole to the character in each release; a turn with no end in the file is None."""
    log = ChatLog(tmp_path)
    sources = [path for path in FILES if path.parent.name == release and "T14-" in path.name]
    sources.sort(key=lambda path: path.stat().st_size, reverse=True)  # then the one after /clear

    turns = [turn for source in sources for turn in play(tmp_path, source, log)]

    assert [prompt for prompt, _ in turns] == [prompt for prompt, _ in STORY]
    for (prompt, exact), (_, text) in zip(turns, STORY, strict=True):
        if text is not None:
            assert exact is not None, prompt
            # The model ended one text with a blank, which later releases do not write.
            assert exact.text.removesuffix(" " if release == "0.5.5" else "") == text
            assert exact.usage is not None
            assert (exact.model or "").startswith("gemini-")
    hello, _, read, *_ = (exact for _, exact in turns)
    assert hello is not None
    assert read is not None
    assert [thought.subject for thought in hello.thoughts] == ["Pondering"]
    if release != "0.5.5":  # it records no tools
        (tool,) = read.tools
        assert (tool.name, tool.function, tool.outcome) == ("ReadFile", "read_file", "success")
        assert tool.output == "alpha\nbeta\ngamma\n"
        assert "a.txt" in (tool.arguments or "")
        assert read.usage is not None
        assert read.usage.total == 2480  # of two messages


@pytest.mark.parametrize("source", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_reply_is_never_that_of_another_turn(source: Path, tmp_path: Path) -> None:
    """In every real file a turn's text is what the model said between its prompt and the next."""
    spoken: list[dict[str, str]] = []
    for found, _ in states(source):
        if found and found.role is Role.PROMPT:
            spoken.append({})
        elif found and found.role is Role.REPLY:
            spoken[-1][found.id] = found.text

    turns = play(tmp_path, source, ChatLog(tmp_path))

    assert len(turns) == len(spoken)
    for (_, exact), texts in zip(turns, spoken, strict=True):
        assert exact is None or exact.text == "\n\n".join(filter(None, texts.values()))


def test_a_file_cut_at_any_byte_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    """However a file grows, a reply is none or the whole one of its turn, and right at the end."""
    (source,) = CHATS.glob("0.39.1/*9b3500d5.jsonl")
    data = source.read_bytes()
    path = chats(tmp_path)
    log = ChatLog(tmp_path)
    log.mark()

    seen = []
    for at in range(len(data)):
        append(path, data[at : at + 1])
        seen.append(log.reply("after the clear"))

    assert {exact.text for exact in seen if exact} == {"A fresh start."}
    assert seen[-1] is not None
    # A second log that begins to look in the middle of a line reads that line too.
    path.write_bytes(data[:-100])
    late = ChatLog(tmp_path)
    append(path, data[-100:], line("user", "more"), line("gemini", "Yes."))
    exact = late.reply("more")
    assert exact is not None
    assert exact.text == "Yes."


def test_an_empty_or_half_object_is_not_yet_written(tmp_path: Path) -> None:
    """Up to 0.38 the file is written anew: while it is empty or cut, there is no answer yet."""
    (source,) = CHATS.glob("0.38.2/*1872fcf8.json")
    data = source.read_bytes()
    path = chats(tmp_path, source.name)
    log = ChatLog(tmp_path)

    for cut in range(0, len(data), 7):
        path.write_bytes(data[:cut])
        assert log.reply("after the clear") is None
    path.write_bytes(data)

    assert log.reply("after the clear") is not None


@pytest.mark.parametrize("inner", ["{},", "[],", "1,", '"",', '{"":0},', '{"ab":"cd"},'])
def test_many_small_values_are_passed_over(inner: str, tmp_path: Path) -> None:
    """They would take 25 times their size of memory; a file of them is read once and no more."""
    many = '{"messages": [' + inner * (12_000_000 // len(inner)) + "0]}"
    path = tmp_path / "session-1.json"
    path.write_text(many)
    chat, stamp = ChatFile(path), stamp_of(path)
    assert stamp is not None

    for _ in range(2):
        chat.update(stamp)

    assert parsed(many.encode()) is None
    assert chat.bytes_read == len(many)


def test_signs_in_texts_are_no_values() -> None:
    """A tool's output may be a table of millions of cells."""
    cells = "1,[2],{3}," * 1_000_000

    assert parsed(json.dumps({"output": cells}).encode()) == {"output": cells}


def test_a_turn_costs_what_was_written_in_it(tmp_path: Path) -> None:
    """Nothing is read twice: the fiftieth turn reads as many bytes as the second, or none."""
    log = ChatLog(tmp_path)
    path = chats(tmp_path)
    costs = []
    for number in range(50):
        log.mark()
        before = log._files[path].bytes_read if number else 0
        lines = line("user", f"{number:02}"), line("gemini", f"Answer {number:02}.")
        append(path, *lines)
        assert log.reply(f"{number:02}") is not None
        assert log.reply(f"{number:02}") is not None
        costs.append(log._files[path].bytes_read - before - sum(map(len, lines)))
        assert len(log._files[path].messages) == 2

    assert set(costs) == {0}


def test_the_same_prompt_twice_is_told_apart_by_the_mark(tmp_path: Path) -> None:
    """Until the second turn is in the file, there is no reply; the first one's is not given."""
    log = ChatLog(tmp_path)
    path = chats(tmp_path)
    append(path, line("user", "go", "1"), line("gemini", "One.", "2"))
    assert log.reply("go") is not None

    log.mark()
    assert log.reply("go") is None
    append(path, line("gemini", "One, late.", "2"), line("user", "go", "3"))
    assert log.reply("go") is None
    append(path, line("gemini", "One, later.", "2"), line("gemini", "Two.", "4"))

    exact = log.reply("go")
    assert exact is not None
    assert exact.text == "Two."


def test_a_reply_is_not_whole_while_its_tools_wait_for_the_model(tmp_path: Path) -> None:
    """Behind tools that ended the model speaks again; behind a denied one, or an error, not."""
    log = ChatLog(tmp_path)
    path = chats(tmp_path)
    call = {"name": "list", "args": {}, "status": "success"}
    append(path, line("user", "go"), line("gemini", "I look.", "1", toolCalls=[call]))

    half = log.reply("go", whole=False)
    assert half is not None
    assert not half.complete
    assert log.reply("go") is None

    denied = [call, {**call, "status": "cancelled"}]
    append(path, line("gemini", "I look.", "1", toolCalls=denied))
    assert log.reply("go") is not None
    append(path, line("gemini", "I look.", "1", toolCalls=[call]), line("error", "quota"))
    assert log.reply("go") is not None


def test_checkpoints_forget_and_rewinds_do_not(tmp_path: Path) -> None:
    """A checkpoint without tools changes nothing; a rewind takes back the turn it names."""
    log = ChatLog(tmp_path)
    path = chats(tmp_path)
    log.mark()
    append(path, line("user", "go", "1"), line("gemini", "Old.", "2"))
    append(path, b'{"$set":{"messages":[]}}\n{"$set":{"lastUpdated":"now"}}\n')
    assert log.reply("go") is not None

    append(path, b'{"$rewindTo":"1"}\n')
    assert log.reply("go", whole=False) is None
    append(path, line("user", "go", "3"), line("gemini", "New.", "4"))

    exact = log.reply("go")
    assert exact is not None
    assert exact.text == "New."


def test_parts_prompts_and_pushes(tmp_path: Path) -> None:
    """Thoughts and calls are no text, queued prompts are one, the CLI's own words are none."""
    log = ChatLog(tmp_path)
    path = chats(tmp_path)
    parts = [{"text": "hm", "thought": True}, {"text": "A"}, {"functionCall": {}}, {"text": "B"}]
    record = {"id": "g", "type": "gemini", "content": parts, "tokens": {"input": -1, "output": 2}}
    append(
        path,
        line("user", "<session_context>\nA folder"),
        line("user", "one\n\ntwo  \nlines"),
        json.dumps(record).encode() + b"\n",
        line("user", "Please continue."),
        line("gemini", "C"),
        line(
            "user", "[System: You successfully executed a tool but returned an empty response. X]"
        ),
        line("gemini", "D"),
        line("user", "System: Potential loop detected. Details: it repeats itself."),
        line("gemini", "E"),
    )

    for prompt in ("one", "two lines", "one two\tlines"):
        exact = log.reply(prompt)
        assert exact is not None
        assert exact.text == "AB\n\nC\n\nD\n\nE"
        assert exact.usage is not None
        assert (exact.usage.input, exact.usage.output) == (0, 2)
    assert log.reply("") is None
    assert log.reply("A folder") is None


def test_in_a_users_home_only_what_this_run_wrote_counts(tmp_path: Path) -> None:
    """Older files are not even read; one that grew counts with what was added; two fit: none."""
    about = b'{"sessionId":"11111111-x","projectHash":"h","kind":"main"}\n'
    old = chats(tmp_path, "session-old.jsonl")
    append(old, about, line("user", "go", "1"), line("gemini", "Old.", "2"))
    whole = chats(tmp_path, "session-old.json")
    then = {"id": "1", "type": "user", "content": "go", "timestamp": "2020-01-01T00:00:00.000Z"}
    reply = {**then, "id": "2", "type": "gemini"}
    whole.write_text(json.dumps({"messages": [then, reply]}))

    log = ChatLog(tmp_path)
    assert log.reply("go") is None
    assert log._files == {}
    whole.write_text(json.dumps({"messages": [then, reply], "more": 1}))
    assert log.reply("go") is None
    append(old, line("user", "go", "3"), line("gemini", "Mine.", "4"))
    exact = log.reply("go")
    assert exact is not None
    assert exact.text == "Mine."
    assert log._files[old].session == "11111111-x"

    fresh = ChatLog(tmp_path)
    append(old, line("user", "go", "5"), line("gemini", "A.", "6"))
    append(chats(tmp_path), line("user", "go", "7"), line("gemini", "B.", "8"))
    assert fresh.reply("go") is None
    assert log.reply("go") is not None  # it knows which one is its own


def test_two_sessions_in_one_folder_are_told_apart(tmp_path: Path) -> None:
    """By the session's id, or by the folder that the CLI works in; also after /clear."""
    hashes = {name: ChatLog(tmp_path, cwd=Path(f"/{name}"))._projects for name in "ab"}
    for name in "ab":
        about = {"sessionId": f"{name}-id", "projectHash": min(hashes[name])}
        path = chats(tmp_path, f"session-{name}.jsonl")
        append(path, json.dumps(about).encode() + b"\n")
    by_id = ChatLog(tmp_path, session_id="a-id")
    by_folder = ChatLog(tmp_path, cwd=Path("/b"))
    for name in "ab":
        path = chats(tmp_path, f"session-{name}.jsonl")
        append(path, line("user", "go"), line("gemini", f"I am {name}."))

    replies = [log.reply("go") for log in (by_id, by_folder)]

    assert [exact.text for exact in replies if exact] == ["I am a.", "I am b."]
    by_id.mark()
    append(chats(tmp_path, "session-b.jsonl"), line("user", "on", "x"), line("gemini", "No."))
    assert by_id.reply("on") is None
    append(chats(tmp_path, "session-c.jsonl"), line("user", "on"), line("gemini", "Cleared."))
    exact = by_id.reply("on")
    assert exact is not None
    assert exact.text == "Cleared."


def test_no_folder_no_file_and_strange_files_are_no_reply(tmp_path: Path) -> None:
    """Where nothing can be read, there is no reply; a folder or a gone file does no harm."""
    log = ChatLog(tmp_path / "missing")
    log.mark()
    assert log.reply("go") is None

    log = ChatLog(tmp_path)
    chats(tmp_path, "session-folder.jsonl").mkdir()
    path = chats(tmp_path)
    append(path, b'{"kind":"subagent"}\n', line("user", "go"), line("gemini", "Sub."))
    assert log.reply("go") is None
    path.unlink()
    assert log.reply("go") is None
    assert log._files == {}


FIELDS = ("content", "toolCalls", "tokens", "thoughts", "model", "displayContent")
NAMES = ("id", "type", "text", "name", "args", "result", "status", "input", "subject", "messages")
MORE = ("resultDisplay", "fileDiff", "functionResponse", "response", "output", "sessionId")
KEYS = st.sampled_from((*FIELDS, *NAMES, *MORE, "$set", "$rewindTo"))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
RECORDS = st.fixed_dictionaries(
    {"id": st.sampled_from("ab"), "type": st.sampled_from(["user", "gemini", "info", "x"])},
    optional=dict.fromkeys(FIELDS, JSON),
)


@given(records=st.lists(RECORDS | JSON, max_size=6), junk=st.binary(max_size=40))
@settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_content_raises(records: list[object], junk: bytes, tmp_path: Path) -> None:
    """Whatever stands in a file, reading it gives a reply that can be told as JSON, or none."""
    lines = chats(tmp_path, "session-fuzz.jsonl")
    whole = chats(tmp_path, "session-fuzz.json")
    log = ChatLog(tmp_path)
    lines.write_bytes(b"\n".join([*(json.dumps(r).encode() for r in records), junk, b""]))
    append(lines, line("user", "go"), *(json.dumps(r).encode() + b"\n" for r in records))
    whole.write_bytes(json.dumps({"messages": records}).encode() + junk)

    for path in (lines, whole):
        file = ChatFile(path)
        stamp = stamp_of(path)
        assert stamp
        file.update(stamp)
    exact = log.reply("go", whole=False)

    assert exact is None or ExactReply.model_validate_json(exact.model_dump_json()) == exact


@pytest.mark.parametrize(
    "data", [b"[" * 100_000, b'{"a":' * 100_000, b"NaN", b"1" * 10_000, b"\xff\xfe", b"\0", b""]
)
def test_json_that_breaks_parsers_is_no_record(data: bytes) -> None:
    """Depth, huge numbers and bytes that are no text are passed over."""
    assert parsed(data) is None


def turn(text: str, *tools: ToolCall, outcome: TurnOutcome = TurnOutcome.FINISHED) -> Turn:
    """A turn as the screen has it."""
    reply = Reply(text=text, source=ReplySource.SCREEN, screen_text=text, tools=tools)
    return Turn(prompt="go", reply=reply, started=0, finished=1, outcome=outcome)


def tool(name: str, summary: str = "", **more: str) -> ToolCall:
    """A call that ended well."""
    return ToolCall(name=name, summary=summary, outcome=ToolOutcome.SUCCESS, **more)


def test_the_exact_text_takes_the_place_of_the_screens() -> None:
    """The text is the file's, the screen's is kept, and whether they agree is told."""
    exact = ExactReply(text="**Hello** _you_", model="m", complete=True)

    same = merge(turn("Hello you"), exact).reply
    other = merge(turn("Good bye"), exact).reply

    assert (same.text, same.screen_text) == ("**Hello** _you_", "Hello you")
    assert (same.source, same.agreement, same.model) == (ReplySource.CHAT_FILE, True, "m")
    assert (other.text, other.agreement) == ("**Hello** _you_", False)
    lost = turn("you")
    lost = lost.model_copy(update={"reply": lost.reply.model_copy(update={"truncated": True})})
    assert merge(lost, exact).reply.agreement is None


def test_the_screens_text_stays_where_the_file_cannot_have_it() -> None:
    """Cancelled, failed in mid-sentence, not complete or not there: the screen is the witness."""
    whole = ExactReply(text="I look.", model="m", complete=True)
    cases = [
        (turn("I look. Then", outcome=TurnOutcome.CANCELLED), whole),
        (turn("I look. Then", outcome=TurnOutcome.FAILED), whole),
        (turn("I look. Then"), whole.model_copy(update={"complete": False})),
        (turn("I look. Then"), whole.model_copy(update={"text": ""})),
    ]

    for seen, exact in cases:
        reply = merge(seen, exact).reply
        assert (reply.text, reply.source) == ("I look. Then", ReplySource.SCREEN)
        assert (reply.agreement, reply.model) == (None, "m")
    assert merge(cases[0][0], None) == cases[0][0]


def test_tools_are_joined_by_order_and_name() -> None:
    """The file's calls replace the screen's; what only one of them has stays in its place."""
    seen = (tool("ReadManyFiles"), tool("Shell", "echo o...", output="cut"), tool("Shell", "ls"))
    shell = tool("Shell", "echo one", function="run_shell_command", arguments="{}")
    exact = ExactReply(text="x", tools=(tool("Glob"), shell, tool("Shell", "Runs a command")))

    tools = merge(turn("x", *seen), exact).reply.tools

    assert [call.name for call in tools] == ["ReadManyFiles", "Glob", "Shell", "Shell"]
    assert tools[2] == shell.model_copy(update={"output": "cut"})
    assert tools[3].summary == "ls"
    assert merge(turn("x", *seen), ExactReply(text="x")).reply.tools == seen


def test_a_record_fits_when_it_has_what_the_screen_shows() -> None:
    """A record that lacks what the screen has already is not read too early."""
    exact = ExactReply(text="I look.\n\nDone.", complete=True)

    assert fits(exact, "I look.\n\nDone.")
    assert fits(exact, "Done.")
    assert not fits(exact, "I look.\n\nDone. And more.")
    assert not fits(exact, "I look.\n\nGone.")
    assert not fits(exact.model_copy(update={"complete": False}), "Done.")
    assert not fits(None, "")


@pytest.mark.parametrize(
    ("screen", "exact", "same"),
    [
        ("A b c d (e) x y 1 2", "## A\n\n**b** `c` [d](e)\n\n|x|y|\n|---|--:|\n|1|2|", True),
        ("one\ntwo", "* one\n* two\n", True),
        ("```\nx = 1\n```", "```python\nx = 1\n```", True),
        ("snake_case and\n2 * 3", "snake_case and 2 * 3", True),
        ("Yes", "No", False),
        ("🎉", "🎊", False),
        ("Yes. And", "Yes. And more.", False),
        ("Say 1.", "Say 1!", False),
    ],
)
def test_what_drawing_changes_does_not_count(screen: str, exact: str, same: bool) -> None:
    """Markdown, tables and wrapping make no difference; words, digits and other signs do."""
    assert agrees(screen, exact) is same


@given(text=st.text("a*_`~#|[](){}-:\n <>", max_size=200), other=st.text())
def test_agreement_holds_for_any_text(text: str, other: str) -> None:
    """A text agrees with itself however it is wrapped by lines; no text raises."""
    assert agrees(text, text)
    agrees(text, other)


@pytest.mark.parametrize("sign", ["[", "[a](", "|-", "*", "`", "~~~", "](", "<u", "# "])
def test_agreement_takes_linear_time(sign: str) -> None:
    """Texts that make patterns go back and forth are compared at once: 60,000 signs."""
    assert agrees(sign * 60_000, sign * 60_000 + "\n")
    assert len(rendered(sign * 60_000)) <= 4 * 60_000
