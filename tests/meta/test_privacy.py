"""What must never be stored is found in every disguise. All numbers are made up at run time."""

import base64
import logging
import random
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hma.errors import ConfigError, PolicyError
from hma.meta.base import PrivacyPolicy
from hma.meta.privacy.gate import StandardPrivacy, StrictPrivacy
from hma.meta.privacy.logs import RedactingFilter, redact_message
from hma.meta.privacy.normalise import normalise
from hma.meta.privacy.runs import digit_view
from hma.meta.privacy.split import trailing_fragment
from hma.records import Screened, Sensitivity

STANDARD = StandardPrivacy()
STRICT = StrictPrivacy()

CARD_FORMS = (
    ("4", 16), ("4", 13), ("4", 19), ("51", 16), ("2221", 16), ("2720", 16), ("34", 15),
    ("37", 15), ("305", 14), ("36", 14), ("3528", 16), ("3589", 16), ("2131", 15), ("6011", 16),
    ("65", 16), ("62", 16), ("62", 17), ("62", 18), ("62", 19), ("81", 16), ("9558", 19),
)  # fmt: skip


def make_card(prefix: str, length: int, rng: random.Random) -> str:
    """A card number with a right Luhn digit."""
    body = prefix + "".join(rng.choices("0123456789", k=length - len(prefix) - 1))
    total = sum(
        sum(divmod(2 * int(d), 10)) if i % 2 == 0 else int(d) for i, d in enumerate(body[::-1])
    )
    return body + str(-total % 10)


def make_id(rng: random.Random, *, ends_in_x: bool = False) -> str:
    """A resident ID number with a right check character."""
    while True:
        day = f"{rng.randint(1930, 2020)}{rng.randint(1, 12):02}{rng.randint(1, 28):02}"
        body = f"{rng.randint(11, 65)}{rng.randint(0, 9999):04}{day}{rng.randint(0, 999):03}"
        total = sum(int(d) * (2 ** (17 - i) % 11) for i, d in enumerate(body))
        check = "10X98765432"[total % 11]
        if not ends_in_x or check == "X":
            return body + check


def make_iban(rng: random.Random) -> str:
    """A German IBAN with right check digits."""
    body = "".join(rng.choices("0123456789", k=18))
    return f"DE{98 - int(body + '131400') % 97:02}{body}"


def spelled(digits: str) -> Callable[[str], str]:
    """A disguise that replaces each digit by the character of `digits` in its place."""
    return lambda number: number.translate(str.maketrans("0123456789", digits))


def joined(separator: str, every: int = 4) -> Callable[[str], str]:
    """A disguise that puts `separator` between groups of `every` digits."""
    return lambda number: separator.join(
        number[i : i + every] for i in range(0, len(number), every)
    )


