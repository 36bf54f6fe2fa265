"""Log records without personal data."""

import logging

from hma.errors import PolicyError
from hma.meta.privacy.gate import StrictPrivacy

_GATE = StrictPrivacy()


def redact_message(text: str) -> str:
    """`text` as it may stand in a log; "[WITHHELD]" if that can't be told."""
    try:
        return _GATE.screen(text).text
    except PolicyError:
        return "[WITHHELD]"


class RedactingFilter(logging.Filter):
    """Redacts message, exception and stack of every record. Add it to handlers: a filter on
    a logger misses the records of its children."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite the record in place; always let it pass."""
        record.msg, record.args = redact_message(record.getMessage()), None
        if record.exc_info:
            formatted = logging.Formatter().formatException(record.exc_info)
            record.exc_text, record.exc_info = formatted, None
        if record.exc_text:
            record.exc_text = redact_message(record.exc_text)
        if record.stack_info:
            record.stack_info = redact_message(record.stack_info)
        return True
