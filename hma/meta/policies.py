"""The shipped policies, under the names by which a config may call them."""

from hma.meta.admission import ThresholdAdmission
from hma.meta.asking import PatientAsking
from hma.meta.conflict import MostTrusted, NewestWins, SlotConflict
from hma.meta.decay import HalfLifeDecay, InactivityDecay, NoDecay
from hma.meta.privacy.gate import StandardPrivacy, StrictPrivacy
from hma.meta.recall_policy import BudgetRecall

__all__ = [
    "BudgetRecall",
    "HalfLifeDecay",
    "InactivityDecay",
    "MostTrusted",
    "NewestWins",
    "NoDecay",
    "PatientAsking",
    "SlotConflict",
    "StandardPrivacy",
    "StrictPrivacy",
    "ThresholdAdmission",
]