NAMES = dict(
    zip("0123456789X", "Zero one two three four five six seven eight nine x".split(), strict=True)
)
DISGUISES: dict[str, Callable[[str], str]] = {
    "plain": str,
    "full-width": spelled("０１２３４５６７８９"),
    "zero-width": joined("\u200b", 3),
    "combining": joined("\u0301", 1),
    "soft hyphen": joined("\u00ad", 5),
    "homoglyph": lambda n: n[0] + n[1:].replace("0", "О").replace("1", "І").replace("X", "Х"),
    "latin": lambda n: n[0] + n[1:].replace("0", "O").replace("1", "l"),
    "greek": lambda n: n[0] + n[1:].replace("0", "Ο").replace("X", "Χ"),
    "chinese": spelled("零一二三四五六七八九"),
    "chinese zero": spelled("〇一二三四五六七八九"),
    "bank chinese": spelled("零壹贰叁肆伍陆柒捌玖"),
    "spoken chinese": spelled("洞幺两三四五六拐八勾"),
    "mixed scripts": lambda n: spelled("零一二三四五六七八九")(n[:7]) + n[7:],
    "nbsp": joined("\u00a0"),
    "thin space": joined("\u2009"),
    "en-dash": joined("–"),
    "dots": joined("."),
    "middle dots": joined("·"),
    "double space": joined("  "),
    "newline": lambda n: n[:8] + "\n" + n[8:],
    "crlf": lambda n: n[:8] + "\r\n" + n[8:],
    "every digit spaced": joined(" ", 1),
    "every digit comma": joined("，", 1),
    "slashes": joined("/"),
    "emoji": joined("🙂"),
    "keycaps": joined("\ufe0f\u20e3", 1),
    "arabic-indic": spelled("٠١٢٣٤٥٦٧٨٩"),
    "devanagari": spelled("०१२३४५६७८९"),
    "math": spelled("𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗"),
    "circled": spelled("⓪①②③④⑤⑥⑦⑧⑨"),
    "underscore": joined("_"),
    "glued": lambda n: f"__{n}__",
    "base64": lambda n: base64.b64encode(n.encode()).decode(),
    "base64 in words": lambda n: base64.b64encode(f"it is {n} ok".encode()).decode(),
    "english words": lambda n: " ".join(NAMES[d] for d in n),
    "hex": lambda n: n.encode().hex(),
    "percent": lambda n: "".join(f"%{ord(c):02x}" for c in n),
}
CARRIERS = (
    "{}",
    "so {} it is",
    "我的是{}，请记住",
    "卡号{}请",
    "No. 7: {}; thanks",
    "在2019年，{}。",
)


def numbers_of(kind: str, rng: random.Random) -> list[str]:
    """Valid numbers of a kind."""
    if kind == "CARD":
        return [make_card(prefix, length, rng) for prefix, length in CARD_FORMS]
    return [make_id(rng), make_id(rng, ends_in_x=True)]


def visible_digits(text: str) -> str:
    """All digits of a text, whatever is between them."""
    return "".join(c for c in digit_view(normalise(text).text) if c in "0123456789")


def placeholders_fit(screened: Screened) -> bool:
    """Whether each redaction locates its placeholder."""
    return all(screened.text[r.start : r.end] == f"[{r.kind}]" for r in screened.redactions)


@pytest.mark.parametrize("disguise", DISGUISES)
@pytest.mark.parametrize("kind", ["CARD", "CN_ID"])
def test_valid_numbers_are_found_in_every_disguise(kind: str, disguise: str) -> None:
    """Every kind of number, in every disguise, in every carrier sentence."""
    for number in numbers_of(kind, random.Random(f"{kind}{disguise}")):
        for carrier in CARRIERS:
            text = carrier.format(DISGUISES[disguise](number))
            screened = STANDARD.screen(text)
            assert [r.kind for r in screened.redactions] == [kind], text
            assert screened.sensitivity is Sensitivity.L3
            assert placeholders_fit(screened)
            assert visible_digits(number)[1:] not in visible_digits(screened.text)


def test_what_is_not_secret_stays_word_for_word() -> None:
    """Only the number goes; the text around it is unchanged."""
    number = make_card("62", 19, random.Random(1))
    assert STANDARD.screen(f"卡号：{number}，Ünïcode ok").text == "卡号：[CARD]，Ünïcode ok"


def test_id_with_x_glued_to_a_word() -> None:
    """The check character X belongs to the number even where letters follow at once."""
    number = make_id(random.Random(7), ends_in_x=True)
    assert STANDARD.screen(f"{number}ok").text == "[CN_ID]ok"
    assert STANDARD.screen("card number 123456 xylophone").text == "card number [NUMBER] xylophone"


