"""Telephone numbers, e-mail addresses and IP addresses."""

import ipaddress
import re
from collections.abc import Iterator, Sequence

import phonenumbers

from hma.meta.privacy.normalise import Hit
from hma.meta.privacy.runs import Run

PHONE = "PHONE"
EMAIL = "EMAIL"
IP = "IP"

_LOCAL = r"[A-Za-z0-9._%+-]"
_EMAIL = re.compile(
    rf"(?<!{_LOCAL}){_LOCAL}++(?:@|\s?[(\[]\s?at\s?[)\]]\s?)[A-Za-z0-9-]{{1,63}}"
    r"(?:(?:\.|\s?[(\[]\s?dot\s?[)\]]\s?)[A-Za-z0-9-]{1,63}){1,8}",
    re.IGNORECASE,
)
_IP = re.compile(
    r"(?<![0-9A-Za-z:.])(?:[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9A-Fa-f:]{3,39})(?![0-9A-Za-z:])"
)
_CN_MOBILE = re.compile(
    r"(?<![0-9])(?:(?:\+|00)?86[ -]?)?1(?:[3-9][0-9]{9}"
    r"|[3-9][0-9][ ._-]{1,3}[0-9]{4}[ ._-]{1,3}[0-9]{4}"
    r"|[3-9][0-9][ ._-]{1,3}[0-9]{3}[ ._-]{1,3}[0-9]{5}"
    r"|(?P<gap>[ ._,-]{1,2})[3-9](?:(?P=gap)[0-9]){9})(?![0-9])"
)
_PHONE_WORDS = re.compile(
    r"phone|mobile|cell|tel\b|call|text|whatsapp|fax|dial|reach|contact|电话|手机|致电|打给|联系|传真|座机|微信",
    re.IGNORECASE,
)
_NEAR = 40
_FEWEST_DIGITS, _MOST_DIGITS = 7, 15
_MARGIN = 8


def find_emails(text: str) -> Iterator[Hit]:
    """E-mail addresses, "(at)" and "(dot)" included."""
    for match in _EMAIL.finditer(text):
        yield Hit(EMAIL, match.start(), match.end())


def find_ips(text: str) -> Iterator[Hit]:
    """IPv4 and IPv6 addresses."""
    for match in _IP.finditer(text):
        written = match[0].rstrip(":") if not match[0].endswith("::") else match[0]
        if _is_address(written):
            yield Hit(IP, match.start(), match.start() + len(written))


def _is_address(written: str) -> bool:
    if "." not in written and written.count(":") < 2:
        return False
    try:
        ipaddress.ip_address(written)
    except ValueError:
        return False
    return any(c.isalnum() for c in written)


def find_phones(text: str, view: str, runs: Sequence[Run], regions: Sequence[str]) -> Iterator[Hit]:
    """Telephone numbers: Chinese mobiles by form, all others as `phonenumbers` knows them.

    Digits without "+", grouping or a word like "call" nearby are an order number as
    likely as a telephone, and are left alone.
    """
    mobiles = [Hit(PHONE, match.start(), match.end()) for match in _CN_MOBILE.finditer(view)]
    yield from mobiles
    taken = {hit.end for hit in mobiles}
    for run in runs:
        likely = _FEWEST_DIGITS <= len(run.digits) <= _MOST_DIGITS and run.end not in taken
        if likely and _reads_as_phone(run, text):
            yield from _known(view, run, regions)


def _reads_as_phone(run: Run, text: str) -> bool:
    before = text[max(0, run.start - _NEAR) : run.start]
    return before.endswith(("+", "(")) or bool(_PHONE_WORDS.search(before))


def _known(view: str, run: Run, regions: Sequence[str]) -> Iterator[Hit]:
    start = max(0, run.start - 2)
    while start < run.start and view[start].isdigit():
        start += 1
    piece = view[start : run.end + _MARGIN]
    for region in regions:
        matcher = phonenumbers.PhoneNumberMatcher(piece, region, max_tries=4)
        for match in matcher:
            if start + match.start < run.end:
                yield Hit(PHONE, start + match.start, min(start + match.end, run.end))
