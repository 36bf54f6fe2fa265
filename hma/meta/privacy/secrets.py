"""Keys, tokens, passwords and passports: recognised by their form or by what announces them."""

import re
from collections.abc import Iterator

from hma.meta.privacy.normalise import Hit

SECRET = "SECRET"  # noqa: S105 - the name of a placeholder
PASSPORT = "PASSPORT"

_TOKENS = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"sk-[A-Za-z0-9_-]{16,}"  # OpenAI, Anthropic, DeepSeek and others
    r"|(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}"  # Stripe
    r"|(?:AKIA|ASIA)[A-Z0-9]{16}"  # AWS
    r"|gh[opusr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}"
    r"|glpat-[A-Za-z0-9_-]{16,}"
    r"|xox[abeprs]-[A-Za-z0-9-]{10,}"  # Slack
    r"|AIza[A-Za-z0-9_-]{30,}"  # Google
    r"|LTAI[A-Za-z0-9]{12,}|AKID[A-Za-z0-9]{13,}"  # Aliyun, Tencent Cloud
    r"|hf_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{30,}"
    r"|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?"  # JWT
    r")"
)
_PEM = re.compile(
    r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----.*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|\Z)",
    re.DOTALL,
)
_URL_LOGIN = re.compile(r"://[^\s/:@\[\]]{1,64}:(?P<it>[^\s/@\[\]]{1,128})@")
_BEARER = re.compile(r"\bbearer\s{1,3}(?P<it>[A-Za-z0-9._~+/-]{16,}=*)", re.IGNORECASE)
_KEYWORD = (
    r"(?:(?<![a-z])(?:password|passwd|passphrase|passcode|pwd"
    r"|(?:api|secret|access)[ _-]?(?:key|token)|token)|密码|口令|密钥|秘钥|密碼)"
)
_WORD = r"(?:(?!\[[A-Z_]+\])[!-~])"  # visible ASCII, but not where a placeholder begins
_SAID = re.compile(
    _KEYWORD + r"(?:\s(?:for|of|on)\s[^\n.,;:!?]{1,30}?(?=\s(?:is|was)\s))?"
    r"(?:\s{0,3}(?:(?:is|was|to|are)(?![a-z])|[=:]|是|(?:设置?|改|换)(?:为|成了?)|为|為|叫)){1,3}+"
    r"\s{0,3}+(?P<quote>[\"'“‘「『`]?+)"
    r"(?P<it>(?<=[\"“「『`])[^\"”」』`\[\]\n]{1,64}|" + _WORD + r"{3,})",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?:密码|口令|密碼)\s?(?P<it>(?=[!-Z^-~]*[0-9])" + _WORD + r"{4,})")
# What follows "the password is" without being one: plain words of a sentence about it.
_PROSE = re.compile(
    r"(?:not|too|very|so|now|wrong|right|correct|incorrect|invalid|valid|weak|strong|long|short|safe|secure"
    r"|secret|required|needed|the|that|this|what|why|how|where|when|who|you|your|his|her|our|their|its|always"
    r"|never|still|only|just|also|in|on|at|to|for|from|with|my|an?|and|but|or|if|it|due|about|out|over"
    r"|hard|easy|hidden|written|under|somewhere|something|old|new|same|different|unknown|empty|blank|none|null|be|being|been|of|no|yes|really|quite"
    r"|[a-z]+(?:ed|ing|ly|able|ible))[.,;:!?)\"']*",
    re.IGNORECASE,
)
_PASSPORT = re.compile(
    r"(?:(?<![a-z])passport(?![a-z])|护照|護照|通行证|通行證)[^0-9\n\[]{0,16}?"
    r"(?P<it>(?<![A-Za-z0-9])[A-Za-z]{0,2}[0-9]{6,9}(?![A-Za-z0-9]))",
    re.IGNORECASE,
)


def find_secrets(text: str) -> Iterator[Hit]:
    """Keys, tokens, private keys and passwords in a normalised text."""
    for pattern in (_TOKENS, _PEM):
        for match in pattern.finditer(text):
            yield Hit(SECRET, match.start(), match.end())
    for pattern in (_URL_LOGIN, _BEARER, _BARE):
        for match in pattern.finditer(text):
            yield Hit(SECRET, *match.span("it"))
    for match in _SAID.finditer(text):
        word = match["it"].rstrip(".,;")
        if word and (match["quote"] or not _PROSE.fullmatch(word)):
            yield Hit(SECRET, match.start("it"), match.start("it") + len(word))


def find_passports(text: str) -> Iterator[Hit]:
    """Passport and permit numbers that follow the word for them."""
    for match in _PASSPORT.finditer(text):
        yield Hit(PASSPORT, *match.span("it"))
