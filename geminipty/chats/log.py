"""Finds what the CLI's chat files say of the turn that was begun last.

Rule: only what was written since the mark counts, and only in a file that is surely of this run:
new or grown since the log was made, of this folder and session where they are known, and with
this prompt in it. If two files fit, neither is taken.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from .files import ChatFile, chat_files, stamp_of
from .records import Message, Role
from .replies import ExactReply, exact_reply

#: The part of a session's id that stands in the name of its file.
_SHORT: Final = 8


class ChatLog:
    """The chat files of one run of the CLI.

    Make it before the CLI starts: what is in the folder then belongs to others. `folder` is the
    run's `.gemini` folder, `cwd` the folder that the CLI works in, `session_id` what it was
    started with (`--session-id`). Nothing raises, whatever the files hold.
    """

    def __init__(
        self, folder: Path, *, cwd: Path | None = None, session_id: str | None = None
    ) -> None:
        self._folder = folder
        self._session = session_id
        self._projects = _hashes(cwd) if cwd else frozenset()
        self._before = {path: stamp_of(path) for path in chat_files(folder)}
        self._files: dict[Path, ChatFile] = {}
        #: The file that had the last turn.
        self._own: ChatFile | None = None

    def mark(self) -> None:
        """A prompt is about to be sent: what the files hold now belongs to earlier turns.

        For a prompt that is queued behind a running turn do not mark: that turn would be forgotten,
        and `reply` tells the two apart by their prompts.
        """
        self._refresh()
        for file in self._files.values():
            file.mark()

    @property
    def exists(self) -> bool:
        """Whether there is a file of this run; releases before 0.4 write none."""
        self._refresh()
        return any(self._may_be_ours(file) for file in self._files.values())

    def reply(self, prompt: str, *, whole: bool = True) -> ExactReply | None:
        """What the files say of the turn begun with this prompt since the last mark.

        None if they do not have the turn, or not `whole`. They cannot tell a reply whose tools
        are still to come from a whole one: ask when the CLI is ready, and see `fits`.
        """
        messages = self.turn(prompt)
        exact = None if messages is None else exact_reply(messages)
        return exact if exact is not None and (exact.complete or not whole) else None

    def turn(self, prompt: str) -> Sequence[Message] | None:
        """The messages behind this prompt, up to the next one; None if they are not known."""
        self._refresh()
        for group in self._groups():
            found = [(file, at) for file in group if (at := _find(file.messages, prompt))]
            if found:
                break
        else:
            return None
        if len(found) > 1:
            return None
        ((self._own, start),) = found
        return _turn(self._own.messages, start)

    def _groups(self) -> Iterator[Sequence[ChatFile]]:
        """The files that may hold the turn, the surest first."""
        files = [file for file in self._files.values() if self._may_be_ours(file)]
        if self._session:
            yield [file for file in files if file.session == self._session]
        if self._own in files:
            yield [self._own]
        # After /clear the CLI goes on in a file with another id.
        yield [file for file in files if not (self._session and file.before)]

    def _may_be_ours(self, file: ChatFile) -> bool:
        if file.subagent or not file.messages:
            return False
        return not self._projects or file.project is None or file.project in self._projects

    def _refresh(self) -> None:
        paths = set()
        for path in chat_files(self._folder):
            stamp = stamp_of(path)
            if stamp is None:
                continue
            paths.add(path)
            if path in self._files:
                self._files[path].update(stamp)
            elif stamp != (before := self._before.get(path)):
                self._files[path] = ChatFile(path, before)
                self._files[path].update(stamp)
        for gone in self._files.keys() - paths:
            del self._files[gone]


def _hashes(cwd: Path) -> frozenset[str]:
    """How the CLI names a folder in its files: by the hash of its path."""
    spellings = {str(cwd), str(cwd.absolute())}
    with suppress(OSError, RuntimeError):
        spellings.add(str(cwd.resolve()))
    return frozenset(sha256(name.encode("utf-8", "replace")).hexdigest() for name in spellings)


def _find(messages: Sequence[Message], prompt: str) -> int | None:
    """Where the turn of the prompt begins, behind it: never 0. The newest such turn counts."""
    for at in range(len(messages), 0, -1):
        if messages[at - 1].asks(prompt):
            return at
    return None


def _turn(messages: Sequence[Message], start: int) -> Sequence[Message]:
    """The messages from `start` to the next prompt."""
    end = start
    while end < len(messages) and messages[end].role is not Role.PROMPT:
        end += 1
    return messages[start:end]
