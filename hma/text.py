"""Small text functions that more than one tier needs. English and Chinese alike."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*", re.UNICODE)
_ARTICLES = re.compile(r"^(?:a|an|the|my|our|some)\s+", re.IGNORECASE)
_EDGES = " \t\n\r.,;:!?\"'“”‘’「」『』《》()[]（）【】，。；：！？、…~～-—"


def has_cjk(text: str) -> bool:
    """Whether any Chinese, Japanese or Korean character occurs.

    >>> has_cjk("I live in 上海"), has_cjk("Zürich")
    (True, False)
    """
    return _CJK.search(text) is not None


def language_of(text: str) -> str:
    """ "zh" when CJK characters carry the text, else "en".

    >>> language_of("我住在 Lisbon"), language_of("I said 你好 to everyone in the office")
    ('zh', 'en')
    """
    cjk = len(_CJK.findall(text))
    words = sum(1 for word in _WORD.findall(text) if not _CJK.search(word))
    return "zh" if cjk and cjk >= words else "en"


def folded(text: str) -> str:
    """Compatibility-normalised (full width too), case-folded, with plain apostrophes: the form
    in which texts are searched.

    >>> folded("Ｉ’M FROM ZÜRICH")
    "i'm from zürich"
    """
    return unicodedata.normalize("NFKC", text).casefold().replace("’", "'")


@lru_cache(maxsize=16_384)
def normal_form(value: str) -> str:
    """The form under which two values are compared: NFKC, case-folded, without articles,
    outer punctuation or repeated spaces. It stands beside a value, never instead of it.

    >>> normal_form("The  Green Café.") == normal_form("green café")
    True
    >>> normal_form("ＬＩＳＢＯＮ，")
    'lisbon'
    """
    text, before = unicodedata.normalize("NFKC", value).casefold(), None
    while text != before:  # what stood behind an article may have edges of its own
        before = text
        text = unicodedata.normalize("NFKC", " ".join(text.split()).strip(_EDGES))
        text = _ARTICLES.sub("", text).casefold()
    return text


def terms(text: str) -> Iterator[str]:
    """Terms for lexical matching: case-folded words, and bigrams of CJK runs (a single
    character where the run has only one).

    >>> list(terms("My cat 小橘猫"))
    ['my', 'cat', '小橘', '橘猫']
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    for word in _WORD.findall(folded):
        for run, cjk in _runs(word):
            if not cjk or len(run) == 1:
                yield run
            else:
                yield from (run[i : i + 2] for i in range(len(run) - 1))


def _runs(word: str) -> Iterator[tuple[str, bool]]:
    """Split a word where CJK and other scripts meet."""
    start = 0
    for i in range(1, len(word) + 1):
        if i == len(word) or has_cjk(word[i]) != has_cjk(word[start]):
            yield word[start:i], has_cjk(word[start])
            start = i
