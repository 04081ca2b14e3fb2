"""Secrets that are known by their form: one table.

Rule: a kind is found by how it begins, because a screen shows the first part of a key before the
rest has come. Every pattern is linear: it starts with fixed characters, and what may repeat before
a failure is bounded.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

#: What stands beside text without belonging to it: blanks, boxes, bars.
PADDING: Final = "".join(
    chr(code)
    for code in (
        *map(ord, " |\xa0\u1680\u2028\u2029\u202f\u205f\u3000"),
        *range(0x2000, 0x200B),
        *range(0x2500, 0x2588),  # not what hides: that stands for text
        *range(0x2589, 0x25A0),
    )
)

PAD: Final = r"[ |\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\u2500-\u2587\u2589-\u259f]"
_GAP: Final = rf"(?: {{0,2}}|{PAD}{{0,999}}\n{PAD}{{0,999}})"  # some blanks, or a new line
_ALONE: Final = r"(?<![A-Za-z0-9])"
_VARIED: Final = r"(?=[a-z_]{0,99}[A-Z0-9])"  # no word: npm_config_cache is none
_VALUE: Final = r"[!#-%*+\-./0-:=?-Z\\^_a-z~]"  # no quotes, brackets, commas
_CODE: Final = r"(?![$%*.?]|process\.|os\.|env\.|self\.)"  # an expression is not a value
_PASSWORD: Final = r"passw(?:or)?d|passphrase|passcode|pwd"
_SECRET: Final = (
    rf"(?:{_PASSWORD}|secret|token|credentials?"
    r"|(?:api|access|private|secret|auth|encryption|signing)[_-]?key)"
)


class Kind(NamedTuple):
    """One form of secret."""

    name: str
    why: str
    #: Group 1, where there is one, is the part to hide.
    pattern: re.Pattern[str]
    #: One of these is in every text, in lower case, that holds a match. Each begins with fixed
    #: characters, so that looking for it is cheap.
    hints: tuple[re.Pattern[str], ...]
    #: The characters of a whole one, where they are always as many.
    length: int | None = None
    #: Whether its text is a secret wherever else it stands.
    learn: bool = True


def _kind(
    name: str,
    why: str,
    pattern: str,
    hints: str,
    length: int | None = None,
    *,
    learn: bool = True,
) -> Kind:
    return Kind(
        name,
        why,
        re.compile(pattern, re.ASCII),
        tuple(re.compile(hint, re.ASCII) for hint in hints.split()),
        length,
        learn,
    )


KINDS: Final = (
    _kind(
        "google-api-key",
        "Google Cloud and AI Studio: AIza and 35 more",
        r"AIza[\w-]{3,}",
        r"aiza",
        39,
    ),
    _kind(
        "google-access-token",
        "Google OAuth access token: ya29 and a dot",
        r"ya29\.(?:[\w-]|[./](?=[\w-])){3,}",
        r"ya29\.",
    ),
    _kind(
        "google-refresh-token",
        "Google OAuth refresh token: 1//0 and more",
        r"(?<![\w/.:])1//0[\w-]{4,}",
        r"1//0",
    ),
    _kind(
        "google-client-secret",
        "Google OAuth client: GOCSPX- and 28 more",
        r"GOCSPX-[\w-]{3,}",
        r"gocspx-",
        35,
    ),
    _kind(
        "github-token",
        "GitHub: ghp_, gho_, ghu_, ghs_, ghr_ and 36 or more, github_pat_ and 82",
        rf"{_ALONE}(?:gh[pousr]_[A-Za-z0-9]{{3,}}|github_pat_{_VARIED}\w{{3,}})",
        r"gh[pousr]_ github_pat_",
    ),
    _kind(
        "gitlab-token",
        "GitLab: glpat- and the like, then 20 or more",
        rf"{_ALONE}gl(?:pat|dt|rt|cbt|ptt|ft|soat)-[\w.-]{{4,}}",
        r"gl[a-z]{2,4}-",
    ),
    _kind(
        "model-api-key",
        "Anthropic (sk-ant-), OpenAI (sk-proj-, sk-svcacct-, sk-), and who copied them",
        rf"{_ALONE}sk-(?:(?:ant|proj|svcacct|admin|or)-[\w-]{{3,}}|(?=[A-Za-z_-]{{0,20}}[0-9])[\w-]{{8,}})",
        r"sk-",
    ),
    _kind(
        "aws-access-key-id",
        "AWS: AKIA (lasting) or ASIA (temporary) and 16 of base 32",
        r"(?<![A-Za-z0-9])(?:AKIA[A-Z0-9]{3,}|ASIA(?=[A-Z]{0,12}[2-7])[A-Z0-9]{4,})",
        r"akia asia",
        20,
    ),
    _kind(
        "aws-secret-key",
        "AWS credentials file and environment: aws_secret_access_key = 40 of base 64",
        rf"(?i:aws_?secret_?access_?key)[\"']?[ ]{{0,2}}[=:]{_GAP}[\"']?([A-Za-z0-9/+=]{{4,}})",
        r"access_?key",
    ),
    _kind(
        "slack-token",
        "Slack: xoxb-, xoxp- and the like, xapp-",
        rf"{_ALONE}(?:xox[a-z](?:\.xox[a-z])?-[\w.-]{{3,}}|xapp-[0-9][\w-]{{3,}})",
        r"xox[a-z] xapp-",
    ),
    _kind(
        "npm-token",
        "npm: npm_ and 36 letters and digits",
        rf"{_ALONE}npm_(?=[a-z]{{0,40}}[A-Z0-9])[A-Za-z0-9]{{4,}}",
        r"npm_",
        40,
    ),
    _kind(
        "pypi-token",
        "PyPI: a macaroon, which begins AgE in base 64",
        r"pypi-AgE[\w-]*",
        r"pypi-age",
    ),
    _kind(
        "hugging-face-token",
        "Hugging Face: hf_ and 34 letters",
        rf"{_ALONE}hf_(?=[a-z]{{0,40}}[A-Z0-9])[A-Za-z0-9]{{4,}}",
        r"hf_",
        37,
    ),
    _kind(
        "stripe-key",
        "Stripe: sk_live_, rk_live_, their test twins, whsec_",
        rf"{_ALONE}(?:[sr]k_(?:live|test)_|whsec_)[A-Za-z0-9]+",
        r"k_live_ k_test_ whsec_",
    ),
    _kind(
        "json-web-token",
        'RFC 7519: eyJ is {" in base 64; three parts with dots between',
        r"(?<![A-Za-z0-9+/_-])eyJ[\w-]{5,}(?:\.[\w-]+)*\.?",
        r"eyj",
    ),
    _kind(
        "authorization",
        "RFC 9110: the Authorization header; bare only for a Bearer with digits",
        rf"(?i:authorization[\"']?[ ]{{0,2}}[:=]{_GAP}[\"']?(?:bearer|basic|token|digest){_GAP})"
        r"([\w.~+/=-]{4,})"
        rf"|(?i:bearer){_GAP}(?=[A-Za-z.~+/=_-]{{0,40}}[0-9])([\w.~+/=-]{{12,}})",
        r"authorization bearer",
    ),
    _kind(
        "url-password",
        "RFC 3986: scheme://user:password@host",
        r"(?<=[A-Za-z0-9])://[^\s\x1c/:@]{0,128}:([^\s\x1c/@]{1,256})@",
        r"://[^\s/@]{0,384}@",
    ),
    _kind(
        "assignment",
        "settings, code and JSON: a name that says secret, then = or : and a value",
        rf"(?i:{_SECRET})[\"']?[ ]{{0,2}}(?:=>|[:=]{{1,2}}){_GAP}[\"'`]?{_CODE}"
        rf"(?=(?:{_VALUE}){{0,200}}[0-9])(?=(?:{_VALUE}){{0,200}}[A-Za-z])((?:{_VALUE}){{5,}})"
        rf"|(?i:{_PASSWORD})=[\"'`]?{_CODE}((?:{_VALUE}){{4,}})"
        rf"|--(?i:{_SECRET})[ ]{_CODE}(?!-)(?=(?:{_VALUE}){{0,200}}[0-9])((?:{_VALUE}){{5,}})",
        " ".join(
            rf"{word}[\"']?(?:\s{{0,2}}[:=]|\s)"
            for word in (
                *("password", "passwd", "passphrase", "passcode", "pwd"),
                *("secret", "token", "credentials?", "key"),
            )
        ),
    ),
    _kind(
        "e-mail",
        "RFC 5322, as people write it and as a prompt is typed; git@host names nobody",
        r"(?<![\w.%+-])(?!git@)[A-Za-z0-9][\w.%+-]{0,63}\\{0,2}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}",
        r"@(?<=[\w%+\\-]@)[A-Za-z0-9]",
        learn=False,  # its host is no secret
    ),
)
#: The block is followed row by row (see `blocks.py`), so it has no pattern here.
PRIVATE_KEY: Final = (
    "private-key",
    "RFC 7468 and OpenPGP: the rows after BEGIN … PRIVATE KEY",
)

#: Text that ends in a key shorter than its kind.
UNFINISHED: Final = re.compile(
    r"(?:AIza[\w-]{3,34}|GOCSPX-[\w-]{3,27}|A[KS]IA[A-Z0-9]{3,15}"
    r"|npm_[A-Za-z0-9]{4,35}|hf_[A-Za-z0-9]{4,33})\Z",
    re.ASCII,
)
#: Text that ends in what announces a secret in the next word.
CONTEXT: Final = re.compile(
    rf"(?:(?i:{_SECRET})[\"']?[ ]{{0,2}}(?:=>|[:=]{{1,2}})?[ ]{{0,2}}[\"'`]?"
    r"|(?i:authorization)[\"']?[ ]{0,2}[:=]?[ ]{0,2}[\"']?|(?i:bearer|basic|token|digest)"
    rf"|-----BEGIN(?:(?:{PAD}|\n){{1,999}}[A-Z0-9]{{1,9}}){{0,4}})\Z",
    re.ASCII,
)


def hinted(text: str) -> Iterator[Kind]:
    """The kinds that can be in a text; cheap."""
    # One search for each hint is faster than one for all: each begins with its own characters.
    lower = text.lower()
    for kind in KINDS:
        for hint in kind.hints:
            if hint.search(lower):
                yield kind
                break


def may_hold(text: str) -> bool:
    """Whether any kind, or a private key, can be in a text."""
    return "PRIVATE" in text or next(hinted(text), None) is not None
