"""Secrets that are known by their form: one table.

Rule: a kind is found by how it begins, because a screen shows the first part of a key before the
rest has come. Every pattern is linear: it starts with fixed characters, and what may repeat before
a failure is bounded.
"""

import re
from base64 import b64decode
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from .values import is_said_of_secrets

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
_BLANK: Final = rf"(?: {{1,2}}|{PAD}{{0,999}}\n{PAD}{{0,999}})"
_ALONE: Final = r"(?<![A-Za-z0-9])"
_VARIED: Final = r"(?=[a-z_]{0,99}[A-Z0-9])"  # no word: npm_config_cache is none
_VALUE: Final = r"[!#-%*+\-./0-:=?-Z\\^_a-z~]"  # no quotes, brackets, commas
_CODE: Final = r"(?!-----BEGIN|[$%*.?]|process\.|os\.|env\.|self\.)"  # an expression is not a value
# What stands between a name and its value; `==` compares.
_EQUALS: Final = r"[\"']?[ ]{0,2}(?:=>|::?=?|=(?!=))"
_DIGIT: Final = rf"(?=(?:{_VALUE}){{0,200}}[0-9])(?=(?:{_VALUE}){{0,200}}[A-Za-z])"
# The short ones stand alone or in a name such as dbPass; what tests print is `PASS: name`.
_PASSWORD: Final = (
    r"(?:passw(?:or)?d|passphrase|passcode|pwd"
    r"|(?:(?<=[\"'_-])(?:pass|pw)|(?<![A-Za-z])(?:pass|pw)(?==)|(?<![A-Za-z])(?-i:pass|pw)(?=:)"
    r"|(?<=[a-z])(?-i:Pass|Pw)))"
)
_SECRET: Final = (
    rf"(?:{_PASSWORD}|secret|token|credentials?|(?<![A-Za-z])creds?|bearer|seed_?phrase|mnemonic"
    r"|(?:api|access|private|secret|auth|encryption|signing|account|master|storage)[_-]?key)"
)
# What these name is a secret only if it looks like one.
_MAYBE: Final = (
    r"(?:(?<![A-Za-z])(?:auth|pat|jwt|dsn|seed|sig|signature|webhook(?:_?url)?)"
    r"|session[_-]?(?:id|key)?|cookie)"
)
_UPPER: Final = r"(?:[A-Z][A-Z0-9_]{0,60}_)?(?:PASS|PW|SECRET|TOKEN|CREDS?|BEARER|SEED|KEY)"
_IDENTIFIER: Final = re.compile(r"[A-Za-z]+(?:[_.]+[A-Za-z]+)+|[a-z]+(?:[A-Z][a-z]+)+")
#: What code says instead of a value: that there is none, a number, a name such as X509_sig_st,
#: which a signature may have, and a function that is called.
_NO_VALUE: Final = re.compile(r"(?i:none|null|nil|true|false|undefined)|0x[0-9A-Fa-f]{1,8}:?")
_STRUCT: Final = re.compile(r"[A-Z][A-Za-z]*[0-9]{1,4}(?:_[A-Za-z]+)+")
_FUNCTION: Final = re.compile(r"[A-Za-z]+|[A-Za-z_]\w*(?:[_.]\w+)+", re.ASCII)
_MIXED: Final = re.compile(r"(?=.*[a-z].*[A-Z].*[a-z]|.*[A-Z]{2}.*[a-z]|.*[!#%+/=^~]).{8}|.{16}")


def _is_assigned(found: re.Match[str]) -> bool:
    """Whether a name's value is a secret, as far as its pattern does not tell."""
    # What follows after a blank must not count: it may not have come yet.
    name, group = str(found.lastgroup), found.lastindex or 0
    value, after = found[group], found.string[found.end() : found.end() + 1]
    if found.string[found.start(group) - 1] not in "\"'`":
        if _NO_VALUE.fullmatch(value) or (name == "sure4" and _STRUCT.fullmatch(value)):
            return False
        if after and after in "([" and _FUNCTION.fullmatch(value):
            return False
        if after and after in ",)" and (value == "password" or _IDENTIFIER.fullmatch(value)):
            return False
    if name.startswith("sure"):
        return True
    if is_said_of_secrets(value) or _IDENTIFIER.fullmatch(value.rstrip(".:;!?")):
        return False
    return name.startswith("any") or _MIXED.match(value) is not None


