"""The default voice: plain sentences that can say only what memory holds."""

import re
from collections.abc import Iterable, Sequence

from hma.exchange import Prompt
from hma.longterm.recall.lexicon import Lexicon
from hma.moves import Move, about_user, hears, move_of, phrases
from hma.records import Answer, Effect, Fact, Polarity, Recalled, Verdict
from hma.slots import SlotKind, Slots
from hma.text import folded, has_cjk

_COUNTED = re.compile(r"[只条匹个]")
_MINE = re.compile(r"^my\b", re.IGNORECASE)
_SMALL_TALK = frozenset({Move.GREETING, Move.THANKS, Move.FAREWELL, Move.ACKNOWLEDGED, Move.WRONG})
_ASKING = frozenset({Move.QUESTION, Move.REQUEST, Move.EVERYTHING, Move.MYSELF})
# Whole sentences; the values of other slots read well as one list.
_UNLISTED = frozenset({"instruction", "schedule", "event", "plan", "habit", "goal"})


def statement(fact: Fact, slots: Slots, language: str) -> str:
    """A fact as a clause said to the user: "you live in Lisbon", "Tom likes tea"."""
    return _statement(fact, fact.value.strip(), slots, language)


def _statement(fact: Fact, value: str, slots: Slots, language: str) -> str:
    words = phrases(language)["statement" if fact.subject == "user" else "other"]
    slot = slots.get(fact.attribute)
    label = slot.label_in(language) if slot else fact.attribute
    key = f"{fact.attribute}_named" if _is_name(value) else fact.attribute
    pattern = words.get(key) or words.get(fact.attribute) or words["any"]
    chosen: str = pattern[fact.polarity is Polarity.NEGATIVE]
    # str.replace, not format: a value may hold braces
    return (
        chosen.replace("{label}", label)
        .replace("{who}", _who(fact.subject))
        .replace("{value}", value)
    )


def _is_name(value: str) -> bool:
    """Whether a pet is told by name ("Miso") rather than by kind ("two cats", 一只猫)."""
    if has_cjk(value):
        return _COUNTED.search(value) is None
    return value[:1].isupper()


def _who(subject: str) -> str:
    """Somebody else as the user calls them, said back: "my boss" is "your boss"."""
    turned = _MINE.sub("your", subject)
    return "你" + turned[1:] if turned.startswith("我") else turned


