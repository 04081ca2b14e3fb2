"""What a run leaves on the disk, and how it is removed.

Rule: nothing is opened or removed behind a link. The supervisor, which is a program of its own,
imports this file too: it imports nothing of ours.
"""

import fcntl
import os
import stat

#: The prefix of the folders that may be swept; what follows is named after this boot.
PREFIX = "geminipty-"

_PROC = "/proc"
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def remove(path: str) -> None:
    """Remove a file, a link or a folder of ours and all in it; never raises, follows no link."""
    for _ in range(5):  # whoever dies may still write, or remove
        try:
            found = os.lstat(path)
        except OSError:
            return
        try:
            if not stat.S_ISDIR(found.st_mode):
                os.unlink(path)
            elif found.st_uid == os.geteuid():
                _remove_folder(path)
        except OSError:
            continue


def _remove_folder(path: str) -> None:
    """Remove a folder, however deep it is: what lies in the folders in it is brought up first."""
    folder = _enter(path)
    try:
        names = os.listdir(folder)
        while names:
            try:
                names += _clear(names.pop(), folder)
            except FileNotFoundError:
                continue  # somebody else removes it too; the next time finds what is left
    finally:
        os.close(folder)
    os.rmdir(path)


def _clear(name: str, top: int) -> list[str]:
    """Remove an entry of a folder; return the names under which folders in it came up."""
    if not _is_folder(name, top):
        os.unlink(name, dir_fd=top)
        return []
    risen = []
    folder = _enter(name, top)
    try:
        for entry in os.listdir(folder):
            if _is_folder(entry, folder):
                os.close(_enter(entry, folder))  # without rights to it, it cannot be moved
                risen.append(os.urandom(8).hex())
                os.rename(entry, risen[-1], src_dir_fd=folder, dst_dir_fd=top)
            else:
                os.unlink(entry, dir_fd=folder)
    finally:
        os.close(folder)
    os.rmdir(name, dir_fd=top)
    return risen


def _is_folder(name: str, parent: int) -> bool:
    return stat.S_ISDIR(os.lstat(name, dir_fd=parent).st_mode)


def _enter(name: str, parent: int | None = None) -> int:
    """Open a folder, and take back our rights to it where a tool took them."""
    try:
        folder = os.open(name, _FOLDER, dir_fd=parent)
    except PermissionError:
        _let_in(name, parent)
        folder = os.open(name, _FOLDER, dir_fd=parent)
    try:
        os.fchmod(folder, 0o700)
    except OSError:
        os.close(folder)
        raise
    return folder


def _let_in(name: str, parent: int | None) -> None:
    """Take back our rights to a folder, and to no other that a link in its place leads to."""
    if not hasattr(os, "O_PATH"):
        os.chmod(name, 0o700, dir_fd=parent, follow_symlinks=False)
        return
    place = os.open(name, _FOLDER | os.O_PATH, dir_fd=parent)
    try:
        os.chmod(f"{_PROC}/self/fd/{place}", 0o700)
    finally:
        os.close(place)


def boot() -> str:
    """A name for this run of this machine; folders of others are nobody's to sweep."""
    try:
        with open(f"{_PROC}/sys/kernel/random/boot_id", encoding="ascii") as file:
            return file.read().replace("-", "").strip()[:12]
    except OSError:
        return "".join(letter for letter in os.uname().nodename if letter.isalnum())[:12] or "x"


def sweep(parent: str) -> None:
    """Remove the folders of runs that are dead; a living one holds a lock on its folder.

    A folder has its name only when it is locked, so one that is just being made is not seen.
    """
    try:
        names = os.listdir(parent)
    except OSError:
        return
    ours = f"{PREFIX}{boot()}-"
    for name in names:
        if not name.startswith(ours):
            continue
        path = os.path.join(parent, name)
        try:
            if os.lstat(path).st_uid != os.geteuid():
                continue
            folder = os.open(path, _FOLDER)
        except OSError:
            continue  # gone meanwhile, or a link
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            remove(path)
        except OSError:
            continue  # its run is alive
        finally:
            os.close(folder)
