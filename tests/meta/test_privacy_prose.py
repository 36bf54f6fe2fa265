"""Ordinary sentences full of numbers pass the privacy gate untouched."""

import random
from itertools import pairwise

import pytest

from hma.meta.privacy.gate import StandardPrivacy, StrictPrivacy
from hma.records import Sensitivity

PROSE = """
I was born in 1990 and moved to Lisbon on 2026-11-29 at 14:30.
The invoice 2026-0042 was for 1,250.00 euros, due 15/12/2026.
My budget is 4500, 3200 or at most 1800 a month.
We ran 10.5 km in 52:41, then 21.1 km in 1:49:03.
Chapter 12, pages 345-367, second edition (2019).
The password is wrong again, and the other password is not accepted.
The password is expired. My password was changed yesterday.
I forgot my password for the library.
Is the password case-sensitive? A strong password is hard to guess.
The PIN is too short, he said.
My passport expires in 2031, and my ID card expires in 2029.
The card is blue; I have 12 cards and 3 gift cards.
She pays by credit card, about 120 dollars a month.
Flight TP1234 leaves gate 22 at 07:45 and lands at 11:20.
Version 3.11.7 fixed 145 bugs; 2.0.0rc1 comes next.
The ratio is 3.14159265, roughly 22/7.
Our flat has 3 rooms, 85 square metres, on floor 4 of 12.
I need 2 eggs, 250 g flour, 100 ml milk and 5 g salt.
The score was 3-2, then 4-4, then 6-5.
Between 1914-1918 and 1939-1945 much was lost.
Bus 728 or tram 15 takes me home; line 42 does not.
Our reference is REF-20261129-0007.
Meet me at 10:00, 11:15 or 12:30 on 3 or 4 December.
The timestamp in the log is 1748503543012.
Temperatures: -3, -5, 0, 2, 4, 7, 9, 12, 15 degrees.
Numbers 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 are easy to learn.
My token of thanks is a small cake.
The secret of a good soup is patience.
The lights are 12 V, 2.5 A, 30 W each.
It happened on 2026-11-29T21:42:17.123456Z, the log says.
我今年三十二岁，二〇二六年搬到上海。
我有一个弟弟，两个妹妹，三只猫。
一二三四五，上山打老虎。
一、二、三、四、五、六、七、八、九、十，数完了。
房租每月五千六百元，押一付三。
我住在三号楼二单元一〇二室。
会议在2026年11月29日14:30开始。
订单号20261129001234，下周发货。
密码是什么？我忘了密码。
密码是我的生日，但我不会告诉你。
密码错误，请重新输入密码。
身份证明天到期，要去补办身份证。
信用卡每月还款3000元左右。
银行卡丢了，2026年3月补办了一张。
我的身份证有效期到2036年11月29日。
护照明年到期，要提前六个月换。
第一百二十三章，第四十五页。
跑了10公里，用时52分41秒。
他一九九〇年出生，属马。
票价120元，学生60元，老人免费。
气温零下三度到五度，湿度百分之四十。
一五一十地告诉他，三三两两地走了。
我七点起床，八点半上班，六点下班。
公交车728路，地铁10号线。
五六个人，七八条狗，九牛一毛。
这张卡很好看，我有三张会员卡。
三加五等于八，八减二等于六。
我买了3本书，花了128.50元。
二〇二六年十一月二十九日，星期日。
不管三七二十一，先吃饭再说。
""".strip().splitlines()

TEMPLATES = (
    "I paid {price} on {date} for {n} books.",
    "Order {order} arrives on {date} at {time}.",
    "The train at {time} costs {price}, the one at {time} only {price}.",
    "From {year} to {year} I lived at {n} Oak Street, then {n} Elm Road.",
    "Ticket #{order} was opened {date} {time} and closed after {n} days.",
    "Budget {n}{n}, spent {n}, left {n}, plan {year}.",
    "Log: {date} {time} took {n} ms, {n} rows.",
    "Prices went from {price} to {price} between {year} and {year}.",
    "我在{year}年花了{n}元，{date}又花了{n}元。",
    "订单{order}将在{date} {time}送达。",
    "我{zh}岁那年搬家，{zh}年后又搬了回来。",
    "从{time}到{time}开会，{n}人参加，{zh}人请假。",
    "房间{n}，{zh}楼，{year}年{zh}月入住。",
    "快递单号{order}，重{n}克，运费{n}元。",
)


def lines(count: int) -> list[str]:
    """Made-up sentences from the templates; always the same ones."""
    rng = random.Random(20)
    made = []
    for i in range(count):
        values = {
            "price": f"${rng.randint(1, 9999)}.{rng.randint(0, 99):02}",
            "date": f"{rng.randint(1990, 2030)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}",
            "time": f"{rng.randint(0, 23):02}:{rng.randint(0, 59):02}:{rng.randint(0, 59):02}",
            "n": str(rng.randint(1, 9999)),
            "year": str(rng.randint(1950, 2030)),
            "order": "".join(rng.choices("0123456789", k=rng.choice([6, 8, 10, 12]))),
            "zh": "".join(rng.choices("一二三四五六七八九", k=2)),
        }
        made.append(TEMPLATES[i % len(TEMPLATES)].format(**values))
    return made


@pytest.mark.parametrize("line", PROSE)
def test_prose_is_left_alone(line: str) -> None:
    """Dates, prices, times, counts and idioms are neither masked nor called personal."""
    for privacy in (StandardPrivacy(), StrictPrivacy()):
        screened = privacy.screen(line)
        assert (screened.text, screened.sensitivity) == (line, Sensitivity.L1)


def test_few_false_alarms() -> None:
    """At most one made-up sentence in two hundred is touched, order numbers included."""
    made = lines(2_000)
    privacy = StandardPrivacy()
    touched = [line for line in made if privacy.screen(line).redactions]
    assert len(touched) <= len(made) * 0.005, touched[:5]


def test_texts_in_a_dialogue_are_left_alone() -> None:
    """The message before does not make an ordinary message look like half a number."""
    privacy = StandardPrivacy()
    made = [*PROSE, *lines(1_000)]
    touched = [b for a, b in pairwise(made) if privacy.screen(b, before=a).redactions]
    assert len(touched) <= len(made) * 0.005, touched[:5]