def test_fifteen_digit_id() -> None:
    """The old ID without a check digit is found by province and birthday."""
    assert STANDARD.screen("旧身份证 " + "110105" + "491231" + "002").text == "旧身份证 [CN_ID]"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("my ssn is 123-45-6789", "my ssn is [US_SSN]"),
        ("my SSN: 123 45 6789.", "my SSN: [US_SSN]."),
        ("write down 987-65-4321", "write down [US_SSN]"),
        ("the CVV is 123", "the CVV is [CVV]"),
        ("安全码：1234", "安全码：[CVV]"),
        ("my PIN is 4821", "my PIN is [SECRET]"),
        ("支付密码是一二三四五六", "支付密码是[SECRET]"),
        ("验证码 482913", "验证码 [SECRET]"),
        ("my card number is 1234-5678-1234-5678", "my card number is [NUMBER]"),
        ("我的卡号是622202", "我的卡号是[NUMBER]"),
        ("身份证号：1101051949", "身份证号：[NUMBER]"),
        ("my passport number is X1234567", "my passport number is [PASSPORT]"),
        ("护照号码E12345678。", "护照号码[PASSPORT]。"),
        ("my password is hunter2", "my password is [SECRET]"),
        ("my password for the bank is swordfish", "my password for the bank is [SECRET]"),
        ('the password is "correct horse battery"', 'the password is "[SECRET]"'),
        ("密码是abc123，别忘了", "密码是[SECRET]，别忘了"),
        ("密码Tiger88", "密码[SECRET]"),
        ("api_key=abcd-efgh", "api_key=[SECRET]"),
        ("postgres://me:s3cr3t@db/x", "postgres://me:[SECRET]@db/x"),
        ("Authorization: Bearer abcdefghijklmnop1234", "Authorization: Bearer [SECRET]"),
    ],
)
def test_the_words_before_lower_the_bar(text: str, expected: str) -> None:
    """A number or word that is announced as secret goes, valid or not."""
    assert STANDARD.screen(text).text == expected


@pytest.mark.parametrize(
    "token",
    [
        "sk-" + "a1B2" * 6, "sk-ant-" + "a1B2" * 6, "AKIA" + "A1B2" * 4, "ghp_" + "a1B2" * 9,
        "glpat-" + "a1B2" * 5, "xoxb-" + "1234-" * 4, "AIza" + "a1B2c" * 7, "LTAI" + "a1B2" * 4,
        "eyJ" + "a1B2" * 4 + "." + "a1B2" * 4 + "." + "a1B2" * 4, "hf_" + "aBcD" * 8,
        "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\ncut off",
    ],
)  # fmt: skip
def test_keys_and_tokens(token: str) -> None:
    """Well-known key formats are found, also next to Chinese and behind base64."""
    hidden = base64.b64encode(token.encode()).decode()
    assert STANDARD.screen(f"用{token}").text == "用[SECRET]"
    assert STANDARD.screen(f"use {hidden}").text == "use [SECRET]"


@pytest.mark.parametrize("separator", ["", " ", "-"])
def test_iban(separator: str) -> None:
    """An IBAN goes, the word behind it stays; a wrong check sum is none."""
    iban = make_iban(random.Random(2))
    text = f"pay {joined(separator)(iban.lower())} failed"
    assert STANDARD.screen(text).text == "pay [IBAN] failed"
    wrong = iban[:-1] + str((int(iban[-1]) + 1) % 10)
    assert "IBAN" not in STANDARD.screen(f"pay {wrong}").text


@pytest.mark.parametrize(
    ("text", "strict"),
    [
        ("手机13800138000。", "手机[PHONE]。"),
        ("打给+86 138 0013 8000吧", "打给[PHONE]吧"),
        ("一三八零零一三八零零零", "[PHONE]"),
        ("call +44 20 7946 0958 now", "call [PHONE] now"),
        ("call (415) 555-2671", "call [PHONE]"),
        ("mail alice@\u200bexample.com please", "mail [EMAIL] please"),
        ("邮箱是ana@example.com哦", "邮箱是[EMAIL]哦"),
        ("a@example.com b@example.com", "[EMAIL] [EMAIL]"),
        ("john (at) example (dot) com", "[EMAIL]"),
        ("host 192.168.1.10 is up", "host [IP] is up"),
        ("2400:c401::5054:ff:fe1b:b031", "[IP]"),
    ],
)
def test_contact_details_are_kept_as_l2_or_masked_when_strict(text: str, strict: str) -> None:
    """Standard privacy keeps contact details and says L2; strict privacy takes them out."""
    assert STANDARD.screen(text) == Screened(text, (), Sensitivity.L2)
    assert STRICT.screen(text).text == strict


