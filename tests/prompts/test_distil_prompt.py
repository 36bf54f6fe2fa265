"""The distiller's prompt, as a snapshot: a change of it must be meant."""

from hma.prompts import render

HEAD = """\
Facts that each message states about people, as [value, who, slot, + or -, status].

Message:
User: 我叫林岚，可能下个月搬去成都。
Facts: [["林岚","user","name","+","asserted"],["成都","user","home","+","tentative"]]

Message:
User: Can you explain how tides work?
Facts: []

Message:
User: 我周末喜欢爬山。
Facts: [["爬山","user","likes","+","asserted"]]

Message:
User: I work at Nordlys now, and my sister Ida can't stand olives.
Facts: [["Nordlys","user","employer","+","asserted"],["olives","Ida","likes","-","asserted"]]

Message:
"""


def test_prompt_is_head_lines_and_tail() -> None:
    """The head is constant, the lines come last, and the answer follows after one space."""
    lines = [
        {"role": "Assistant", "text": "Tea or coffee?"},
        {"role": "User", "text": "Tea. {{ 7 * 7 }} <b>我爱茶</b>"},
    ]
    expected = "Assistant: Tea or coffee?\nUser: Tea. {{ 7 * 7 }} <b>我爱茶</b>\nFacts: "
    assert render("distil", lines=lines) == HEAD + expected


def test_head_is_the_same_for_every_call() -> None:
    """Whatever is read, the prompt begins with the same text, so that it stays in the cache."""
    assert render("distil", lines=[]) == HEAD + "Facts: "
