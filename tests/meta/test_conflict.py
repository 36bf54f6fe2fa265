"""Conflict: the new against the old."""

import pytest

from hma.meta.base import ConflictPolicy, Ruling
from hma.meta.conflict import MostTrusted, NewestWins, SlotConflict
from hma.meta.matching import rivals
from hma.records import Candidate, Effect, Fact, Source, Status, Verdict
from hma.testing.policies import ConflictConformance
from hma.testing.samples import NOW, SLOTS, a_candidate, a_context, a_fact, a_memory

LISBON = a_fact("lisbon", "home", "Lisbon")
COFFEE = a_fact("coffee", "likes", "coffee")
REX = a_fact("rex", "pet", "a dog named Rex")
MISO = a_fact("miso", "pet", "a cat named Miso")


class TestSlotConflict(ConflictConformance):
    """The shipped policies keep what every conflict policy must keep."""

    def policy(self) -> SlotConflict:
        """The default."""
        return SlotConflict()


class TestNewestWins(ConflictConformance):
    """The newest."""

    def policy(self) -> NewestWins:
        """It has no options."""
        return NewestWins()


class TestMostTrusted(ConflictConformance):
    """The most trusted."""

    def policy(self) -> MostTrusted:
        """It has no options."""
        return MostTrusted()


def rule(candidate: Candidate, *facts: Fact, policy: ConflictPolicy | None = None) -> Ruling:
    """The ruling on `candidate` in a memory of `facts`."""
    against = rivals(SLOTS[candidate.attribute], candidate, facts)
    return (policy or SlotConflict()).resolve(candidate, against, a_context(a_memory(*facts)))


def admits(ruling: Ruling, effect: Effect, *against: str) -> bool:
    """Whether the ruling admits with this effect against these facts."""
    return (ruling.verdict, ruling.effect, set(ruling.against)) == (
        Verdict.ADMIT,
        effect,
        set(against),
    )


# --- nothing in the way --------------------------------------------------------------


def test_the_first_of_its_slot_is_new() -> None:
    """Where nothing is known there is nothing to weigh."""
    assert admits(rule(a_candidate("home", "Porto")), Effect.NEW)


def test_values_of_a_wide_slot_stand_side_by_side() -> None:
    """A second pet, a second liking."""
    assert admits(rule(a_candidate("pet", "a cat"), REX), Effect.COEXIST)
    assert admits(rule(a_candidate("likes", "tea"), COFFEE), Effect.COEXIST)


@pytest.mark.parametrize(
    ("fact", "candidate"),
    [
        (LISBON, a_candidate("home", "Porto", subject="Maria")),
        (LISBON, a_candidate("home", "Porto", scope="holidays")),
        (LISBON, a_candidate("school", "Porto")),
        (LISBON, a_candidate("home", "Porto", "-")),
        (a_fact("f", "home", "Porto", "-"), a_candidate("home", "Lisbon")),
        (a_fact("f", "home", "Lisbon", closed_at=NOW), a_candidate("home", "Porto")),
    ],
    ids=["subject", "scope", "slot", "denies another", "another was denied", "closed"],
)
def test_what_does_not_compete(fact: Fact, candidate: Candidate) -> None:
    """Another subject, scope or slot, a denied other value and a closed row are no rivals."""
    ruling = rule(candidate, fact)
    assert ruling.verdict is Verdict.ADMIT
    assert not ruling.against


# --- the same again ------------------------------------------------------------------


@pytest.mark.parametrize(
    "value", ["Lisbon", "lisbon.", "ＬＩＳＢＯＮ", "Lisbon, Portugal", "Lisbon (PT)"]
)
def test_the_same_value_is_a_repeat(value: str) -> None:
    """Case, width, punctuation and an addition make no other value."""
    assert admits(rule(a_candidate("home", value), LISBON), Effect.REPEAT, "lisbon")


@pytest.mark.parametrize(
    ("attribute", "old", "new"),
    [
        ("home", "New York", "New York City"),
        ("home", "New York", "York"),
        ("home", "Porto, Portugal", "Porto, Brazil"),
        ("budget", "1,200 euros", "1,300 euros"),
        ("budget", "1,200", "1"),
        ("age", "41", "14"),
        ("birthday", "3 May", "5 March"),
        ("name", "Ana Silva", "Ana Sousa"),
        ("home", "上海", "北京"),
        ("name", "王芳", "王方"),
    ],
)
def test_values_that_look_alike_are_not_the_same(attribute: str, old: str, new: str) -> None:
    """Names, numbers, dates and places are compared exactly; a doubt is asked."""
    ruling = rule(a_candidate(attribute, new), a_fact("f", attribute, old))
    assert ruling.verdict is Verdict.ASK