def test_a_card_grouped_like_a_telephone_is_a_card() -> None:
    """Cards are looked for first: no half of one is left because the rest was a telephone."""
    number = make_card("305", 14, random.Random(3))
    grouped = f"{number[:4]} {number[4:10]} {number[10:]}"
    assert STRICT.screen(f"call {grouped}").text == "call [CARD]"


def test_options() -> None:
    """Contact kinds can be chosen one by one, and users add patterns of their own."""
    privacy = StandardPrivacy(emails=True, extra_patterns={"badge": r"B-\d{4}"})
    assert privacy.screen("a@b.com, Ｂ-１２３４").text == "[EMAIL], [BADGE]"
    assert isinstance(privacy, PrivacyPolicy)


@pytest.mark.parametrize(
    ("build", "word"),
    [
        (lambda: StandardPrivacy(regions=["XX"]), "regions"),
        (lambda: StandardPrivacy(extra_patterns={"a": "("}), "extra_patterns"),
        (lambda: StandardPrivacy(extra_patterns={"a b": "x"}), "extra_patterns"),
    ],
)
def test_wrong_options_are_named(build: Callable[[], StandardPrivacy], word: str) -> None:
    """A wrong option is a `ConfigError` that names it."""
    with pytest.raises(ConfigError, match=word):
        build()


