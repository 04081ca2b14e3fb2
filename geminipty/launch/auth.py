"""Tells how the CLI is to sign in, because without a choice in its settings it opens a dialog.

Rule: what the user has chosen stays as long as it can work; a key is never read, only its name.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

KEY: Final = "gemini-api-key"
VERTEX: Final = "vertex-ai"
GOOGLE: Final = "oauth-personal"
COMPUTE: Final = "compute-default-credentials"

#: Files of `.gemini` that show that somebody has signed in with Google.
_SIGNED_IN: Final = ("oauth_creds.json", "gemini-credentials.json")


def auth_type(
    settings: Mapping[str, Any], env: Mapping[str, str], chosen: Mapping[str, str], gemini: Path
) -> str | None:
    """The kind of sign-in for the settings, or None if there is nothing to go by.

    `env` is the whole environment, `chosen` the part that the caller named for this session: a
    key there wins over what the user once chose.
    """
    if explicit := _told_by(chosen):
        return explicit
    variables = {**_dotenv(gemini.parent / ".env"), **_dotenv(gemini / ".env"), **env}
    told = _told_by(variables)
    kept = selected(settings)
    if kept is None or (told is not None and not _can_work(kept, variables, gemini)):
        return told or kept
    return kept


def selected(settings: Mapping[str, Any]) -> str | None:
    """What the user has chosen, in settings of any release."""
    old = settings.get("selectedAuthType")
    value: Any = settings
    for step in ("security", "auth", "selectedType"):
        value = value.get(step) if isinstance(value, Mapping) else None
    found = value if value is not None else old
    return found if isinstance(found, str) else None


def _told_by(env: Mapping[str, str]) -> str | None:
    """What the variables say, in the order in which the CLI asks them."""
    if env.get("GOOGLE_GENAI_USE_GCA") == "true":
        return GOOGLE
    if env.get("GOOGLE_GENAI_USE_VERTEXAI", "").lower() in ("true", "1"):
        return VERTEX
    if env.get("GEMINI_API_KEY"):
        return KEY
    if env.get("CLOUD_SHELL") == "true" or env.get("GEMINI_CLI_USE_COMPUTE_ADC") == "true":
        return COMPUTE
    return None


def _can_work(kind: str, env: Mapping[str, str], gemini: Path) -> bool:
    """Whether there is what a kind of sign-in needs; True for kinds that cannot be judged."""
    if kind == GOOGLE:
        return any((gemini / name).exists() for name in _SIGNED_IN)
    if kind == KEY:
        return bool(env.get("GEMINI_API_KEY"))
    if kind == VERTEX:
        return bool(env.get("GOOGLE_API_KEY") or env.get("GOOGLE_CLOUD_PROJECT"))
    return True


def _dotenv(path: Path) -> dict[str, str]:
    """The variables of a file that the CLI reads at its start; only whether they are set counts."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}
    found = re.findall(r"^\s*(?:export\s+)?(\w+)\s*=[ \t]*[\"']?([^\"'\n#]*)", text, re.MULTILINE)
    return {name: value.strip() for name, value in found}
