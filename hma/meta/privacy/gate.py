"""The privacy policies: what they find is replaced before anything is written.

Everything runs on the normalised text and is mapped back to the original. If anything
goes wrong the text is refused, never passed on.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import phonenumbers

from hma.errors import ConfigError, PolicyError
from hma.meta.privacy import contacts, iban, numbers, secrets
from hma.meta.privacy.encoded import decoded
from hma.meta.privacy.normalise import Hit, Normal, normalise
from hma.meta.privacy.runs import digit_view, find_runs
from hma.meta.privacy.split import completions
from hma.records import Redaction, Screened, Sensitivity

_TAIL = 200
_CONTACTS = frozenset({contacts.PHONE, contacts.EMAIL, contacts.IP})
# Where hits overlap they become one, named after the kind that stands first here.
_RANK = (numbers.CN_ID, numbers.CARD, iban.IBAN, numbers.SSN, secrets.SECRET, secrets.PASSPORT)


class StandardPrivacy:
    """Takes out what must never be stored: identity and passport numbers, bank cards,
    IBANs, social security numbers, keys, tokens and passwords.

    Args:
        phones: Also take out telephone numbers (otherwise they are kept, as L2).
        emails: Also take out e-mail addresses (otherwise kept, as L2).
        ips: Also take out IP addresses (otherwise kept, as L2).
        regions: Countries whose national telephone numbers are known (ISO 3166 codes).
        extra_patterns: Further things to take out: placeholder name -> regular expression,
            searched in the normalised text.

    Raises:
        ConfigError: For an unknown region, or a pattern or name that can't be used.
    """

    def __init__(
        self,
        *,
        phones: bool = False,
        emails: bool = False,
        ips: bool = False,
        regions: Sequence[str] = ("CN", "US", "GB"),
        extra_patterns: Mapping[str, str] | None = None,
    ) -> None:
        chosen = {contacts.PHONE: phones, contacts.EMAIL: emails, contacts.IP: ips}
        self._kept = frozenset(kind for kind, out in chosen.items() if not out)
        self._regions = _checked_regions(regions)
        self._extra = _compiled(extra_patterns or {})

    def screen(self, text: str, *, before: str = "") -> Screened:
        """`text` with everything that must not be stored replaced by `[KIND]`.

        `before` is what the same speaker said just before (one message, or several joined
        with newlines): the part in `text` of a number that began there is taken out too.
        Sensitivity is L3 if anything was taken out, L2 if contact details stay, else L1.

        Raises:
            PolicyError: The text could not be screened. It must not be stored.
        """
        try:
            return self._screen(text, before)
        except Exception as error:  # noqa: BLE001 - fail closed, whatever it was
            fault = type(error).__name__
        # Raised out here so that the cause, which may quote the text, does not hang on it.
        raise PolicyError(f"the privacy gate failed ({fault}): this text must not be stored")

    def _screen(self, text: str, before: str) -> Screened:
        tail = before[-_TAIL:] + "\n" if before else ""
        hits = list(self._find(normalise(tail + text), len(tail)))
        taken = _merged(hit for hit in hits if hit.kind not in self._kept)
        screened, redactions = _replace(text, taken)
        untouched = Sensitivity.L2 if hits else Sensitivity.L1
        sensitivity = Sensitivity.L3 if redactions else untouched
        return Screened(screened, redactions, sensitivity)

    def _find(self, normal: Normal, border: int) -> Iterator[Hit]:
        """Hits that reach beyond `border`, in the coordinates of the text that begins there."""
        found = list(self._never_stored(normal, border))
        found += _contacts(normal.text, found, self._regions)
        for hit in map(normal.original, found):
            if hit.end > border:
                yield Hit(hit.kind, max(hit.start, border) - border, hit.end - border)

    def _never_stored(self, normal: Normal, border: int) -> Iterator[Hit]:
        text = normal.text
        yield from self._plain(text)
        for start, end, plain in decoded(text):
            inner = next(self._plain(normalise(plain).text), None)
            if inner:
                yield Hit(inner.kind, start, end)
        if border:
            yield from completions(text, normal.position(border))
        for kind, pattern in self._extra:
            for match in pattern.finditer(text):
                if match.end() > match.start():
                    yield Hit(kind, match.start(), match.end())

    @staticmethod
    def _plain(text: str) -> Iterator[Hit]:
        view = digit_view(text)
        yield from numbers.find_numbers(text, view, find_runs(text, view))
        yield from iban.find_ibans(text)
        yield from secrets.find_secrets(text)
        yield from secrets.find_passports(text)


class StrictPrivacy(StandardPrivacy):
    """Standard privacy that takes out telephone numbers, e-mail and IP addresses as well."""

    def __init__(
        self,
        *,
        phones: bool = True,
        emails: bool = True,
        ips: bool = True,
        regions: Sequence[str] = ("CN", "US", "GB"),
        extra_patterns: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(
            phones=phones, emails=emails, ips=ips, regions=regions, extra_patterns=extra_patterns
        )


def _contacts(text: str, taken: Iterable[Hit], regions: Sequence[str]) -> list[Hit]:
    """Contact details outside of what is taken already: half a card number is no telephone."""
    rest = _blanked(text, _merged(taken))
    view = digit_view(rest)
    return [
        *contacts.find_emails(rest),
        *contacts.find_ips(rest),
        *contacts.find_phones(rest, view, find_runs(rest, view), regions),
    ]


def _blanked(text: str, hits: Iterable[Hit]) -> str:
    pieces: list[str] = []
    last = 0
    for hit in hits:
        pieces += (text[last : hit.start], "#" * (hit.end - hit.start))
        last = hit.end
    return "".join((*pieces, text[last:]))


def _merged(hits: Iterable[Hit]) -> list[Hit]:
    """Disjoint hits in order; overlapping ones are united."""
    merged: list[Hit] = []
    for hit in sorted(hits, key=lambda h: (h.start, h.end)):
        if merged and hit.start < merged[-1].end:
            last = merged.pop()
            kind = min(last.kind, hit.kind, key=_rank)
            hit = Hit(kind, last.start, max(last.end, hit.end))
        merged.append(hit)
    return merged


def _rank(kind: str) -> int:
    return _RANK.index(kind) if kind in _RANK else len(_RANK)


def _replace(text: str, hits: Iterable[Hit]) -> tuple[str, tuple[Redaction, ...]]:
    pieces: list[str] = []
    redactions: list[Redaction] = []
    last = length = 0
    for hit in hits:
        placeholder = f"[{hit.kind}]"
        pieces += (text[last : hit.start], placeholder)
        start = length + hit.start - last
        length = start + len(placeholder)
        redactions.append(Redaction(hit.kind, start, length))
        last = hit.end
    return "".join((*pieces, text[last:])), tuple(redactions)


def _checked_regions(regions: Sequence[str]) -> tuple[str, ...]:
    for region in regions:
        if region not in phonenumbers.SUPPORTED_REGIONS:
            raise ConfigError(
                f"privacy: regions: {region!r} is no country code; use codes such as 'CN' or 'US'"
            )
    return tuple(regions)


def _compiled(patterns: Mapping[str, str]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    compiled = []
    for name, pattern in patterns.items():
        kind = name.upper()
        if not re.fullmatch(r"[A-Z][A-Z0-9_]*", kind):
            raise ConfigError(f"privacy: extra_patterns: {name!r} must be letters, digits and _")
        try:
            compiled.append((kind, re.compile(pattern)))
        except re.error as error:
            raise ConfigError(f"privacy: extra_patterns: {name}: {error}") from None
    return tuple(compiled)
