"""What of a user's surroundings must not be recorded: secret variables, home, user, machine.

Rule: a name that many have, such as root, identifies nobody and is left alone.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final

#: Names of variables and keys that say that the value is secret …
_SECRET: Final = re.compile(
    r"(?i)TOKEN|SECRET|PASSW|PASSPHRASE|PASSCODE|CREDENTIAL|COOKIE|API_?KEY|ACCESS_?KEY"
    r"|PRIVATE_?KEY|(?:^|[_.-])(?:KEYS?|AUTH|AUTHORIZATION|PRIVATE|DSN|PWD|PAT|JWT|CREDS)(?:$|[_.-])"
)
#: … and those that say that it is only about one.
_ABOUT: Final = re.compile(
    r"(?i)^(?:OLD)?PWD$|^SSH_AUTH_SOCK$"
    r"|(?:^|_)(?:PATH|FILE|DIR|HOME|SOCK|SOCKET|TYPE|TYPES|MODE|METHOD|NAME|PROVIDER|ALGORITHM"
    r"|LENGTH|LIMIT|TTL|EXPIRY|ENABLED|DISABLED|PARALLELISM|ENDPOINT|HOST|PORT|REGION)$"
)
_TRIVIAL: Final = frozenset(
    "true false none null undefined default disabled enabled required optional changeme "
    "unset empty auto always never system keyring string password secret token".split()
)
_COMMON: Final = frozenset(
    "root user users admin administrator guest nobody runner runneradmin ubuntu debian fedora "
    "centos alpine ec2-user vagrant docker node app dev developer build builder jenkins gitlab "
    "codespace vscode home test tester localhost localdomain local host server machine desktop "
    "laptop computer workstation container default none unknown gemini google python linux "
    "ip6-localhost ip6-loopback localhost.localdomain".split()
)
_SHORTEST: Final = 6
_SHORTEST_NAME: Final = 3


def is_secret_name(name: str) -> bool:
    """Whether a variable or key of this name holds a secret."""
    return bool(_SECRET.search(name)) and not _ABOUT.search(name)


def is_trivial(value: str) -> bool:
    """Whether a value is too short or too common to be a secret."""
    value = value.strip()
    return (
        len(value) < _SHORTEST
        or value.lower() in _TRIVIAL
        or (value.isdigit() and len(value) < 10)
        or bool(
            re.fullmatch(r"(?:~|\.{1,2})?/[A-Za-z._-]+(?:/[\w.@+ -]+)*/?(?::/[\w.@+/ :-]*)?", value)
        )
    )


def known_values(
    environ: Mapping[str, str], *, home: str | None, user: str | None, host: str | None
) -> tuple[str, ...]:
    """The values that a `Redactor` should know: secret variables, home, user and host names."""
    values = [value for name, value in environ.items() for value in _values(name, value)]
    if home and home.rstrip("/"):
        values.append(home.rstrip("/"))
    names = [user or "", host or "", (host or "").partition(".")[0]]
    values += [
        name
        for name in names
        if len(name) >= _SHORTEST_NAME and name.lower() not in _COMMON and not name.isdigit()
    ]
    return tuple(dict.fromkeys(values))


def _values(name: str, value: str) -> Iterator[str]:
    """The secrets in a variable; of JSON, such as a service account's, those of its keys."""
    if not is_secret_name(name) or is_trivial(value):
        return
    if value.lstrip().startswith("{"):
        try:
            fields = json.loads(value)
        except (ValueError, RecursionError):
            pass
        else:
            for key, inner in fields.items():
                if isinstance(inner, str):
                    yield from _values(key, inner)
            return
    yield value.strip()
