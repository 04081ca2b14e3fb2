"""What the tests of launching share: homes and programs that are made of real files."""

import hashlib
import json
from pathlib import Path

from geminipty.launch import Launch, prepare
from geminipty.options import Options


def program(path: Path, text: str = "#!/bin/sh\nexit 0\n") -> Path:
    """Write a program."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def package(prefix: Path, version: str) -> Path:
    """Install a CLI of a version as npm does: a package, and a link to it in bin."""
    folder = prefix / "lib" / "node_modules" / "@google" / "gemini-cli"
    script = program(folder / "bundle" / "gemini.js", "#!/usr/bin/env node\n")
    (folder / "package.json").write_text(
        json.dumps({"name": "@google/gemini-cli", "version": version})
    )
    link = prefix / "bin" / "gemini"
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(script)
    program(prefix / "bin" / "node")
    return link


class World:
    """A user with a home, a project, a folder for temporary files and an environment."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "user"
        self.gemini = self.home / ".gemini"
        self.project = folder / "project"
        self.temporary = folder / "temporary"
        for one in (self.gemini, self.project, self.temporary):
            one.mkdir(parents=True)
        self.prefix = folder / "prefix"
        self.env = {
            "HOME": str(self.home),
            "TMPDIR": str(self.temporary),
            "PATH": f"{self.prefix / 'bin'}:/usr/bin:/bin",
        }

    def install(self, version: str) -> Path:
        """Put a CLI of a version on PATH, in place of any other."""
        (self.prefix / "bin" / "gemini").unlink(missing_ok=True)
        return package(self.prefix, version)

    def launch(self, version: str | None = None, /, **chosen: object) -> Launch:
        """Prepare a run, with a CLI of a version where one is named."""
        if version is not None:
            self.install(version)
        return prepare(Options.of(**{"cwd": self.project, **chosen}), self.env)

    def left_behind(self) -> list[str]:
        """What stands in the folder for temporary files."""
        return [path.name for path in self.temporary.iterdir()]

    def fingerprint(self) -> dict[str, str]:
        """Every entry of the user's home, with its content."""
        return {
            str(path): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "-"
            for path in sorted(self.home.rglob("*"))
        }