def test_a_lesser_source_does_not_touch_a_statement() -> None:
    """A repeat by a tool would lower the fact's trust class: it is refused."""
    ruling = rule(a_candidate("home", "Lisbon", source=Source.TOOL), LISBON)
    assert ruling.verdict is Verdict.REFUSE


def test_a_statement_takes_the_place_of_an_assumption() -> None:
    """Said by the user, the same value opens a new row of the better class."""
    guess = a_fact("guess", "home", "Lisbon", source=Source.ASSUMED)
    assert admits(rule(a_candidate("home", "Lisbon"), guess), Effect.SUPERSEDE, "guess")


# --- clashes -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fact", "candidate"),
    [
        (LISBON, a_candidate("home", "Porto")),
        (COFFEE, a_candidate("likes", "coffee", "-")),
        (LISBON, a_candidate("home", "Lisbon", "-")),
        (a_fact("f", "pet", "a dog"), a_candidate("pet", "a dog", "-")),
        (a_fact("f", "likes", "香菜", "-"), a_candidate("likes", "香菜")),
    ],
)
def test_an_asserted_clash_asks(fact: Fact, candidate: Candidate) -> None:
    """Two statements, neither of which corrects the other, become a question."""
    ruling = rule(candidate, fact)
    assert (ruling.verdict, ruling.against) == (Verdict.ASK, (fact.id,))


@pytest.mark.parametrize(
    "candidate",
    [
        a_candidate("home", "Porto", status=Status.CORRECTED),
        a_candidate("home", "Porto", cues=["change"]),
        a_candidate("home", "Porto", cues=["hedge", "correction"]),
        a_candidate("home", "Lisbon", "-", cues=["change"]),
    ],
)
def test_a_correction_or_change_supersedes(candidate: Candidate) -> None:
    """ "I moved", "no longer", "I meant": the user said that it is different."""
    assert admits(rule(candidate, LISBON), Effect.SUPERSEDE, "lisbon")


@pytest.mark.parametrize("policy", [SlotConflict(), NewestWins(), MostTrusted()])
@pytest.mark.parametrize("cues", [["weak"], ["temporary"], ["hedge", "weak"]])
def test_a_passing_mention_overturns_nothing(policy: ConflictPolicy, cues: list[str]) -> None:
    """ "I'm in Porto this week" leaves the home alone, under every policy."""
    ruling = rule(a_candidate("home", "Porto", cues=cues), LISBON, policy=policy)
    assert ruling.verdict is Verdict.HOLD


@pytest.mark.parametrize(
    ("policy", "verdict"),
    [(SlotConflict(), Verdict.ASK), (NewestWins(), Verdict.HOLD), (MostTrusted(), Verdict.HOLD)],
)
def test_a_passing_word_of_a_change_is_asked(policy: ConflictPolicy, verdict: Verdict) -> None:
    """ "I moved to Porto this week" may be for good: asked, by the policy that asks."""
    candidate = a_candidate("home", "Porto", cues=["change", "temporary"])
    assert rule(candidate, LISBON, policy=policy).verdict is verdict


def test_a_hedged_change_is_not_asked() -> None:
    """What the user is not sure of himself is no doubt of ours."""
    candidate = a_candidate("home", "Porto", status=Status.TENTATIVE, cues=["change"])
    assert rule(candidate, LISBON).verdict is Verdict.HOLD


def test_an_explicit_correction_is_never_passing() -> None:
    """ "No, I moved this week" supersedes."""
    candidate = a_candidate("home", "Porto", status=Status.CORRECTED, cues=["temporary"])
    assert admits(rule(candidate, LISBON), Effect.SUPERSEDE, "lisbon")


@pytest.mark.parametrize("policy", [SlotConflict(), NewestWins(), MostTrusted()])
@pytest.mark.parametrize("source", [Source.ASSUMED, Source.ASSISTANT, Source.TOOL])
def test_an_inference_never_beats_a_statement(policy: ConflictPolicy, source: Source) -> None:
    """Not even where it claims to be a correction."""
    candidate = a_candidate("home", "Porto", source=source, status=Status.CORRECTED, confidence=1.0)
    assert rule(candidate, LISBON, policy=policy).verdict is Verdict.REFUSE