class MemoryVoice:
    """Answers from memory in fixed sentences (English, Chinese), and says when it does not
    know. It generates nothing, so it can't invent."""

    def __init__(self, slots: Slots) -> None:
        self._slots = slots

    def respond(self, prompt: Prompt) -> str:
        """The reply to the turn: what was taken out, what changed, what is remembered."""
        move = move_of(prompt.turn.text)
        said = [*self._redacted(prompt), *self._settled(prompt), *self._changes(prompt)]
        if move is Move.FORGET:
            said.append(self._say(prompt, "erase"))
        elif move in _ASKING:
            said += self._answer(prompt, move, spoken=bool(said))
        elif not said and not prompt.question:
            said += self._heard(prompt, move)
        if prompt.question and not said:
            said.append(self._say(prompt, "checking"))
        return self._say(prompt, "gap").join(said)

    # words

    def _say(self, prompt: Prompt, key: str, **values: str) -> str:
        text: str = phrases(prompt.language)["say"][key]
        for name, value in values.items():
            text = text.replace(f"{{{name}}}", value)
        return text

    def _list(self, prompt: Prompt, facts: Iterable[Fact]) -> str:
        """The facts as clauses, those alike in one: "you like jazz and tea"."""
        groups: dict[tuple[str, ...], list[Fact]] = {}
        for fact in facts:
            one_by_one = fact.id if fact.attribute in _UNLISTED else ""
            named = str(_is_name(fact.value))
            key = (fact.subject, fact.attribute, fact.polarity, named, one_by_one)
            groups.setdefault(key, []).append(fact)
        clauses = (
            _statement(group[0], self._values(prompt, group), self._slots, prompt.language)
            for group in groups.values()
        )
        return self._say(prompt, "joiner").join(dict.fromkeys(clauses))

    def _values(self, prompt: Prompt, facts: Sequence[Fact]) -> str:
        *first, last = dict.fromkeys(fact.value.strip() for fact in facts)
        if not first:
            return last
        return self._say(prompt, "comma").join(first) + self._say(prompt, "and") + last

    # what happened

    def _redacted(self, prompt: Prompt) -> list[str]:
        kinds = phrases(prompt.language)["kind"]
        names = [kinds.get(one.kind, kinds["any"]) for one in prompt.screened.redactions]
        if not names:
            return []
        joined = self._say(prompt, "comma").join(dict.fromkeys(names))
        return [self._say(prompt, "redacted", kinds=joined)]

    def _settled(self, prompt: Prompt) -> list[str]:
        answers = {one.answer for one in prompt.judgement.settlements}
        if Answer.DONT_STORE in answers:
            return [self._say(prompt, "not_stored")]
        return [self._say(prompt, "kept")] if Answer.FIRST in answers else []

    def _changes(self, prompt: Prompt) -> list[str]:
        opened, closed = prompt.committed.opened, prompt.committed.closed
        replaced = {fact.id for fact in opened} & {one.superseded_by for one in closed}
        new = [fact for fact in opened if fact.id not in replaced]
        changes = [self._changed(prompt, fact) for fact in opened if fact.id in replaced]
        clauses = [*changes, self._list(prompt, new)] if new else changes
        retracted = [one for one in closed if not one.superseded_by]
        said = []
        if clauses:
            joined = self._say(prompt, "joiner").join(clauses)
            said.append(self._say(prompt, "noted", statements=joined))
        if retracted:
            said.append(self._say(prompt, "retracted", statements=self._list(prompt, retracted)))
        return said

    def _changed(self, prompt: Prompt, fact: Fact) -> str:
        """The new fact with what it took the place of."""
        old = [one for one in prompt.committed.closed if one.superseded_by == fact.id]
        alike = all(one.polarity is fact.polarity for one in old)
        before = self._values(prompt, old) if alike else self._list(prompt, old)
        return self._say(prompt, "before", statement=self._list(prompt, [fact]), old=before)

    # answers

    def _answer(self, prompt: Prompt, move: Move, *, spoken: bool) -> list[str]:
        """What memory has to say to a question or a request."""
        said = self._notes(prompt)
        told = " ".join(said)
        relevant = [
            one
            for one in prompt.recollection.recalled
            if self._bears_on(one, prompt, move) and one.fact.value not in told
        ]
        if relevant:
            statements = self._remembered(prompt, relevant)
            said.append(self._say(prompt, _manner(move, relevant), statements=statements))
        if said or spoken or prompt.question:
            return said
        return [self._say(prompt, _unanswered(prompt, move))]

    def _notes(self, prompt: Prompt) -> list[str]:
        """Premises to put right, where the user speaks of themselves. What was turned round
        ("you don't like sushi") is said better as the fact that holds now."""
        if not about_user(prompt.turn.text):
            return []
        turned = [
            one.fact.value
            for one in prompt.recollection.recalled
            if one.fact.polarity is Polarity.NEGATIVE
        ]
        notes = prompt.recollection.notes
        return [note for note in notes if not any(value in note for value in turned)]

    def _bears_on(self, one: Recalled, prompt: Prompt, move: Move) -> bool:
        """Whether this fact belongs in the answer: a standing instruction binds every
        answer, but is one only where it is asked about."""
        slot = self._slots.get(one.fact.attribute)
        if slot is None or slot.kind is not SlotKind.INSTRUCTION or move is Move.EVERYTHING:
            return True
        text, lexicon = prompt.turn.text, Lexicon.load()
        shared = set(lexicon.terms(text)) & set(lexicon.terms(one.fact.value))
        return hears("rules", text) or (bool(shared) and about_user(text))

    def _remembered(self, prompt: Prompt, relevant: Sequence[Recalled]) -> str:
        sure = [one.fact for one in relevant if not one.note]
        clauses = [self._list(prompt, sure)] if sure else []
        for one in relevant:
            if one.note:
                said = statement(one.fact, self._slots, prompt.language)
                clauses.append(self._say(prompt, "stale", statement=said))
        return self._say(prompt, "joiner").join(dict.fromkeys(clauses))

    # everything else

    def _heard(self, prompt: Prompt, move: Move) -> list[str]:
        """The reply to a turn that neither asks nor changed anything."""
        if prompt.distillation is None:
            return [self._say(prompt, "behind")]
        if move in _SMALL_TALK:
            return [self._say(prompt, move.value)]
        if notes := self._notes(prompt):
            return notes
        known = {
            fact
            for one in prompt.judgement.decisions
            if one.verdict is Verdict.ADMIT and one.effect is Effect.REPEAT
            for fact in one.against
        }
        repeated = [one.fact for one in prompt.recollection.recalled if one.fact.id in known]
        if repeated:
            return [self._say(prompt, "known", statements=self._list(prompt, repeated))]
        if known:
            return [self._say(prompt, "acknowledged")]
        held = any(one.verdict is Verdict.HOLD for one in prompt.judgement.decisions)
        return [self._say(prompt, "unsure" if held else "nothing")]


def _manner(move: Move, relevant: Sequence[Recalled]) -> str:
    """Which sentence gives the facts: what was asked for, or only what is to be heeded."""
    if move is Move.REQUEST:
        return "heeded"
    touched = all(0 < one.parts.get("route", 0.0) < 1 for one in relevant)
    return "advice" if touched else "recalled"


def _unanswered(prompt: Prompt, move: Move) -> str:
    """The sentence for a question that memory can't answer."""
    if prompt.distillation is None:
        return "behind"
    if move is Move.EVERYTHING:
        return "nobody"
    if move is Move.MYSELF:
        return "myself"
    if move is Move.REQUEST:
        return "unable"
    text = prompt.turn.text
    return "unknown" if about_user(text) or folded(text).startswith("do you know") else "general"
