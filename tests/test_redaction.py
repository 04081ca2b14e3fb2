"""Secrets are hidden wherever and however they stand; nothing else is."""

import json
import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable
from urllib.parse import quote, quote_plus

import pytest

from geminipty.asciicast import Event, Header
from geminipty.redaction import HIDDEN, Redactor, clean, known_values
from geminipty.redaction.kinds import KINDS, PRIVATE_KEY

from .redaction_layouts import STREAMS, Layout, wrapped, wrapped_in_a_box
from .secrets import COLUMNS, KEYS, LINES, SECRETS, cleaned_header, left, output, redacted

NAMES = sorted(SECRETS)


def redrawn_as_it_grows(text: str) -> Iterable[list[Event]]:
    """Each picture shows more of it, as the CLI streams an answer."""
    steps = range(1, len(text) + 1, 3)
    row = [f"\r\x1b[2K✦ see {text[:at]}" for at in (*steps, len(text))]
    yield output(*row, " here\r\n")


@pytest.mark.parametrize("layout", STREAMS, ids=lambda layout: layout.__name__)
@pytest.mark.parametrize("name", NAMES)
def test_nothing_of_a_secret_is_left(name: str, layout: Layout) -> None:
    """Neither the file nor any picture of it shows more than a few characters of any kind."""
    text, secret = SECRETS[name]
    for events in layout(text):
        assert left(events, secret), "the secret is not planted"

        out = redacted(events)

        assert left(out, secret) == []
        assert [event[:2] for event in out] == [event[:2] for event in events]
        assert [len(str(event.data)) for event in out if event.code in "oi"] == [
            len(str(event.data)) for event in events if event.code in "oi"
        ]


@pytest.mark.parametrize(
    "layout",
    # The others tear a number off the row that it stands before.
    [layout for layout in STREAMS if layout not in (wrapped, wrapped_in_a_box)],
    ids=lambda layout: layout.__name__,
)
@pytest.mark.parametrize("name", KEYS)
def test_nothing_of_a_private_key_is_left(name: str, layout: Layout) -> None:
    """However files, diffs and code have it: behind a name, a number, a quote or a sign."""
    text, secret = KEYS[name]
    for events in layout(text):
        assert left(redacted(events), secret) == []


@pytest.mark.parametrize("name", KEYS)
def test_nothing_of_a_private_key_is_left_in_a_box(name: str) -> None:
    """Its header may be wrapped, too."""
    text, secret = KEYS[name]
    whole, *_ = wrapped_in_a_box(text)

    assert left(clean(whole, Redactor(), COLUMNS, LINES).events, secret) == []


def test_prose_after_the_header_of_a_private_key_stays() -> None:
    """But for a word of the next row; two rows without a part of a key end it."""
    digest = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
    code = f'if "-----BEGIN PRIVATE KEY-----" in text:\n    return\nraise\n{digest}'
    prose = f"a -----BEGIN PRIVATE KEY-----\nis what\nbegins it\n{digest}"

    assert Redactor().text(code) == code
    assert Redactor().text(prose) == prose.replace("is what", f"{HIDDEN * 2} what")


# Before its end these look like anything else: a user's name, a host and a port.
@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("e-mail", "url-password")])
def test_a_secret_is_hidden_before_all_of_it_has_come(name: str) -> None:
    """Pictures that show the first part of a key show no more than a few characters."""
    text, secret = SECRETS[name]
    for events in redrawn_as_it_grows(text):
        assert left(redacted(events), secret) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_header_keeps_no_secret(name: str) -> None:
    """Command, title, environment, tags and unknown keys are cleaned."""
    text, secret = SECRETS[name]
    header = Header(
        columns=COLUMNS,
        lines=LINES,
        command=f"gemini -p {text}",
        title=text,
        term_type=text,
        env={"A": text, text: "b"},
        tags=("a", text),
        theme={"fg": text},
        extra={"x-geminipty": {text: [text]}},
        term_extra={"version": text},
    )

    cleaned = cleaned_header(header)

    assert left([], secret, header)
    assert left([], secret, cleaned) == []
    assert cleaned.columns == COLUMNS


