"""One made-up secret of every kind, and a judge from outside: what a recording still shows."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import quote, quote_plus

from geminipty.asciicast import Event, Header, write
from geminipty.redaction import Redactor, Stream, redact_header
from geminipty.terminal import Terminal

COLUMNS, LINES = 40, 60
#: The leading characters of a secret that may show: the prefix that tells its kind.
SHOWN = 8


class Secret(NamedTuple):
    """A text to plant, and the part of it that must not be found again."""

    text: str
    secret: str


def _whole(secret: str) -> Secret:
    return Secret(secret, secret)


_KEY_ROWS = (
    "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj",
    "MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu",
    "NMoSfm76oqFvAp8Gy0iz5sxjZmSnXyCdPEovGhLa0VzMaQ8s+CLOyS56YyCFGeJZ",
)

SECRETS = {
    "google-api-key": _whole("AIzaSyD4x9Qm7Zk2Rw8Tn5Vb1Lc6Jf3Hg0Ps_Ye"),
    "google-access-token": _whole("ya29.a0AfB_byC3kQ9xLm2Vt7Rw5Zp8Nd1Jh4Gs6Kf0Tc-Xe3"),
    "google-refresh-token": _whole("1//0gK4mVq7XzR2bTCgYIARAAGBASNwF-L9IrZw5Yp8Nd1Jh"),
    "google-client-secret": _whole("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"),
    "github-token": _whole("ghp_R4k8Wm2Xq7Zt5Vb1Lc9Nf3Hd6Ps0Jy4Gk8Tw2X"),
    "gitlab-token": _whole("glpat-x8Kq3Vm7Zt2Wb5Rc9Nf1"),
    "model-api-key": _whole("sk-ant-api03-Vq7Xz4Rk2Wm8Tb5Lc1Nf9Hd3Ps6Jy0Gk"),
    "aws-access-key-id": _whole("AKIA4XQ7ZR2KWM5TB3LC"),
    "aws-secret-key": Secret(
        "aws_secret_access_key=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",
        "wJ4kQ/8Xm2+Zt7Vb5Rc1Lf9Nd3Hs6Py0Gk8Tw2Xq",
    ),
    "slack-token": _whole("xoxb-274819360518-381927465012-Vq7Xz4Rk2Wm8Tb5Lc1Nf9Hd3"),
    "npm-token": _whole("npm_R4k8Wm2Xq7Zt5Vb1Lc9Nf3Hd6Ps0Jy4Gk8Tw"),
    "pypi-token": _whole("pypi-AgEIcHlwaS5vcmcCJDk4Vq7Xz4Rk2Wm8Tb5Lc1Nf9Hd3Ps6Jy0Gk"),
    "hugging-face-token": _whole("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"),
    "stripe-key": _whole("sk_live_4Xq7Zt2Wb5Rc9Nf1Kd8Vm3Hs6Py0"),
    "json-web-token": _whole(
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3MzE5NDYyMDUifQ.Vq7Xz4Rk2Wm8Tb5Lc1Nf9Hd3Ps6Jy0Gk"
    ),
    "authorization": Secret(
        "Authorization: Bearer Vq7Xz4Rk2Wm8Tb5Lc1Nf9Hd3", "Vq7Xz4Rk2Wm8Tb5Lc1Nf9Hd3"
    ),
    "url-password": Secret("postgres://app:Zk8rQv2mXw@db.internal/main", "Zk8rQv2mXw"),
    "webhook-url": Secret(
        "https://hooks.slack.com/" + "services/T4Q7ZR2KW/B5TB3LC9N/Vq7Xz4Rk2Wm8Tb5Lc1Nf9Hd3",
        "/B5TB3LC9N/Vq7Xz4Rk2Wm8Tb5Lc1Nf9Hd3",
    ),
    "azure-key": Secret(
        "AccountKey=wJ4kQ/8Xm2+Zt7Vb5Rc1Lf9Nd3Hs6Py0Gk8Tw2Xq==",
        "wJ4kQ/8Xm2+Zt7Vb5Rc1Lf9Nd3Hs6Py0Gk8Tw2Xq==",
    ),
    "google-session": _whole("4/0AVq7Xz4Rk2Wm8-Tb5Lc1Nf9Hd3_Ps6Jy0GkVq7Xz4"),
    "login": Secret("machine a login b password Zk8rQv2mXw", "Zk8rQv2mXw"),
    "telegram-token": Secret(
        "731946205:" + "AAVq7Xz4Rk2Wm8Tb5Lc1Nf9Hd3Ps6Jy0GkV", "AAVq7Xz4Rk2Wm8Tb5Lc1Nf9Hd3Ps6Jy0GkV"
    ),
    "service-token": _whole("SG." + "Vq7Xz4Rk2Wm8Tb5Lc1Nf9H.d3Ps6Jy0GkVq7Xz4Rk2Wm8Tb5Lc1"),
    "assignment": Secret('"api_key":"k8Rv2mXwQz7Tb4Lc"', "k8Rv2mXwQz7Tb4Lc"),
    "e-mail": _whole("marlene.q.vantongeren@mail.example.org"),
    "private-key": Secret(
        "\r\n".join(("-----BEGIN PRIVATE KEY-----", *_KEY_ROWS, "-----END PRIVATE KEY-----")),
        "".join(_KEY_ROWS),
    ),
}

_BEGIN, _END = "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----"
_KEY = (_BEGIN, *_KEY_ROWS, "QUJjZA==", _END)
_KEY_FILE = "\n".join((*_KEY, ""))
_ON_ONE_LINE = _KEY_FILE.replace("\n", "\\n")


def _rows(pattern: str) -> str:
    """The rows of a key, each with what stands before and after it; `#` is its number."""
    return "".join(
        pattern.replace("#", str(number)).replace("ROW", row) + "\r\n"
        for number, row in enumerate(_KEY, 9)
    )


#: A private key as files, editors, diffs and code have it.
KEYS = {
    name: Secret(text.replace("\r\n", "\n").replace("\n", "\r\n"), "".join(_KEY_ROWS))
    for name, text in {
        "service account": json.dumps({"private_key": _KEY_FILE, "type": "a"}, indent=2),
        "environment, one line": f'PRIVATE_KEY="{_ON_ONE_LINE}"',
        "environment, many lines": f'PRIVATE_KEY="{_KEY_FILE}"',
        "Firebase": f'FIREBASE_PRIVATE_KEY="{_ON_ONE_LINE}"',
        "YAML": "private_key: |\n" + _rows("  ROW"),
        "Kubernetes": f'secret: "{_ON_ONE_LINE}"',
        "JavaScript": f"privateKey: '{_ON_ONE_LINE}',",
        "template string": f"privateKey: `{_KEY_FILE}`,",
        "TOML": f'key = """\n{_KEY_FILE}"""',
        "Terraform": f"private_key = <<EOF\n{_KEY_FILE}EOF",
        "JSON in a variable": f"export A='{json.dumps({'private_key': _KEY_FILE})}'",
        "SSH": f'ssh_key="{_ON_ONE_LINE}"',
        "numbers": _rows(" # ROW"),
        "added by a diff": _rows("# + ROW"),
        "removed by a diff": _rows("# - ROW"),
        "git diff": _rows("-ROW"),
        "grep": _rows("secrets/key.pem:#:ROW"),
        "quoted": _rows("> ROW"),
        "comment": _rows("# ROW".replace("#", "//")),
        "shell comment": _rows("\uff03 ROW").replace("\uff03", "#"),
        "block comment": _rows(" * ROW"),
        "Python": _rows('    "ROW\\n"'),
        "added strings": _rows("  'ROW\\n' +"),
        "list": _rows('  "ROW",'),
        "URL": quote(_KEY_FILE),
        "form": quote_plus(_KEY_FILE),
        "carets": _rows("ROW^M"),
        "escaped twice": json.dumps(json.dumps({"private_key": _KEY_FILE})),
        "SSH2": _rows("ROW").replace(_BEGIN, "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----"),
        "PuTTY": "PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 3\n"
        + "\n".join((*_KEY_ROWS, "Private-MAC: 7f3a9c1e5b2d8046")),
    }.items()
}

#: Characters of the alphabets that services use.
_ANY = "Vq7Xz4Rk2Wm8Tb5Lc1Nf9Hd3Ps6Jy0GkVq7Xz4Rk2Wm8Tb5Lc1Nf9Hd3Ps6Jy0Gk"
_HEX = "7f3a9c1e5b2d8046af17c93be5d20846" * 2
_UPPER = "K7Q2M9X4T8W3Z5B6N1C0D4F7G2H8J3L5" * 2
_UUID = "7f3a9c1e-5b2d-8046-af17-c93be5d20846"

#: One made-up token of each service.
SERVICES = {
    name: _whole(token)
    for name, token in {
        "SendGrid": f"SG.{_ANY[:22]}.{_ANY[:43]}",
        "DigitalOcean": f"dop_v1_{_HEX}",
        "Vault": f"hvs.{_ANY[:40]}",
        "age": f"AGE-SECRET-KEY-1{_UPPER[:58]}",
        "Mailgun": f"key-{_HEX[:32]}",
        "Mailchimp": f"{_HEX[:32]}-us14",
        "Twilio": f"SK{_HEX[:32]}",
        "Square": f"sq0atp-{_ANY[:22]}",
        "Shopify": f"shpat_{_HEX[:32]}",
        "Heroku": f"HRKU-{_ANY[:36]}",
        "Linear": f"lin_api_{_ANY[:40]}",
        "Notion": f"ntn_{_ANY[:46]}",
        "Figma": f"figd_{_ANY[:40]}",
        "Databricks": f"dapi{_HEX[:32]}",
        "Dynatrace": f"dt0c01.{_UPPER[:24]}.{_UPPER}",
        "New Relic": f"NRAK-{_UPPER[:27]}",
        "Grafana": f"glsa_{_ANY[:32]}_{_HEX[:8]}",
        "Doppler": f"dp.pt.{_ANY[:43]}",
        "Pulumi": f"pul-{_HEX[:40]}",
        "Postman": f"PMAK-{_HEX[:24]}-{_HEX[:34]}",
        "PlanetScale": f"pscale_tkn_{_ANY[:43]}",
        "Prefect": f"pnu_{_ANY[:36]}",
        "RubyGems": f"rubygems_{_HEX[:48]}",
        "Sentry": f"sntryu_{_HEX}",
        "Terraform": f"{_ANY[:14]}.atlasv1.{_ANY[:60]}",
        "Tailscale": f"tskey-auth-{_ANY[:12]}CNTRL-{_ANY[:32]}",
        "Fly.io": f"fm2_{_ANY[:60]}",
        "Groq": f"gsk_{_ANY[:52]}",
        "xAI": f"xai-{_ANY}",
        "Perplexity": f"pplx-{_ANY[:48]}",
        "Replicate": f"r8_{_ANY[:37]}",
        "LangSmith": f"lsv2_pt_{_HEX[:32]}_{_HEX[:10]}",
        "Airtable": f"pat{_ANY[:14]}.{_HEX}",
        "Atlassian": f"ATATT3xFfGF0{_ANY[:60]}",
        "Artifactory": f"AKCp{_ANY[:60]}",
        "NuGet": f"oy2{_HEX[:43]}",
        "crates.io": f"cio{_ANY[:32]}",
        "Clojars": f"CLOJARS_{_HEX[:60]}",
        "Alibaba": f"LTAI{_ANY[:20]}",
        "Tencent": f"AKID{_ANY[:32]}",
        "Yandex": f"AQVN{_ANY[:35]}",
        "Facebook": f"EAAB{_ANY[:60]}",
        "1Password": f"ops_eyJ{_ANY[:60]}",
        "Supabase": f"sbp_{_HEX[:40]}",
        "Vercel, Netlify, Render": f"nfp_{_ANY[:36]}",
        "CircleCI, Buildkite": f"CCIPAT_{_ANY[:22]}_{_HEX[:40]}",
        "Sonar": f"sqp_{_HEX[:40]}",
        "HubSpot": f"pat-na1-{_UUID}",
        "Plaid": f"access-sandbox-{_UUID}",
        "EasyPost": f"EZAK{_HEX[:54]}",
        "Duffel, Shippo": f"duffel_test_{_ANY[:43]}",
        "Flutterwave": f"FLWSECK_TEST-{_HEX[:32]}-X",
        "Typeform, ReadMe, Contentful": f"tfp_{_ANY[:59]}",
        "Mapbox": f"sk.eyJ{_ANY[:60]}.{_ANY[:22]}",
        "OpenAI sessions": f"sess-{_ANY[:40]}",
        "Google AI Studio's newer keys": f"AQ.Ab8RN6{_ANY[:44]}",
        "Firebase": f"AMf-vBw{_ANY[:50]}",
        "AWS sessions, Bedrock": f"IQoJb3JpZ2luX2Vj{_ANY[:60]}",
        "Docker": f"dckr_pat_{_ANY[:27]}",
        "NVIDIA": f"nvapi-{_ANY[:60]}",
        "Pinecone": f"pcsk_{_ANY[:6]}_{_ANY[:60]}",
        "Together": f"tgp_v1_{_ANY[:43]}",
        "Jina": f"jina_{_HEX[:32]}{_ANY[:28]}",
        "Cerebras": f"csk-{_HEX[:48]}",
        "Tavily": f"tvly-dev-{_ANY[:32]}",
        "Resend": f"re_{_ANY[:8]}_{_ANY[:24]}",
        "Brevo": f"xkeysib-{_HEX}-{_ANY[:16]}",
        "Neon": f"napi_{_HEX}",
        "Sourcegraph": f"sgp_{_HEX[:16]}_{_HEX[:40]}",
        "PostHog": f"phx_{_ANY[:43]}",
        "Fireworks": f"fw_{_ANY[:24]}",
    }.items()
}
#: All of them: what the documents count.
CORPUS = {**SECRETS, **SERVICES}


def redacted(
    events: Iterable[Event], *, columns: int = COLUMNS, redactor: Redactor | None = None
) -> list[Event]:
    """The events as they come out of a Stream."""
    stream = Stream(redactor or Redactor(), columns)
    out = [done for event in events for done in stream.push(event)]
    return out + stream.flush()


def output(*texts: str) -> list[Event]:
    """Events of output, a tenth of a second apart."""
    return [Event(number / 10, "o", text) for number, text in enumerate(texts)]


def pieces(secret: str) -> Iterator[str]:
    """The parts of a secret none of which may show."""
    size = min(SHOWN + 1, len(secret))
    return (secret[at : at + size] for at in range(len(secret) - size + 1))


def shown(events: Sequence[Event], header: Header | None = None) -> str:
    """All that a reader can get out of a recording: the file, and every picture of its screen.

    The pictures are given as rows and as rows joined, bare of margins and boxes.
    """
    header = header or Header(columns=COLUMNS, lines=LINES)
    texts = ["".join(write(header, events))]
    texts += ["".join(str(event.data) for event in events if event.code == code) for code in "oi"]
    terminal = Terminal(header.columns, header.lines)
    for event in events:
        if event.code == "o":
            terminal.receive(str(event.data))
            frame = terminal.picture()
            texts += [frame.title, "\n".join(frame.lines)]
            texts.append("".join(line.strip(" │") for line in frame.lines))
    return "\n\n".join(texts)


def left(events: Sequence[Event], secret: str, header: Header | None = None) -> list[str]:
    """The pieces of a secret that a recording still shows."""
    text = shown(events, header)
    return [piece for piece in pieces(secret) if piece in text]


def cleaned_header(header: Header) -> Header:
    """The header as a Redactor without any values leaves it."""
    return redact_header(header, Redactor())
