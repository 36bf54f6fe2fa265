"""From the raw tail of a matched clause to a minimal value, or to none.

Each kind of value has a cut (where the value ends), and a check (whether what is left is
such a value at all). Everything here works on offsets, so that values stay verbatim.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from hma.text import has_cjk
from hma.working.rules import lexicon

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Kind:
    """How to end, trim and check one kind of value."""

    cut: re.Pattern[str] | None
    good: Callable[[str, str], bool]
    articles: bool = False


_EDGE = " \t\r\n.,;:!?\"'“”‘’«»()[]{}（）【】，。；：！？、…~～*-—"
_UNIT = (
    r"years?|months?|weeks?|days?|weekends?|nights?|spring|summer|autumn|fall|winter|"
    r"mornings?|evenings?|"
    r"afternoons?|semester|term|quarter|christmas|jan\w*|feb\w*|march|april|may|june|july|"
    r"aug\w*|sept?\w*|"
    r"oct\w*|nov\w*|dec\w*"
)
_PERIOD = (
    r"(?:\w+day|jan\w*|feb\w*|march|april|may|june|july|aug\w*|sept?\w*|oct\w*|nov\w*|dec\w*|"
    r"spring|summer|"
    r"autumn|fall|winter|mornings?|afternoons?|evenings?|nights?|weekends?|\d{4}|a while|ages|now|"
    r"(?:about |around |over |almost |nearly )?(?:\w+ ){1,2}(?:years?|months?|weeks?|days?|"
    r"hours?|decades?)|"
    rf"(?:the )?(?:last|past|next)\s(?:\w+\s)?(?:{_UNIT})|christmas|easter|the moment|the meantime|"
    r"\d{1,2}(?:st|nd|rd|th)?(?::\d\d)?"
    r"\s?(?:am|pm|a\.m|p\.m)?)"
)
_TIME = (
    rf"(?:in|since|from|until|till|by|on|at|for|during|around|about)\s+(?:the\s+)?"
    rf"(?:(?:early|late|mid|last|next|this|about)[\s-]+)?{_PERIOD}(?!\w)"
    r"|now\b|nowadays|these days|lately|recently|currently|at the moment|right now|for now|"
    r"any ?more\b|"
    r"any longer|too\b|as well|though\b|actually|already|again\b|instead|honestly|tbh\b|haha|"
    r"lol\b|btw\b|"
    rf"by the way|please\b|today|yesterday|tomorrow|tonight|(?:last|next|this)\s+(?:{_UNIT}|"
    rf"\w+day|one)|"
    r"(?:about |around )?(?:a|an|one|two|three|four|five|ten|\d+|a few|some|"
    r"several)\s+(?:years?|months?|"
    r"weeks?|days?)\s+ago|ever since|so far|a lot\b|so much|very much|mostly|every\b|all day|"
    r"by myself|"
    r"thanks\b|unfortunately|sadly|once\b|twice\b|early\b|full[- ]time|part[- ]time|, mate|"
    r", not\b|not\s+(?-i:[A-Z])|"
    r"more than\b|if anyone|originally"
)
_STOP = (
    r"[;!?()\[\]\"“”\n—]|:(?!\d)|(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bSt)\.(?:\s|$)|\s[-–]\s|"
    r",?\s(?:because|since|which|who|where|that|while|when|whenever|"
    r"after|before|if|unless|although|but|so|thanks to|due to|except|and (?:i|we|my|he|she|it|"
    r"they|you|"
    r"(?:a|the) \w+ (?:is|are))|with my|with our|not to mention|don['’]t)\b"
)
_ZH_STOP = (
    r"[，。；：！？!?;:()（）\n\"“”—~～…]|\.(?:\s|$)|(?:已经|都|快|有|大概|差不多)(?:有)?[\d一二三四五六七八九十两几好]+"
    r"(?:年|个月|天|多年)|了?(?:好|很)(?:久|多年)|(?:了|啊|呢|吧|哦|哈|呀|啦|嘛|哟|噢|的说|而已|什么的|之类的|来着)+$"
)


def _cut(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(parts), re.IGNORECASE)


_NOUN = _cut(_STOP, r"\sover\b", rf",?\s(?:{_TIME})")
_SHORT = _cut(
    _STOP,
    rf",?\s(?:{_TIME})",
    r",|\s(?:with|and|near|for|at|from|on|by|as|to|or|is|are|was|in|whose|just|really|"
    r"together|alone)\b",
)
_ORG = _cut(
    _STOP, rf",?\s(?:{_TIME})", r",|\s(?:as|and|or|in|on|with|from|is|doing|near|by|to|where)\b"
)
_ZH = _cut(_ZH_STOP)


def _words(value: str) -> list[str]:
    return re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", value.casefold())


def _noun(value: str, clause: str) -> bool:
    words = _words(value)
    if (
        not words
        or len(words) > 6
        or words[0] in lexicon.BAD_FIRST
        or words[-1] in lexicon.BAD_LAST
    ):
        return False
    if (
        words[0] == "the"
        and not re.search(r"[A-Z]", value[1:])
        and words[-1] not in lexicon.THE_NOUNS
    ):
        return False
    return not lexicon.BAD_ANYWHERE.intersection(words)


def _place(value: str, clause: str) -> bool:
    words = _words(value)
    if not words or len(words) > 4 or lexicon.NO_PLACE.intersection(words):
        return False
    if any(ch.isdigit() for ch in value):
        return False
    if _capital(value) or has_cjk(value):
        return True
    return not re.search(r"(?-i:[A-Z])", clause) and len(words) <= 2


def _capital(value: str) -> bool:
    return any(word[:1].isupper() for word in value.split())


def _org(value: str, clause: str) -> bool:
    words = _words(value)
    if not words or len(words) > 6 or lexicon.NO_ORG.intersection(words):
        return False
    if words[0] in lexicon.BAD_FIRST - {"the"} or words[-1] in lexicon.BAD_LAST:
        return False
    return _capital(value) or (value.islower() and words[-1] in lexicon.ORG_NOUNS)


def _person(value: str, clause: str) -> bool:
    words = _words(value)
    if not words or len(words) > 3 or lexicon.NO_NAME.intersection(words):
        return False
    if len(words) == 1 and words[0] in lexicon.LANGUAGES:
        return False  # "I'm French"
    if any(ch.isdigit() for ch in value):
        return False
    return all(w[:1].isupper() for w in value.split()) or (clause.islower() and len(words) == 1)


def _occupation(value: str, clause: str) -> bool:
    words = _words(value)
    return (
        bool(words)
        and len(words) <= 5
        and words[-1] in lexicon.OCCUPATIONS
        and not re.search("['’]", value)
    )


def _role(value: str, clause: str) -> bool:
    return _noun(value, clause) and len(_words(value)) <= 5


def _action(value: str, clause: str) -> bool:
    words = _words(value)
    if len(words) > 12 or not words or words[0] in lexicon.BAD_FIRST - {"the", "a", "an", "to"}:
        return False
    return words[-1] not in lexicon.BAD_LAST and not lexicon.POINTS_AWAY.intersection(words)


def _money(value: str, clause: str) -> bool:
    return len(value) <= 30 and re.search(r"\d|hundred|thousand|grand|million", value) is not None


def _date(value: str, clause: str) -> bool:
    return len(value) <= 40 and re.search(rf"\d|{lexicon.MONTHS}", value, re.IGNORECASE) is not None


def _language(value: str, clause: str) -> bool:
    return value.casefold() in lexicon.LANGUAGES


def _any(value: str, clause: str) -> bool:
    return bool(value)


def _zh(limit: int, bad: re.Pattern[str]) -> Callable[[str, str], bool]:
    def good(value: str, clause: str) -> bool:
        return 1 <= len(value) <= limit and bad.search(value) is None

    return good


def _zh_occupation(value: str, clause: str) -> bool:
    return (
        len(value) <= 12 and "的" not in value and lexicon.ZH_OCCUPATION.search(value) is not None
    )


def _zh_org(value: str, clause: str) -> bool:
    if len(value) > 20 or lexicon.ZH_NO_ORG.search(value):
        return False
    return lexicon.ZH_ORG.search(value) is not None


def _zh_language(value: str, clause: str) -> bool:
    return lexicon.ZH_LANGUAGE.fullmatch(value) is not None


KINDS: dict[str, Kind] = {
    "exact": Kind(None, _any),
    "whole": Kind(None, _any),
    "place": Kind(_SHORT, _place),
    "org": Kind(_ORG, _org, articles=True),
    "person": Kind(_SHORT, _person),
    "fullname": Kind(None, _person),
    "age": Kind(None, _any),
    "date": Kind(_cut(_STOP, r",(?!\s*\d{4})|\s(?:and|in)\b"), _date),
    "language": Kind(_cut(_STOP, r"\s(?:at|with|in|fluently|well|but|natively)\b"), _language),
    "thing": Kind(_NOUN, _noun, articles=True),
    "object": Kind(
        _cut(_STOP, rf",?\s(?:{_TIME})", r",|\s(?:and|to|in|from|for)\b"), _noun, articles=True
    ),
    "occupation": Kind(_SHORT, _occupation, articles=True),
    "role": Kind(_SHORT, _role, articles=True),
    "action": Kind(_cut(_STOP, rf",|,?\s(?:{_TIME})"), _action),
    "money": Kind(
        _cut(_STOP, r"\s(?:for|per|in total|and|or|at|max|tops|total|this|so)\b|,\s"), _money
    ),
    "zh_name": Kind(_cut(_ZH_STOP, r"[,、]|就(?:行|好|可以)|是"), _zh(8, lexicon.ZH_NO_NAME)),
    "zh_place": Kind(
        _cut(_ZH_STOP, r"[,、]|已经|工作|上班|附近|那边|这边|以来|住|生活|快|有|的时候|一直|了"),
        _zh(10, lexicon.ZH_NO_PLACE),
    ),
    "zh_org": Kind(_ZH, _zh_org),
    "zh_thing": Kind(_cut(_ZH_STOP, r"[,]|，"), _zh(12, lexicon.ZH_NO_THING)),
    "zh_object": Kind(_cut(_ZH_STOP, r"[,、]"), _zh(14, lexicon.ZH_NO_THING)),
    "zh_action": Kind(_ZH, _zh(24, lexicon.ZH_NO_ACTION)),
    "zh_date": Kind(_cut(_ZH_STOP, r"[,、]"), _zh(16, lexicon.ZH_NO_DATE)),
    "zh_money": Kind(_ZH, _zh(16, lexicon.ZH_NO_DATE)),
    "zh_language": Kind(_ZH, _zh_language),
    "zh_occupation": Kind(_cut(_ZH_STOP, r"[,、]"), _zh_occupation),
}
"""Every kind that a rule may name."""

# "I love stories that end well" is not a liking of stories.
_RESTRICTS = re.compile(r"[\"“]|\s(?:that|who|where|when|whenever|while|if|which)\b", re.IGNORECASE)
_LIST = re.compile(r"\s*(?:,\s*(?:and|or|&)\s+|,\s+|\s+(?:and|or|&|plus)\s+)\s*", re.IGNORECASE)
_ZH_LIST = re.compile(r"、|和|跟|与|以及|还有|及|,\s*|或者")
_ARTICLE = re.compile(r"(?:an?|the)\s+(?=\w)", re.IGNORECASE)
_SOME = re.compile(
    r"(?:(?:some|a little|a bit of|basic|fluent|broken|conversational)\s+|一点儿?|一些|流利的)+",
    re.IGNORECASE,
)
_LEAD = re.compile(r"(?:eating|drinking)\s+(?=\w)|to\s+(?=\w)", re.IGNORECASE)


def values(kind_name: str, clause: str, start: int, end: int, split: bool) -> list[Span]:
    """Offsets in `clause` of the values in `clause[start:end]`, read as kind `kind_name`."""
    kind = KINDS[kind_name]
    raw = clause[start:end]
    if kind.cut and (stop := kind.cut.search(raw, 1)):
        if kind_name == "thing" and _RESTRICTS.match(stop[0]):
            return []
        end = start + stop.start()
    spans = _parts(clause, start, end) if split else [(start, end)]
    trimmed = [_trim(clause, *span, kind) for span in spans]
    if kind_name == "thing" and not kind.good(clause[slice(*trimmed[0])], clause):
        # "how you tell stories and help people" is a clause, not a list of things.
        return []
    return [s for s in trimmed if s[0] < s[1] and kind.good(clause[s[0] : s[1]], clause)]


def _parts(clause: str, start: int, end: int) -> list[Span]:
    text = clause[start:end]
    pairs = [m.span() for m in lexicon.FIXED_PAIRS.finditer(text)]
    breaks = (_ZH_LIST if re.search(r"[\u4e00-\u9fff]", text) else _LIST).finditer(text)
    spans, at = [], start
    for match in breaks:
        if any(left < match.start() < right for left, right in pairs):
            continue
        spans.append((at, start + match.start()))
        at = start + match.end()
    return [*spans, (at, end)]


def _trim(clause: str, start: int, end: int, kind: Kind) -> Span:
    while start < end and clause[start] in _EDGE:
        start += 1
    while start < end and clause[end - 1] in _EDGE:
        end -= 1
    article = _ARTICLE.match(clause, start, end) if kind.articles else None
    # "the Beatles" stays whole; so does what only "the" makes a thing ("the sea").
    if article and (article[0].strip().casefold() != "the" or kind is KINDS["org"]):
        start = article.end()
    if kind in (KINDS["language"], KINDS["zh_language"]) and (
        lead := _SOME.match(clause, start, end)
    ):
        start = lead.end()
    if kind is KINDS["thing"] and (lead := _LEAD.match(clause, start, end)):
        start = lead.end()
    return start, end