def test_a_statement_beats_an_assumption_without_asking() -> None:
    """What was assumed of a stranger gives way to the first word of his own."""
    guess = a_fact("guess", "home", "Lisbon", source=Source.ASSUMED)
    assert admits(rule(a_candidate("home", "Porto"), guess), Effect.SUPERSEDE, "guess")


def test_one_of_two_that_the_user_keeps_is_not_asked_again() -> None:
    """After "both" a repetition of one is a repeat; "only Porto now" ends the other."""
    facts = (LISBON, a_fact("porto", "home", "Porto"))
    assert admits(rule(a_candidate("home", "Porto"), *facts), Effect.REPEAT, "porto")
    only = a_candidate("home", "Porto", cues=["change"])
    assert admits(rule(only, *facts), Effect.SUPERSEDE, "porto", "lisbon")


@pytest.mark.parametrize(
    ("quote", "value", "old"),
    [
        ("I switched from oat milk to soy milk", "soy milk", "oat milk"),
        ("I drink soy milk instead of  Oat Milk now", "soy milk", "oat milk"),
        ("我改喝豆浆，不再喝燕麦奶", "豆浆", "咖啡"),
        ("我从燕麦奶换成豆浆了", "豆浆", "燕麦奶"),
    ],
)
def test_a_change_that_names_what_it_replaces(quote: str, value: str, old: str) -> None:
    """Among many likings only the one that the clause itself leaves behind is closed."""
    facts = (a_fact("old", "likes", old), a_fact("other", "likes", "milk"))
    ruling = rule(a_candidate("likes", value, cues=["change"], quote=quote), *facts)
    named = old.casefold() in " ".join(quote.casefold().split())
    assert ruling.against == (("old",) if named else ())


# --- taking back ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("candidate", "closed"),
    [
        (a_candidate("pet", "Rex", status=Status.RETRACTED), "rex"),
        (a_candidate("pet", "the cat", status=Status.RETRACTED), "miso"),
        (a_candidate("likes", "coffee", status=Status.RETRACTED), "coffee"),
        (a_candidate("likes", "coffee", "-", status=Status.RETRACTED), "coffee"),
        (a_candidate("home", "Lisbon, Portugal", status=Status.RETRACTED), "lisbon"),
    ],
)
def test_a_retraction_closes_the_matching_fact(candidate: Candidate, closed: str) -> None:
    """By the same value or by a word of it, whichever polarity it was read with."""
    assert admits(rule(candidate, LISBON, COFFEE, REX, MISO), Effect.RETRACT, closed)


def test_nothing_to_take_back() -> None:
    """A retraction of what memory does not hold is refused."""
    ruling = rule(a_candidate("home", "Porto", status=Status.RETRACTED), LISBON)
    assert (ruling.verdict, ruling.reason) == (Verdict.REFUSE, "there is nothing to take back")


def test_a_retraction_that_fits_two_facts_waits() -> None:
    """Which of two cats? Neither is closed by guess."""
    other = a_fact("mochi", "pet", "a cat named Mochi")
    ruling = rule(a_candidate("pet", "cat", status=Status.RETRACTED), MISO, other)
    assert ruling.verdict is Verdict.HOLD


def test_only_the_user_takes_back_what_he_said() -> None:
    """A tool's retraction is refused."""
    candidate = a_candidate("likes", "coffee", status=Status.RETRACTED, source=Source.TOOL)
    assert rule(candidate, COFFEE).verdict is Verdict.REFUSE


# --- the other policies --------------------------------------------------------------


def test_newest_wins() -> None:
    """It supersedes where the default asks."""
    ruling = rule(a_candidate("home", "Porto", confidence=0.1), LISBON, policy=NewestWins())
    assert admits(ruling, Effect.SUPERSEDE, "lisbon")


@pytest.mark.parametrize(("confidence", "wins"), [(0.95, True), (0.9, True), (0.85, False)])
def test_the_most_trusted_wins(confidence: float, wins: bool) -> None:
    """Among equal sources the surer statement stands; between equals the newer."""
    ruling = rule(a_candidate("home", "Porto", confidence=confidence), LISBON, policy=MostTrusted())
    assert (ruling.verdict is Verdict.ADMIT) is wins
    assert ruling.verdict is not Verdict.ASK


def test_the_most_trusted_respects_a_correction() -> None:
    """An explicit correction wins over an older, surer statement."""
    candidate = a_candidate("home", "Porto", status=Status.CORRECTED, confidence=0.8)
    assert admits(rule(candidate, LISBON, policy=MostTrusted()), Effect.SUPERSEDE, "lisbon")