def test_fails_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any failure inside is a `PolicyError` that holds none of the text, nor its cause."""

    def broken(text: str) -> Iterator[object]:
        raise ValueError(text)

    monkeypatch.setattr("hma.meta.privacy.iban.find_ibans", broken)
    with pytest.raises(PolicyError) as caught:
        STANDARD.screen("hunter two")
    assert "hunter" not in str(caught.value)
    assert caught.value.__context__ is None
    assert redact_message("hunter two") == "[WITHHELD]"


# --- numbers over several messages ---------------------------------------------------


@pytest.mark.parametrize("kind", ["CARD", "CN_ID"])
@pytest.mark.parametrize("link", ["", "and ", "the rest is ", "后面是"])
def test_a_number_split_over_two_messages(kind: str, link: str) -> None:
    """The second part of a number goes when the first was in the message before."""
    for number in numbers_of(kind, random.Random(link)):
        for cut in (4, 8, 11):
            before = f"it starts with {number[:cut]}"
            screened = STANDARD.screen(f"{link}{number[cut:]} ok", before=before)
            assert [r.kind for r in screened.redactions] in ([kind], ["NUMBER"]), number
            assert visible_digits(screened.text) == ""
            assert placeholders_fit(screened)
            assert trailing_fragment(before) == number[:cut]


def test_a_number_split_over_three_messages() -> None:
    """Several messages can be given as one `before`."""
    number = make_id(random.Random(4))
    before = f"我的号 {number[:6]}\n{number[6:12]}"
    assert STANDARD.screen(number[12:], before=before).text == "[CN_ID]"


def test_a_number_announced_in_the_message_before() -> None:
    """The words that lower the bar may stand in the message before."""
    assert STANDARD.screen("622202123", before="my card number is").text == "[NUMBER]"
    assert STANDARD.screen("hunter2", before="my password is").text == "[SECRET]"


def test_before_changes_nothing_else() -> None:
    """What stands in `before` alone is not reported."""
    number = make_card("4", 16, random.Random(5))
    assert STANDARD.screen("see you at 10", before=f"card {number}.") == Screened("see you at 10")


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("my card is 4111 1111", "41111111"),
        ("卡号是62", "62"),
        ("身份证号１１０１０５", "110105"),
        ("6222-02, and", "622202"),
        ("I moved in 2019", ""),
        ("it costs $4500", ""),
        ("4111 is what I said yesterday", ""),
        ("room 12", ""),
        ("", ""),
    ],
)
def test_trailing_fragment(text: str, fragment: str) -> None:
    """Only digits at the end that may begin a number are a reason to hold a text back."""
    assert trailing_fragment(text) == fragment


# --- properties ----------------------------------------------------------------------

SEEDS = st.integers(0, 2**32)
WORDS = st.sampled_from(
    [*"我你的是在。，!?:;", " ", "the ", "card", "号", "é", "\u200d", "🙂", "ok\n"]
)


@given(SEEDS, st.lists(WORDS, max_size=8), st.lists(WORDS, max_size=8), st.data())
def test_no_valid_number_survives(
    seed: int, left: list[str], right: list[str], data: st.DataObject
) -> None:
    """A valid number in any carrier and with any separators leaves no trace."""
    rng = random.Random(seed)
    kind = data.draw(st.sampled_from(["CARD", "CN_ID"]))
    number = data.draw(st.sampled_from(numbers_of(kind, rng)))
    separators = ["", "", "", " ", "-", ".", "\u00a0", "\u200b", " - ", "\n", "_", "、"]
    disguise = spelled(
        data.draw(st.sampled_from(["0123456789", "０１２３４５６７８９", "零一二三四五六七八九"]))
    )
    body = "".join(disguise(d) + rng.choice(separators) for d in number)
    screened = STANDARD.screen("".join(left) + body + "".join(right))
    assert number not in screened.text
    assert visible_digits(number) not in visible_digits(screened.text)
    assert visible_digits(screened.text) == ""
    assert placeholders_fit(screened)


ANY_TEXT = st.text(max_size=60) | st.text("0123456789 -X.一二三[]CARDoIl@:", max_size=60)
ANNOUNCED = st.tuples(
    st.sampled_from(
        ["password is ", "密码：", "card number: ", "pin ", "[CARD] ", "call +", "id card "]
    ),
    ANY_TEXT,
).map("".join)


@given(ANY_TEXT | ANNOUNCED, ANY_TEXT)
def test_screening_is_total_and_stable(text: str, before: str) -> None:
    """Any Unicode text is screened; what came out is not changed by screening it again."""
    for privacy in (STANDARD, STRICT):
        once = privacy.screen(text, before=before)
        assert placeholders_fit(once)
        first = privacy.screen(text)
        assert privacy.screen(first.text).text == first.text


@pytest.mark.parametrize(
    "text",
    ["\ud800", "\x00", "a\u0301" * 50_000, "1" * 100_000, "4 " * 50_000, "[CARD]", "\ufdfa" * 9_999,
     "password is " * 9_000, "-----BEGIN PRIVATE KEY-----" * 3_000, "@a." * 30_000, "%31" * 30_000],
)  # fmt: skip
@pytest.mark.timeout(30)
def test_hostile_texts_are_screened_in_time(text: str) -> None:
    """Odd and very long texts neither raise nor hang."""
    assert placeholders_fit(STANDARD.screen(text))


# --- logs ----------------------------------------------------------------------------


def test_log_records_are_redacted(caplog: pytest.LogCaptureFixture) -> None:
    """Message, arguments and exception text of a record hold no number."""
    number = make_card("4", 16, random.Random(6))
    caplog.handler.addFilter(RedactingFilter())
    try:
        raise ValueError(number)
    except ValueError:
        logging.getLogger("hma.test").exception("failed on %s", number)
    assert number not in caplog.text
    assert caplog.text.count("[CARD]") == 2