def test_the_table_has_a_sample_of_every_kind() -> None:
    """Every row of the table is planted by these tests."""
    assert {kind.name for kind in KINDS} | {PRIVATE_KEY[0]} == set(SECRETS)


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("gho_R4k8Wm2Xq7Zt5Vb1Lc9Nf3Hd6Ps0Jy4Gk8Tw2X", "gho_R4k8Wm2Xq7Zt5Vb1"),
        ("ghs_R4k8Wm2Xq7Zt5Vb1Lc9Nf3Hd6Ps0Jy4Gk8Tw2X", "ghs_R4k8Wm2Xq7Zt5Vb1"),
        ("github_pat_11ABCDEFG0Vq7Xz4Rk2Wm8_Tb5Lc1Nf9Hd3Ps6Jy", "11ABCDEFG0Vq7Xz4Rk2Wm8_Tb5Lc1"),
        ("sk-Vq7Xz4Rk2Wm8Tb5Lc1Nf9Hd3Ps6Jy0GkVq7Xz4Rk2Wm8", "Vq7Xz4Rk2Wm8Tb5Lc1Nf9Hd3Ps6"),
        ("sk-proj-Vq7Xz4Rk2Wm8Tb5Lc1Nf9Hd3Ps6Jy0GkVq7Xz4", "Vq7Xz4Rk2Wm8Tb5Lc1Nf9Hd3Ps6"),
        ("ASIA4XQ7ZR2KWM5TB3LC", "ASIA4XQ7ZR2KWM5TB3LC"),
        ("xapp-1-A02KLMNOPQR-1234567890123-abcdef", "A02KLMNOPQR-1234567890123-abcdef"),
        ("rk_live_4Xq7Zt2Wb5Rc9Nf1Kd8Vm3Hs6Py0", "4Xq7Zt2Wb5Rc9Nf1Kd8Vm3Hs6Py0"),
        ("Authorization: Basic dXNlcjpwYXNzd29yZDEyMw==", "dXNlcjpwYXNzd29yZDEyMw=="),
        ("curl -H 'authorization: bearer abcdefghijklmnop'", "abcdefghijklmnop"),
        ("password=hunter2", "hunter2"),
        ("DB_PASSWORD='correct-horse-7'", "correct-horse-7"),
        ("MY_SECRET_TOKEN: k8Rv2mXwQz7Tb4Lc", "k8Rv2mXwQz7Tb4Lc"),
        ("deploy --api-key k8Rv2mXwQz7Tb4Lc", "k8Rv2mXwQz7Tb4Lc"),
        ('"client_secret" : "k8Rv2mXwQz7Tb4Lc"', "k8Rv2mXwQz7Tb4Lc"),
        ("https://oauth2:k8Rv2mXwQz7Tb4Lc@gitlab.example.org/a.git", "k8Rv2mXwQz7Tb4Lc"),
        ("-----BEGIN RSA PRIVATE KEY-----\\nMIIEvQIBADANBgkq\\n-----END", "MIIEvQIBADANBgkq"),
        ("DB_PASS=Zk8rQv2m", "Zk8rQv2m"),
        ("dbPass: 'opensesame'", "opensesame"),
        ("password=Pass12_word, user=bob", "Pass12_word"),
        ('token == "k8Rv2mXwQz7Tb4Lc"', "k8Rv2mXwQz7Tb4Lc"),
        ("ghs_1234_eyJhbGciOiJI.eyJpc3Mi.Vq7Xz4Rk2-Wm8_Tb5", "eyJpc3Mi.Vq7Xz4Rk2-Wm8_Tb5"),
        ("hvs.CAESIJVq7Xz4Rk2Wm8Tb5.Lc1Nf9", "CAESIJVq7Xz4Rk2Wm8Tb5.Lc1Nf9"),
        ("eyJhbGciOiJkaXIifQ..Vq7Xz4Rk2Wm8Tb5.Lc1Nf9Hd3", "Vq7Xz4Rk2Wm8Tb5.Lc1Nf9Hd3"),
        ("whsec_Vq7Xz4Rk2/Wm8+Tb5Lc1==", "Vq7Xz4Rk2/Wm8+Tb5Lc1=="),
        ("password: correcthorse", "correcthorse"),
        ("API_KEY=correcthorse", "correcthorse"),
        ("client_secret = 'opensesame'", "opensesame"),
        ("bearer: Vq7Xz4Rk2Wm8", "Vq7Xz4Rk2Wm8"),
        ("session_id=Vq7Xz4Rk2Wm8", "Vq7Xz4Rk2Wm8"),
        ("postgres://app:a/b:c@d#e1@db.lan/main", "a/b:c@d#e1"),
        ("redis://:Zk8rQv2m@cache:6379", "Zk8rQv2m"),
        ('"auths": {"x": {"auth": "YXBwOlprOHJRdjJt"}}', "YXBwOlprOHJRdjJt"),
        ("?sv=2024&sig=wJ4kQ%2F8Xm2%2BZt7Vb5Rc1&se=9", "wJ4kQ%2F8Xm2%2BZt7Vb5Rc1"),
        ("https://a.example/confirm/eyJhbGciOiJI.eyJpc3Mi.Vq7Xz4Rk2", "eyJhbGciOiJI.eyJpc3Mi"),
        ("https://a.example/1//0gK4mVq7XzR2bTCgYIARAAGBASNwF-L9IrZw5Yp8", "gK4mVq7XzR2bTCgYI"),
        ("https://a.example/4/0AVq7Xz4Rk2Wm8-Tb5Lc1Nf9Hd3_Ps6Jy0GkVq7Xz4", "Vq7Xz4Rk2Wm8-Tb5"),
        ("SAPISID=Vq7Xz4Rk2Wm8/Tb5Lc1", "Vq7Xz4Rk2Wm8/Tb5Lc1"),
        (
            "-----BEGIN OPENSSH PRIVATE KEY----- b3BlbnNzaC1rZXktdjEAAAAABG5vbmUA -----END",
            "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUA",
        ),
    ],
)
def test_the_relatives_of_each_kind_are_hidden(text: str, secret: str) -> None:
    """Other prefixes, schemes and spellings lose their secret part too."""
    cleaned = Redactor().text(f"see {text} here")

    assert len(cleaned) == len(f"see {text} here")
    assert secret not in cleaned
    assert HIDDEN * len(secret) in cleaned