class Kind(NamedTuple):
    """One form of secret."""

    name: str
    why: str
    #: Group 1, where there is one, is the part to hide.
    pattern: re.Pattern[str]
    #: One of these is in every text, in lower case, that holds a match. Each begins with a fixed
    #: character, so that looking for it is cheap.
    hints: tuple[re.Pattern[str], ...]
    #: The characters of a whole one, where they are always as many.
    length: int | None = None
    #: Whether its text is a secret wherever else it stands.
    learn: bool = True
    #: Whether what the pattern found is one.
    accepts: Callable[[re.Match[str]], bool] | None = None
    #: How many characters before a hint a match may begin, where that is known: a pattern of many
    #: names is then tried there alone.
    before: int | None = None

    def matches(self, text: str) -> Iterator[re.Match[str]]:
        """Where it stands in a text, from left to right."""
        if self.before is None:
            yield from self.pattern.finditer(text)
            return
        lower, at = lowered(text), 0
        for place in sorted(found.start() for hint in self.hints for found in hint.finditer(lower)):
            at = max(at, place - self.before)
            while at <= place:
                found = self.pattern.match(text, at)
                at = found.end() if found else at + 1
                if found:
                    yield found


def lowered(text: str) -> str:
    """The text in lower case, each character in its place."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(char.lower()[0] for char in text)


def _kind(
    name: str,
    why: str,
    pattern: str,
    hints: str,
    length: int | None = None,
    *,
    learn: bool = True,
    accepts: Callable[[re.Match[str]], bool] | None = None,
    before: int | None = None,
) -> Kind:
    return Kind(
        name,
        why,
        re.compile(pattern, re.ASCII),
        _hints(hints.split()),
        length,
        learn,
        accepts,
        before,
    )


def _hints(hints: list[str]) -> tuple[re.Pattern[str], ...]:
    """The hints, those that begin with the same character as one."""
    firsts: dict[str, list[str]] = {}
    for hint in hints:
        firsts.setdefault(hint[: 1 + hint.startswith("\\")], []).append(hint)
    return tuple(
        re.compile(first + f"(?:{'|'.join(hint[len(first) :] for hint in same)})", re.ASCII)
        for first, same in firsts.items()
    )


_SCHEMES: Final = (
    *("postgres", "mysql", "mariadb", "mongodb", "redis", "valkey", "amqp", "mssql", "sqlserver"),
    *("clickhouse", "cockroachdb", "oracle", "snowflake", "ldap", "mqtt", "ftp", "smtp", "nats"),
)
_DATABASE: Final = rf"(?:{'|'.join(_SCHEMES)})[a-z0-9]{{0,6}}"
#: Each begins with what no word does, so a few characters more are enough.
SERVICES: Final = {
    "SendGrid": r"(?<!_)SG\.(?=[\w-]{0,22}[0-9A-Z])[\w-]{4,}(?:\.[\w-]*)?",
    "DigitalOcean": r"do[opr]_v1_[a-f0-9]{3,}",
    "Vault": r"hv[sbr]\.[\w-]{4,}(?:\.[\w-]+)?",
    "age": r"AGE-SECRET-KEY-1[A-Z0-9]{3,}",
    "Mailgun": r"(?:key|pubkey)-[a-f0-9]{32}",
    "Mailchimp": r"[a-f0-9]{32}-us[0-9]{1,2}",
    "Twilio": r"(?:SK|AC)[a-f0-9]{32}",
    "Square": r"(?:sq0[a-z]{3}-[\w-]{4,}|EAAA[\w-]{56,})",
    "Shopify": r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{4,}",
    "Heroku": r"HRKU-[\w-]{4,}",
    "Linear": r"lin_(?:api|oauth)_[A-Za-z0-9]{4,}",
    "Notion": r"(?:ntn_[A-Za-z0-9]{6,}|secret_[A-Za-z0-9]{43})",
    "Figma": r"fig[dou][rh]?_[\w-]{6,}",
    "Databricks": r"dapi[a-f0-9]{8,}(?:-[0-9])?",
    "Dynatrace": r"dt0[a-z][0-9]{2}\.[A-Z0-9]{4,}(?:\.[A-Z0-9]*)?",
    "New Relic": r"NR(?:AK|II|JS|RA|AA|IQ)-[\w-]{4,}",
    "Grafana": r"gl(?:c|sa)_[\w+/=]{4,}",
    "Doppler": r"dp\.(?:pt|st|ct|scim|audit)\.[\w.-]{4,}",
    "Pulumi": r"pul-[a-f0-9]{6,}",
    "Postman": r"PMAK-[\w-]{4,}",
    "PlanetScale": r"pscale_(?:tkn|pw|oauth)_[\w.=-]{4,}",
    "Prefect": r"pn[ub]_[A-Za-z0-9]{8,}",
    "RubyGems": r"rubygems_[a-f0-9]{4,}",
    "Sentry": r"sntry[su]_[\w+/=-]{4,}",
    "Terraform": r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{4,}",
    "Tailscale": r"tskey-[\w-]{4,}",
    "Fly.io": r"f[mo][0-9]_[\w+/=,-]{8,}",
    "Groq": r"gsk_(?=[a-z]{0,40}[A-Z0-9])[A-Za-z0-9]{4,}",
    "xAI": r"xai-(?=[a-z]{0,80}[A-Z0-9])[A-Za-z0-9]{6,}",
    "Perplexity": r"pplx-(?=[a-z]{0,40}[A-Z0-9])[A-Za-z0-9]{6,}",
    "Replicate": r"r8_[A-Za-z0-9]{6,}",
    "LangSmith": r"lsv2_(?:pt|sk)_[a-f0-9]{4,}(?:_[a-f0-9]*)?",
    "Airtable": r"pat[A-Za-z0-9]{14}\.[a-f0-9]{4,}",
    "Atlassian": r"(?:ATATT3|ATCTT3|ATBB)[\w=-]{6,}",
    "Artifactory": r"(?:AKCp[A-Za-z0-9]{8,}|cmVmd[A-Za-z0-9]{20,})",
    "NuGet": r"oy2[a-z0-9]{43}",
    "crates.io": r"cio[A-Za-z0-9]{32}",
    "Clojars": r"CLOJARS_[A-Za-z0-9]{4,}",
    "Alibaba": r"LTAI[A-Za-z0-9]{12,}",
    "Tencent": r"AKID[A-Za-z0-9]{28,}",
    "Yandex": r"(?:AQVN|y0_)[\w-]{30,}",
    "Facebook": r"EAA[A-Z][A-Za-z0-9]{26,}",
    "1Password": r"(?:ops_eyJ[\w+/=-]*|A3-[A-Z0-9]{6}-[A-Z0-9-]{4,})",
    "Supabase": r"sb(?:p|_secret)_[\w-]{8,}",
    "Vercel, Netlify, Render": r"(?:vc[a-z]|nf[a-z]|rnd)_(?=[a-z]{0,60}[A-Z0-9])[A-Za-z0-9]{16,}",
    "CircleCI, Buildkite": r"(?:CCI[PI][RA]T_|bk[a-z]{2}_)[\w-]{6,}",
    "Sonar": r"sq[upa]_[a-f0-9]{8,}",
    "HubSpot": r"pat-(?:na|eu)[0-9]-[a-f0-9-]{4,}",
    "Plaid": r"access-(?:sandbox|development|production)-[a-f0-9-]{4,}",
    "EasyPost": r"EZ[AT]K[A-Za-z0-9]{16,}",
    "Duffel, Shippo": r"(?:duffel|shippo)_(?:test|live)_[\w-]{4,}",
    "Flutterwave": r"FLW(?:PUB|SEC)K(?:_TEST)?-[\w-]{6,}",
    "Typeform, ReadMe, Contentful": r"(?:tfp_|rdme_|CFPAT-)[\w.-]{8,}",
    "Mapbox": r"[sp]k\.eyJ[\w-]{4,}(?:\.[\w-]*)?",
    "OpenAI sessions": r"sess-[A-Za-z0-9]{16,}",
    "Google AI Studio's newer keys": r"AQ\.Ab[\w-]{6,}",
    "Firebase": r"(?:AMf-v[\w-]{8,}|APA91b[\w-]{8,})",
    "AWS sessions, Bedrock": r"(?:IQoJb3JpZ2lu[\w+/=]*|ABSK[A-Za-z0-9+/=]{28,})",
    "Docker": r"dckr_[po]at_[\w-]{4,}",
    "NVIDIA": r"nvapi-[\w-]{6,}",
    "Pinecone": r"pcsk_[\w-]{6,}",
    "Together": r"tgp_v1_[\w-]{4,}",
    "Jina": r"jina_[a-f0-9]{8,}[\w-]*",
    "Cerebras": r"csk-[a-z0-9]{32,}",
    "Tavily": r"tvly-(?=[a-z-]{0,20}[A-Z0-9])[\w-]{8,}",
    "Resend": r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{16,}",
    "Brevo": r"xkeysib-[a-f0-9]{8,}(?:-\w*)?",
    "Neon": r"napi_(?=[a-z]{0,60}[0-9])[a-z0-9]{20,}",
    "Sourcegraph": r"sgp_(?=[a-z_]{0,60}[0-9])\w{20,}",
    "PostHog": r"ph[xc]_(?=[a-z]{0,40}[A-Z0-9])[A-Za-z0-9]{20,}",
    "Fireworks": r"fw_(?=[a-z]{0,40}[A-Z0-9])[A-Za-z0-9]{20,}",
}
_SERVICE_HINTS: Final = (
    r"sg\. _v1_ hvs\. hvb\. hvr\. age-secret-key-1 key- -us[0-9] sk[a-f0-9]{32} ac[a-f0-9]{32} sq0 "
    r"eaa shp(?:at|ca|pa|ss)_ hrku- lin_ ntn_ secret_ figd_ fig[dou][rh]?_ dapi dt0 "
    r"nr(?:ak|ii|js|ra|aa|iq)- glc_ glsa_ dp\. pul- pmak- pscale_ pn[ub]_ rubygems_ sntry "
    r"\.atlasv1\. tskey- f[mo][0-9]_ gsk_ xai- pplx- r8_ lsv2_ pat[a-z0-9]{14}\. "
    r"pat-[a-z]{2}[0-9]- atatt3 atctt3 atbb akcp cmvmd oy2 cio[a-z0-9]{32} clojars_ ltai akid aqvn "
    r"y0_ ops_ey a3- sbp_ sb_secret_ vc[a-z]_ nf[a-z]_ rnd_ cci[pi][ra]t_ "
    r"bk[a-z]{2}_ sq[upa]_ access- ez[at]k duffel_ shippo_ flw(?:pub|sec)k tfp_ rdme_ cfpat- "
    r"k\.eyj sess- aq\.ab amf-v apa91b iqojb3jpz2lu absk dckr_ nvapi- pcsk_ tgp_v1_ jina_ csk- "
    r"tvly- re_[a-z0-9]{8}_ xkeysib- napi_ sgp_ ph[xc]_ fw_"
)


def _is_base64_pair(text: str) -> bool:
    """Whether a text is a name and a password as HTTP's basic authentication writes them."""
    text = text.rstrip("=")
    return b":" in b64decode(text[: len(text) // 4 * 4])


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
        r"(?<![\w/.:])1//0[\w-]{4,}|(?<=/)1//0[\w-]{30,}",
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
        rf"{_ALONE}(?:gh[pousr]_[A-Za-z0-9]{{3,}}(?:[\w.-]*\w)?|github_pat_{_VARIED}\w{{3,}})",
        r"gh[pousr]_ github_pat_",
    ),
    _kind(
        "gitlab-token",
        "GitLab: glpat- and the like, then 20 or more",
        rf"{_ALONE}gl(?:pat|dt|rtr?|cbt|ptt|ft|soat|oas|imt|agent|ffct)-[\w.-]{{4,}}",
        r"gl[a-z]{2,5}-",
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
        rf"{_ALONE}(?:[sr]k_(?:live|test)_[A-Za-z0-9]+|whsec_[\w+/=-]+)",
        r"k_live_ k_test_ whsec_",
    ),
    _kind(
        "json-web-token",
        'RFC 7519: eyJ is {" in base 64; three parts with dots between',
        r"(?<![A-Za-z0-9+/_-])eyJ[\w-]{5,}(?:\.{1,2}[\w-]+)*\.?"
        r"|(?<=[/_])eyJ[\w-]{5,999}\.eyJ[\w-]+(?:\.[\w-]+)*",
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
        "RFC 3986: scheme://user:password@host; of a database, with any characters",
        r"(?<=[A-Za-z0-9])://[^\s\x1c/:@]{0,128}:([^\s\x1c/@]{1,256})@"
        rf"|(?i:{_DATABASE})(?:\+[a-z0-9]{{1,20}})?://[^\s\x1c/:@]{{0,128}}:([^\s\x1c]{{1,256}})@",
        r"://[^\s@]{0,384}@",
    ),
    _kind(
        "webhook-url",
        "Slack, Discord, Microsoft Teams, Google Chat, Zapier, Make: the path is the secret",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/([\w/-]{4,})"
        r"|discord(?:app)?\.com/api/(?:v[0-9]{1,2}/)?webhooks/([\w/-]{4,})"
        r"|webhook\.office\.com/webhookb2/([\w@/-]{4,})"
        r"|chat\.googleapis\.com/v1/spaces/([\w%&?=./-]{4,})"
        r"|hooks\.zapier\.com/hooks/catch/([\w/-]{4,})|hook\.[a-z0-9]{2,4}\.make\.com/(\w{4,})",
        r"hooks\.slack\.com/ /webhooks/ /webhookb2/ chat\.googleapis\.com/ hooks\.zapier\.com/ "
        r"\.make\.com/",
    ),
    _kind(
        "azure-key",
        "Azure: AccountKey=, SharedAccessKey=, sig= of a signed URL, client secrets with 8Q~",
        rf"(?i:account_?key|shared_?access_?key|primary_?key){_EQUALS}{_GAP}[\"']?([\w+/%=-]{{8,}})"
        r"|[?&;]sig=([\w%+/=-]{8,})"
        r"|(?<![\w~.-])([A-Za-z0-9_~.-]{3}[0-9]Q~[\w~.-]{3,})",
        r"key[\"']?\s{0,2}[:=] sig= q~",
    ),
    _kind(
        "google-session",
        "Google: the cookies SID, HSID, __Secure-1PSID and the like, g.a000, codes 4/0A",
        r"(?<![\w-])(?:__Secure-[\w-]{1,20}|[HSL]?SID|S?APISID|SIDCC|OSID|NID)=([\w./+%~-]{4,})"
        r"|(?<![\w.])(g\.a000[\w-]{3,})|(?<![\w./])(4/0A[\w-]{4,})|(?<=/)(4/0A[\w-]{30,})|(?<![\w%])4%2[Ff](0A[\w-]{4,})",
        r"__secure- sid= nid= sidcc= g\.a000 4/0a 4%2f0a",
    ),
    _kind(
        "login",
        "netrc: machine … login … password …; Docker: auth and a name with password in base 64",
        rf"(?i:machine){_BLANK}\S{{1,80}}{_BLANK}(?i:login){_BLANK}\S{{1,60}}{_BLANK}"
        rf"(?i:password){_BLANK}([^\s\x1c]{{3,}})"
        r"|(?i:_auth|auth|identitytoken)[\"']?[ ]{0,2}[:=][ ]{0,2}[\"']?([A-Za-z0-9+/]{8,}={0,2})"
        r"(?![\w-])",
        r"machine\s auth[\"']?\s{0,2}[:=] identitytoken",
        accepts=lambda found: found.lastindex == 1 or _is_base64_pair(found[2]),
    ),
    _kind(
        "telegram-token",
        "Telegram: the number of a bot, a colon, AA and 33 more",
        r"(?<![\w:])(?:bot)?([0-9]{8,10}:AA[\w-]{3,})",
        r":aa",
    ),
    _kind(
        "service-token",
        "tokens that begin with a name: " + ", ".join(SERVICES),
        rf"{_ALONE}(?:{'|'.join(SERVICES.values())})",
        _SERVICE_HINTS,
    ),
    _kind(
        "assignment",
        "settings, code and JSON: a name that says secret, then = or : and a value",
        rf"(?i:{_SECRET}){_EQUALS}{_GAP}[\"'`]?{_CODE}{_DIGIT}(?P<sure>(?:{_VALUE}){{5,}})"
        rf"|(?i:{_MAYBE}){_EQUALS}{_GAP}[\"'`]?{_CODE}{_DIGIT}(?P<sure4>(?:(?!\\[rn]){_VALUE}){{10,}})"
        rf"|(?i:{_SECRET})[\"']?[ ]{{0,2}}==[ ]{{0,2}}[\"'`]{_DIGIT}(?P<sure5>(?:{_VALUE}){{5,}})"
        rf"|(?i:{_PASSWORD})=[\"'`]?{_CODE}(?P<sure2>(?:{_VALUE}){{4,}})"
        rf"|--(?i:{_SECRET})[ ]{_CODE}(?!-){_DIGIT}(?P<sure3>(?:{_VALUE}){{5,}})"
        rf"|(?i:{_PASSWORD})(?:{_EQUALS}{_GAP}[\"'`]?|[ ](?<=--password[ ]))"
        rf"{_CODE}(?P<any>(?:{_VALUE}){{6,}})(?![\w.]*[(\[])"
        rf"|(?i:{_SECRET}){_EQUALS}[ ]{{0,2}}[\"'`]{_CODE}(?P<any2>(?:{_VALUE}){{6,}})"
        rf"|(?<![A-Za-z]){_UPPER}={_CODE}(?P<any3>(?:{_VALUE}){{6,}})(?![\w.]*[(\[])"
        rf"|(?i:{_SECRET}){_EQUALS}{_GAP}{_CODE}(?P<mixed>(?:{_VALUE}){{8,}})(?![\w.]*[(\[])",
        " ".join(
            rf"{word}[\"']?(?:\s{{0,2}}[:=]|\s)"
            for word in (
                *("passw(?:or)?d", "passphrase", "passcode", "pwd", "pass", "pw", "secret"),
                *("token", "credentials?", "creds?", "key", "bearer", "seed", "seed_?phrase"),
                *("mnemonic", "auth", "pat", "jwt", "dsn", "sig(?:nature)?", "webhook(?:_?url)?"),
                *("session(?:[_-]?(?:id|key))?", "cookie"),
            )
        ),
        accepts=_is_assigned,
        before=70,
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
    "RFC 7468, OpenPGP, PuTTY: the rows after BEGIN … PRIVATE KEY, whatever stands before each",
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
    rf"|(?i:{_MAYBE}|primary_?key|shared_?access_?key){_EQUALS}[ ]{{0,2}}[\"'`]?"
    r"|(?i:machine)(?:[ ]{1,2}\S{1,80}(?:[ ]{1,2}(?i:login)(?:[ ]{1,2}\S{1,60})?)?)?"
    rf"|-----BEGIN(?:(?:{PAD}|\n){{1,999}}[A-Z0-9]{{1,9}}){{0,4}}"
    rf"|(?<!-)----(?:[ ]?BEGIN(?:[ ][A-Z0-9]{{1,9}}){{0,4}})?|Private-Lines:)\Z",
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
    return may_hold_key(text) or next(hinted(text), None) is not None


def may_hold_key(text: str) -> bool:
    """Whether the header of a private key can be in a text."""
    return "PRIVATE" in text or "Private-Lines" in text
