"""Whether a program is the user's, or one that a stranger could have put there or could change.

Rule: every folder and link on the way to it counts, from the root down, and so does what the links
lead to. Only the user and root may own them or write to them.
"""

import grp
import os
import pwd
import stat
import sys
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from geminipty.visible import line

#: As many links as the kernel follows on one way.
_LINKS: Final = 40
#: Groups whose members may do what root does: root's own, and the administrators of a Mac.
_ROOTS_GROUPS: Final = frozenset({0, 80} if sys.platform == "darwin" else {0})
_MODULES: Final = "node_modules"


@dataclass(frozen=True)
class Gate:
    """What may be run by somebody who works in a folder."""

    cwd: Path
    #: The folder and its parents are trusted with all that is in them.
    trust: bool = False
    user: int = field(default_factory=os.geteuid)

    def objection(self, program: Path) -> str | None:
        """Why a program is not to be run, or None."""
        if not self.trust:
            for path in (program, program.resolve()):
                if self._is_of_the_folder(path):
                    return (
                        f"{line(path)} belongs to the folder in which the CLI is to work, or to "
                        "a parent of it, and trust=True was not said"
                    )
            if _chooses_by_folder(program):
                return (
                    "it is a shim, which may run another program where a file in the folder says "
                    "so, and trust=True was not said"
                )
        return open_to_others(program, self.user)

    def _is_of_the_folder(self, path: Path) -> bool:
        own = (self.cwd, *self.cwd.parents)
        return any(one.name == _MODULES and one.parent in own for one in path.parents)


def _chooses_by_folder(program: Path) -> bool:
    """Volta runs a project's own program, asdf and mise what `path:` in .tool-versions names."""
    return program.parent.name == "shims" or program.resolve().name == "volta-shim"


def open_to_others(program: Path, user: int) -> str | None:
    """Who else owns or may write to a program or what leads to it, or None."""
    here, links = Path("/"), 0
    parts = deque(program.absolute().parts[1:])
    try:
        if why := _why_not(here, user):
            return why
        while parts:
            part = parts.popleft()
            if part == "..":
                here = here.parent
                continue
            there = here / part
            if why := _why_not(there, user):
                return why
            if there.is_symlink():
                links += 1
                if links > _LINKS:
                    return f"{line(there)} is a link that leads round and round"
                target = there.readlink()
                parts.extendleft(reversed([one for one in target.parts if one != "/"]))
                here = Path("/") if target.is_absolute() else here
            else:
                here = there
    except OSError as error:
        return f"it cannot be told whose it is: {line(error)}"
    return None


def _why_not(path: Path, user: int) -> str | None:
    status = path.lstat()
    if status.st_uid not in (user, 0):
        return f"{line(path)} belongs to {_user(status.st_uid)}"
    if stat.S_ISLNK(status.st_mode):
        return None  # its own mode means nothing
    if stat.S_ISDIR(status.st_mode) and status.st_mode & stat.S_ISVTX:
        # Nobody can replace another's entry here, but anybody can add one, and node looks for
        # modules in every folder above a program.
        modules = path / _MODULES
        if os.path.lexists(modules) and modules.lstat().st_uid not in (user, 0):
            return f"{line(modules)}, from which it takes modules, belongs to somebody else"
        return None
    mode = f"(mode {stat.S_IMODE(status.st_mode):04o})"
    if status.st_mode & stat.S_IWOTH:
        return f"anybody may write to {line(path)} {mode}"
    if status.st_mode & stat.S_IWGRP and is_shared(path, status.st_gid, user):
        return f"the group {_group(status.st_gid)} may write to {line(path)} {mode}"
    return None


def is_shared(path: Path, group: int, user: int) -> bool:
    """Whether a group that may write has members who are neither the user nor root.

    Many systems give each user a group of the same name, with no other member, and let it write.
    """
    if _has_list(path):
        return True
    if group in _ROOTS_GROUPS:
        return False
    try:
        found, own = grp.getgrgid(group), pwd.getpwuid(user).pw_name
    except KeyError:
        return True
    return found.gr_name != own or bool({*found.gr_mem} - {own, "root"})


def _has_list(path: Path) -> bool:
    """Whether an access list names more users: then the group's bits stand for all of them."""
    if sys.platform != "linux":
        return False
    return "system.posix_acl_access" in os.listxattr(path)


def _user(number: int) -> str:
    try:
        return f"{pwd.getpwuid(number).pw_name} (user {number})"
    except KeyError:
        return f"user {number}"


def _group(number: int) -> str:
    try:
        return f"{grp.getgrgid(number).gr_name} ({number})"
    except KeyError:
        return str(number)