@pytest.mark.parametrize(
    "text",
    [
        "the root cause is in sk-learn, not in the risk-2 task",
        "npm_config_cache and npm_lifecycle_event are set; see github_pat_ in the docs",
        "Password: required. token: string, api_key: str = None, tokens: 12345",
        "token = response.token; password = getpass(); secret=$SECRET; api_key=process.env.KEY2",
        "Basic authentication, bearer instruments, Authorization: none",
        "http://localhost:8080/a@b, git@github.com:a/b.git, pkg@1.2.3, @scope/name, user@host",
        "ASIAPACIFIC, eyJ, AIza, ghp_, 1//0, 10//03, hf_hub_download, shelf_life",
        "-----BEGIN CERTIFICATE-----\nMIIEvQIBADANBgkqhkiG9w0B\n-----END CERTIFICATE-----",
        "Type your message or @path/to/file",
        "\x1b[?62;22c\x1b[200~hello\x1b[201~\x1b]11;rgb:0000/0000/0000\x1b\\",
        "https://accounts.google.com/o/oauth2/v2/auth?redirect_uri=http://127.0.0.1:3000/cb",
        "--- PASS: TestSplit2 (0.01s), compass=north42, a monkey=banana42, auth: oauth2",
        "password: required. Enter your token: required! Session ID: 8a7b0c1d-4e5f",
        "self.password = password; password = getpass.getpass(); token = str(response.token)",
        "open(name, pwd=None, passwd=None, password=None, ssl=True), login(password=password)",
        "auth = base64.encodebytes(raw); auth = base64.b64encode(raw); cookie = interact_2965(c)",
        'if token == 0x00: or token == "lambda"; elif token == 0x08: return',
        '"pwd: expected bytes", First pass: determine maximum',
        "en_SG.ISO8859-1, zh_SG.GB2312; _SIGNATURE = 0x08074b50; X509_SIG = X509_sig_st",
        "f(password=getpass_bytearray), f(password=KEY_PASSWORD.encode()), key = m._authkey",
        "splitpasswd = urllib.parse._splitpasswd; authkey = manager._authkey",
        "chatted about pat-riots, the seed-3 bed, and machine learning with a login and a pw",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    """Words, code, versions, ports and the terminal's own sequences are left as they are."""
    assert Redactor().text(text) == text
    assert [event.data for event in redacted(output(text, " \r\n"))] == [text, " \r\n"]


def test_the_values_of_the_environment_are_hidden() -> None:
    """Secret variables, home, user and host are found wherever they stand, also within words."""
    environ = {
        "GEMINI_API_KEY": "quartz-lamp-orbit-77",
        "SMTP_PASSWORD": "Tr0ub4dor",
        "PATH": "/usr/bin:/bin",
        "DEBUG_TOKEN": "true",
        "SSH_AUTH_SOCK": "/run/agent.sock",
        "GOOGLE_CREDENTIALS": '{"type": "service_account", "private_key": "pk-0123456789abcdef"}',
    }

    values = known_values(environ, home="/home/marlene", user="marlene", host="otterbox.lan")
    redactor = Redactor(values)

    assert redactor.text("x=quartz-lamp-orbit-77;Tr0ub4dor!") == f"x={HIDDEN * 20};{HIDDEN * 9}!"
    assert redactor.text("marlene@otterbox:~$ ls") == f"{HIDDEN * 7}@{HIDDEN * 8}:~$ ls"
    assert redactor.text("/home/marlene/x") == f"{HIDDEN * 13}/x"
    assert redactor.text("pk-0123456789abcdef") == HIDDEN * 19
    for text in ("/usr/bin:/bin true", "service_account", "/run/agent.sock", "marlenes"):
        assert redactor.text(text) == text


def test_what_a_machine_drew_is_hidden_whatever_its_variable_is_called() -> None:
    """A value of random characters is secret, also within a URL; paths and versions are not."""
    drawn = ("aB3dE5fG7hI9jK1lM3nO", "0f1e2d3c4b5a69788796a5b4c3d2e1f0")
    environ = {
        "BUILD_HOOK": f"https://ci.example.org/hook/{drawn[0]}?quiet=1",
        "STAMP": drawn[1],
        "NIX": "/nix/store/q1w2e3r4t5y6u7i8o9p0-tool:/usr/bin",
        "HOST_TYPE": "x86_64-pc-linux-gnu-12.3.4",
    }

    assert known_values(environ, home=None, user=None, host=None) == drawn


def test_a_user_who_is_called_like_a_word_keeps_the_word() -> None:
    """`will` is hidden where it can only be the user: in a home, before a host."""
    redactor = Redactor(known_values({}, home="/home/will", user="will", host="otterbox"))

    assert redactor.text("it will do. Will it?") == "it will do. Will it?"
    assert redactor.text("will@otterbox:/home/will/x") == f"{HIDDEN * 13}:{HIDDEN * 10}/x"


def test_a_known_value_is_hidden_however_it_is_encoded() -> None:
    """In other case, and as URLs, JSON, base 64 and hexadecimal digits have it."""
    value = 'Kx8"jQ2m N7pL/0wZ4rT6yB1v'
    redactor = Redactor([value, "Tr0ub4dor"])
    encoded = [
        *(value.upper(), value.swapcase(), "TR0UB4DOR", quote(value), quote_plus(value)),
        *(json.dumps(value)[1:-1], value.encode().hex()),
    ]

    for text in encoded:
        assert redactor.text(f"<{text}>") == f"<{HIDDEN * len(text)}>"
    for before in ("", "a", "ab", "app:"):
        for encode in (b64encode, urlsafe_b64encode):
            for secret in (value, "Tr0ub4dor"):
                whole = encode(f"{before}{secret}".encode()).decode()
                assert re.fullmatch(r"[^█]{0,7}█{10,}[^█]{0,2}=*", redactor.text(whole))


@pytest.mark.parametrize(
    "name",
    [
        *("AUTHOR", "AUTHOR_URL", "KEYBOARD", "KEYWORDS", "KEYMAP", "PATTERN", "PATIENCE"),
        *("SESSIONS", "SEEDLING", "NIX_PATH_", "GITHUB_SHA", "CI_COMMIT_SHA", "PYTHON_SHA256"),
    ],
)
def test_a_name_that_only_begins_like_a_secret_one_is_none(name: str) -> None:
    """Its value stays, in JSON and in the environment."""
    value = "0f1e2d3c4b5a69788796a5b4c3d2e1f0" if "SHA" in name else "Jane Doe"

    assert Redactor().data({name: value}) == {name: value}
    assert known_values({name: value}, home=None, user=None, host=None) == ()


def test_a_common_name_identifies_nobody() -> None:
    """root, runner and localhost stay words; the home path is hidden where it stands as a path."""
    redactor = Redactor(known_values({}, home="/root", user="root", host="localhost"))

    assert redactor.text("the root cause on localhost") == "the root cause on localhost"
    assert redactor.text("cd /root/x, file:///root, a/root, /rootfs") == (
        f"cd {HIDDEN * 5}/x, file://{HIDDEN * 5}, a/root, /rootfs"
    )


def test_any_part_of_a_known_value_is_hidden() -> None:
    """In any layout, 11 characters of a long value are enough; JSON and URL forms count."""
    value = 'Kx8"jQ2m N7pL/0wZ4rT6yB1v'
    redactor = Redactor([value])
    cell = '│ Kx8"jQ2m N7 │ note │\r\n│ pL/0wZ4rT6y │ more │\r\n│ B1v │\r\n'

    cleaned = redactor.text(cell)

    assert cleaned == f"│ {HIDDEN * 11} │ note │\r\n│ {HIDDEN * 11} │ more │\r\n│ B1v │\r\n"
    assert "rT6yB1v" not in redactor.text(json.dumps({"v": value}))
    assert "rT6yB1v" not in redactor.text("?q=Kx8%22jQ2m%20N7pL%2F0wZ4rT6yB1v")


def test_what_was_found_by_its_form_is_known_from_then_on() -> None:
    """A later part of a key is hidden where no prefix tells what it is; an earlier one is not."""
    _, secret = SECRETS["github-token"]
    part = secret[12:30]

    out = redacted(output(f"{part} first\r\n", f"{secret} then\r\n", f"{part} last\r\n"))

    assert [str(event.data).split()[0] for event in out] == [part, HIDDEN * 42, HIDDEN * 18]


def test_a_secret_that_touches_another_is_found() -> None:
    """What stands right before a secret does not hide it from us once that is hidden too."""
    value, (_, secret) = "Kx8jQ2mN7pL0wZ4rT6yB1v", SECRETS["google-refresh-token"]

    cleaned = Redactor([value]).text(f"<{value}{secret}>")

    assert cleaned == f"<{HIDDEN * len(value + secret)}>"


def test_what_follows_a_whole_key_at_the_edge_stays() -> None:
    """A key that has all its characters is not wrapped, so the next row is something else."""
    _, key = SECRETS["google-api-key"]

    (out,) = redacted(output(f" {key[:-3]}\r\n {key[-3:]}{'':>33}\r\n {key}\r\nThen on\r\n"))

    assert str(out.data).endswith(f"\r\n {HIDDEN * 39}\r\nThen on\r\n")


def test_the_host_of_an_e_mail_address_stays() -> None:
    """An address is hidden, the same host elsewhere is not."""
    cleaned = Redactor().text("ask marlene@mail.example.org or see https://mail.example.org/help")

    assert cleaned == f"ask {HIDDEN * 24} or see https://mail.example.org/help"


def test_the_caller_can_say_what_to_hide() -> None:
    """The parts that the caller's function returns are hidden, blanks and all, split or not."""

    def names(text: str) -> list[str]:
        return [name for name in ("Ada Lovelace", "Ω") if name in text]

    out = redacted(output("by Ada", " Love", "lace, Ada and Ω\r\n"), redactor=Redactor(find=names))

    assert "".join(str(event.data) for event in out) == (f"by {HIDDEN * 12}, Ada and {HIDDEN}\r\n")


def test_a_phrase_of_the_callers_list_is_hidden() -> None:
    """A value with blanks is found over events and where a row was wrapped between its words."""
    redactor = Redactor(["blue otter", "the quick brown fox jumps"])
    row = f"{'and so they said: the quick brown':>{COLUMNS - 1}}\r\n  fox jumps over\r\n"

    out = redacted(output("a blue ", "otter\r\n", row), redactor=redactor)

    text = "".join(str(event.data) for event in out)
    assert "otter" not in text
    assert "quick brown" not in text


def test_a_key_of_an_object_says_that_its_value_is_secret() -> None:
    """In JSON a value without any form is hidden if its key names a secret."""
    cleaned = Redactor().data({"password": "correcthorse", "token_type": "bearer", "n": [1, None]})

    assert cleaned == {"password": HIDDEN * 12, "token_type": "bearer", "n": [1, None]}


def test_all_texts_under_a_secret_key_are_hidden() -> None:
    """However deep; counts of tokens are no secret."""
    cleaned = Redactor().data(
        {"credentials": {"a": ["one", {"b": "two", "n": 3}]}, "tokens": {"model": "pro", "in": 5}}
    )

    assert cleaned == {
        "credentials": {"a": [HIDDEN * 3, {"b": HIDDEN * 3, "n": 3}]},
        "tokens": {"model": "pro", "in": 5},
    }


def test_wide_characters_keep_their_columns() -> None:
    """A hidden character of two columns becomes two, and marks of none vanish."""
    assert Redactor(["密码密码ab"]).text("<密码密码ab>") == f"<{HIDDEN * 10}>"
    assert Redactor(["e\u0301clair9"]).text("e\u0301clair9") == HIDDEN * 7


@pytest.mark.parametrize(
    "mark",
    [
        *("\u0301", "\u034f", "\u061c", "\u180b", "\u2028", "\u202a", "\u2062", "\u2066"),
        *("\ufe0e", "\ufe0f", "\uffa0", "\ufff9", "\U000e0041", "\U000e0100", "\u200d"),
    ],
    ids=ascii,
)
def test_characters_of_no_width_hide_no_secret_from_us(mark: str) -> None:
    """Marks, selectors, tags and what directs text stand for nothing, and go with their letter."""
    value = "Tr0ub4dor&lantern"
    redactor = Redactor([value, f"Kestrel{mark}blue{mark}lantern"])
    for text, secret in (SECRETS["github-token"], KEYS["Firebase"], (value, value)):
        shown = redactor.text(mark.join(text) + " here")
        assert not left([Event(0, "o", shown.replace(mark, ""))], secret)
    assert not re.search("[a-z]", redactor.text(f"Kestrel{mark}blue{mark}lantern"))


def test_a_soft_hyphen_hides_no_secret_from_us() -> None:
    """It has a column, and stays."""
    _, secret = SECRETS["github-token"]

    assert Redactor().text("\xad".join(secret)) == "\xad".join(HIDDEN * len(secret))
