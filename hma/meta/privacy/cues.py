"""Words that say what the number after them is, and so lower the bar for taking it out."""

import re
from enum import StrEnum

_FILLER = (
    r"(?:[\s:=#\"'“‘「『【《(<~.,-]|(?<![a-z])(?:is|was|are|account|number|no|num|nr|ending|starts?|begins?|in|with"
    r"|and|the|it'?s|its|of|my|first|last|digits|six|eight|four)(?![a-z])"
    r"|号码|号|码|卡|號碼|號|碼|是|为|為|叫|的|尾号|前|后|[四六八]?位|开头|如下|这个|设成|设为|改成|就|我|他|她)"
)
_LOOK_BACK = 48


class Cue(StrEnum):
    """What a number is announced as."""

    STRONG = "strong"
    WEAK = "weak"
    SSN = "ssn"
    CVV = "cvv"
    PIN = "pin"


_WORDS = {
    Cue.CVV: r"cvv2?|cvc2?|security code|安全码|卡背面",
    Cue.PIN: r"pin|passcode|otp|(?:verification|one[- ]time|access) code"
    r"|pin码|密码|口令|验证码|校验码|动态码",
    Cue.SSN: r"ssn|social security|social",
    Cue.STRONG: r"(?:credit|debit|bank|identity|id) card|(?:bank )?card (?:number|no)"
    r"|(?:id|identity|identification|account) (?:number|no)|national id|bank account|iban"
    r"|身份证|身分证|身份證|身分證|证件号|公民身份号|银行卡|信用卡|储蓄卡|借记卡|卡号|卡號|银行账[号户]"
    r"|社保卡?号|社会保障号",
    Cue.WEAK: r"card|卡",
}
_CUE = re.compile(
    r"(?<![a-z])(?:"
    + "|".join(f"(?P<{cue}>{words})" for cue, words in _WORDS.items())
    + rf")(?![a-z]){_FILLER}{{0,8}}\Z",
    re.IGNORECASE,
)


def cue_before(text: str, start: int) -> Cue | None:
    """What the words right before place `start` of `text` announce, if anything."""
    match = _CUE.search(text[max(0, start - _LOOK_BACK) : start])
    return Cue(match.lastgroup) if match and match.lastgroup else None
