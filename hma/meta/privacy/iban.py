"""International bank account numbers (ISO 13616)."""

import re
from collections.abc import Iterator

from hma.meta.privacy.normalise import Hit

IBAN = "IBAN"

_LENGTHS = {
    country: int(length)
    for length, countries in {
        "15": "NO", "16": "BE", "18": "DK FI FO GL NL SD", "19": "MK SI",
        "20": "AT BA EE KZ LT LU XK MN", "21": "CH HR LI LV",
        "22": "BG BH CR DE GB GE IE ME RS VA", "23": "AE GI IL IQ TL OM SO",
        "24": "AD CZ ES MD PK RO SA SE SK TN VG", "25": "LY PT ST", "26": "IS TR",
        "27": "BI DJ FR GR IT MC MR SM", "28": "AL AZ BY CY DO GT HU LB NI PL SV FK",
        "29": "BR EG PS QA UA", "30": "JO KW MU YE", "31": "MT SC", "32": "LC", "33": "RU",
    }.items()
    for country in countries.split()
}  # fmt: skip
_HEAD = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}[ -]?[0-9][ -]?[0-9]")
_LONGEST = 34 * 3


def find_ibans(text: str) -> Iterator[Hit]:
    """IBANs in a normalised text: the country's length, and the MOD 97 check."""
    for match in _HEAD.finditer(text):
        length = _LENGTHS.get(text[match.start() : match.start() + 2].upper())
        places = length and _places(text, match.start(), length)
        if places and _valid("".join(text[p] for p in places)):
            yield Hit(IBAN, match.start(), places[-1] + 1)


def _places(text: str, start: int, length: int) -> list[int]:
    """Where the `length` characters stand, over single spaces, dashes or dots; [] if cut short."""
    places: list[int] = []
    for p in range(start, min(len(text), start + _LONGEST)):
        if text[p].isascii() and text[p].isalnum():
            places.append(p)
            if len(places) == length:
                return places
        elif text[p] not in " -._\n":
            break
    return []


def _valid(iban: str) -> bool:
    turned = iban[4:] + iban[:4]
    return int("".join(str(int(c, 36)) for c in turned)) % 97 == 1
