"""What of a user's surroundings must not be recorded: secret variables, home, user, machine.

Rule: a name that many have, such as root, identifies nobody and is left alone.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final

#: Names of variables and keys that say that the value is secret …
_SECRET: Final = re.compile(
    r"(?i)TOKEN|SECRET|PASSW|PASSPHRASE|PASSCODE|CREDENTIAL|COOKIE|API_?KEY|ACCESS_?KEY|BEARER"
    r"|PRIVATE_?KEY|MNEMONIC|WEBHOOK|ACCOUNT_?KEY|CONNECTION_?STRING"
    r"|(?:^|[_.-]|(?-i:(?<=[a-z])(?=[A-Z])))(?:PASS|PW|PWD|CREDS?|SEED|PAT|JWT|DSN|KEYS?|AUTH"
    r"|AUTHORIZATION|PRIVATE|SESSION)(?:$|[_.-]|(?-i:(?<=[a-z])(?=[A-Z])))"
)
#: … and those that say that it is only about one, or that there are many of the other kind.
_ABOUT: Final = re.compile(
    r"(?i)^(?:OLD)?PWD$|^SSH_AUTH_SOCK$|^XDG_SESSION|^DBUS_SESSION|^(?:DESKTOP_)?SESSION(?:NAME)?$"
    r"|^SESSION_MANAGER$|^(?:tool|input|output|total|max|prompt|cached|thoughts?)_?tokens?$|^tokens$"
    r"|tokens?_?(?:count|usage|details?)$|^session_?(?:id|uuid|summary|start)$"
    r"|(?:^|_)(?:PATH|FILE|DIR|HOME|SOCK|SOCKET|TYPE|TYPES|MODE|METHOD|NAME|PROVIDER|ALGORITHM"
    r"|LENGTH|LIMIT|TTL|EXPIRY|ENABLED|DISABLED|PARALLELISM|ENDPOINT|HOST|PORT|REGION)$"
)
#: Names of people that are words as well: hidden only where they can be nothing but a name.
_WORDS: Final = frozenset(
    "will mark grace hope may april june august bill bob pat rob sue art dean drew rich jack frank "
    "grant chase chip rose lily iris ivy dawn eve joy faith carol miles ray gene glen cliff clay "
    "dale heath holly hazel olive pearl ruby amber jade daisy violet ginger sandy sunny misty "
    "stormy autumn summer skip buck buddy rusty dusty sterling earnest ernest victor max king duke "
    "earl baron major judge bishop pope hunter fisher mason cooper carter taylor tyler parker "
    "walker baker miller smith porter page reader reed read brook brooks rivers lake forest wood "
    "woods stone rock peak hill field fields bush berry cherry apple angel star sky sage basil "
    "herb lance spike van nick nip josh jimmy harry tom dick john gay bob guy ken ward warden wade "
    "trip trace tracy trey troy ty tab tag tap ted ten the and for are but not you all any can her "
    "was one our out day get has him his how man new now old see two way who boy did its let put "
    "say she too use able back been best both call case chat code come core data desk does done "
    "each even file find fine free from full game give good hand have here high home host idea "
    "info into item just keep kind know last left life line link list live long look love made "
    "main make many mode more most move much must name need next none note only open over part "
    "plan play plus pure real rest room root safe same save self send ship show side site some "
    "soon sort such sure take talk task team tell term test text than that them then they this "
    "time tool true turn type used very view wait want well went were what when word work year "
    "your zero alpha beta delta gamma omega agent model claude first world hello house water light "
    "night point right small sound still study their there these thing think three under where "
    "which while would write pi mars venus earth sun moon box pc mini nas lab air pro book macbook "
    "studio tower cloud node core main office work garage kitchen "
    "alex chris sam ann theo api ben dan don jim joe lee max mia kim kit eva eli ian jan jon leo "
    "liz mel pam pip ron roy sid tim tina val wes adam alan amy anna".split()
)
#: What settings, forms and code say of a secret, and is none.
_TRIVIAL: Final = frozenset(
    "true false none null nil undefined default disabled enabled required optional changeme unset "
    "empty auto always never system keyring string password passwd secret secrets token tokens "
    "bearer basic digest hidden redacted prompt number boolean object integer bytes missing "
    "invalid incorrect expired unknown correct wrong protected username manager field input "
    "authentication authorization authenticated placeholder encrypted plaintext credentials "
    "example getpass please expected determine gnome plasma ubuntu wayland".split()
)
#: Names of what a machine drew, and everybody may know.
_PUBLIC: Final = re.compile(
    r"(?i)(?:^|[_.-])(?:SHA(?:1|256|384|512)?|COMMIT|REVISION|DIGEST|CHECKSUM)(?:$|[_.-])"
)
#: Parts of a value that are looked at one by one, as of a URL.
_PART: Final = re.compile(r"[\w+=.~-]{20,}", re.ASCII)
_TURN: Final = re.compile(r"(?<=[0-9])(?=[A-Za-z])|(?<=[A-Za-z])(?=[0-9])")
_CASE: Final = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[a-z])")
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


def is_said_of_secrets(value: str) -> bool:
    """Whether a value is no secret but what is said of one, such as `required`."""
    return value.rstrip(".:;!?").lower() in _TRIVIAL


def is_trivial(value: str) -> bool:
    """Whether a value is too short or too common to be a secret."""
    value = value.strip()
    return (
        len(value) < _SHORTEST
        or is_said_of_secrets(value)
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
    for name in (user or "", host or "", (host or "").partition(".")[0]):
        if len(name) >= _SHORTEST_NAME and name.lower() not in _COMMON and not name.isdigit():
            values += _as_name(name) if name.lower() in _WORDS else [name]
    return tuple(dict.fromkeys(values))


def is_random(text: str) -> bool:
    """Whether a text looks as if a machine had drawn it: no words, no version, no path."""
    if len(text) < 20 or len(set(text)) < 10 or "/" in text[:2] or not text.isascii():
        return False
    turns = len(_TURN.findall(text))
    return turns * 6 >= len(text) or (turns >= 2 and len(_CASE.findall(text)) * 4 >= len(text))


def _as_name(word: str) -> list[str]:
    """A word where it can be nothing but a name: of a home, before a host."""
    return [f"{word}@", f"~{word}", f"/home/{word}", f"/Users/{word}", f"Users\\{word}"]


def _values(name: str, value: str) -> Iterator[str]:
    """The secrets in a variable; of JSON, such as a service account's, those of its keys."""
    if not is_secret_name(name):
        if not _PUBLIC.search(name):
            yield from _random_parts(value)
        return
    if is_trivial(value):
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


def _random_parts(value: str) -> Iterator[str]:
    """What a machine drew in a value of any name; paths and lists of them hold none."""
    if value.startswith(("/", "~", ".")) or ":/" in value.replace("://", ""):
        return
    if re.fullmatch(r"[\w+/=.~-]{20,}", value, re.ASCII) and is_random(value):
        yield value
        return
    yield from filter(is_random, _PART.findall(value))
