"""What plain code sees in a clause: words of change, doubt, denial, supposition, report.

A cue is evidence, not a verdict. Readers use cues to keep silent, confidence uses them
as signals, and the conflict policy reads "change" and "correction".
"""

import re

from hma.working.noise import is_question
from hma.working.segments import quoted_ranges


def _cue(english: str, chinese: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{english})(?!\w)|{chinese}", re.IGNORECASE)


# Looked for in the clause itself.
_IN_CLAUSE = {
    "change": _cue(
        r"moved|move to|relocated|switched|changed|now|nowadays|these days|any ?more|"
        r"no longer|since|"
        r"stopped|quit|gave up|just (?:started|got|bought|joined)|became|went (?:vegan|vegetarian)|"
        r"from now on|new (?:job|home|address|name|number)|left",
        r"搬到|搬去|搬来|改成|改为|换了|换成|换到|现在|如今|不再|已经不|从此|开始|戒了|辞职|离职|跳槽|改名",
    ),
    "correction": _cue(
        r"actually|i mean(?:t)?|no,? wait|wait,? no|sorry|correction|scratch that|my mistake|"
        r"i misspoke|make that|after all|rather than|not what i (?:said|meant)|should be|typo",
        r"不对|应该是|说错|打错|记错|更正|纠正|我是说|我的意思是|不是.{1,20}(?:而)?是|其实",
    ),
    "hedge": _cue(
        r"maybe|perhaps|might|(?:i|we|he|she|they|it) may|probably|possibly|i think|i guess|"
        r"i suppose|not sure|thinking (?:about|of)|"
        r"considering|apparently|i believe|kind of|kinda|sort of|could be|seems?|likely",
        r"可能|也许|大概|或许|应该会|考虑|好像|似乎|估计|说不定|没准|不确定|我猜|我觉得可能",
    ),
    "negation": _cue(
        r"not|never|no|none|nothing|neither|nor|without|cannot|\w+n['’]t|dont|cant|wont|isnt|"
        r"hate|dislike",
        r"不|没|别|无|非|讨厌|未",
    ),
    "third_party": _cue(
        r"my (?:\w+[ -])?(?:friend|mate|sister|brother|mother|mum|mom|father|dad|wife|husband|"
        r"partner|son|"
        r"daughter|kids?|boss|colleague|neighbou?r|cousin|aunt|uncle|girlfriend|boyfriend|roommate|"
        r"flatmate|grand\w+|parents?|in-laws?|mother-in-law|father-in-law|client|team)|he|she|"
        r"they|his|her",
        r"我(?:的)?(?:一个|好)?(?:朋友|妈|爸|父|母|哥|姐|弟|妹|老婆|老公|妻子|丈夫|儿子|女儿|同事|老板|邻居|室友|同学|"
        r"男朋友|女朋友|对象|爷爷|奶奶|外公|外婆|孩子|客户)|(?<!吉)他|她",
    ),
    "past": _cue(
        r"used to|formerly|back then|in the past|years ago|as a (?:kid|child)|when i was|"
        r"previously|once lived|"
        r"ex-\w+",
        r"以前|曾经|过去|之前|小时候|原来|当年|从前",
    ),
    "temporary": _cue(
        r"today|tonight|this (?:week|morning|afternoon|evening|weekend|month|time)|"
        r"at the moment|for now|"
        r"right now|temporarily|tomorrow|currently|until",
        r"今天|今晚|今早|这周|本周|这几天|这个月|暂时|目前|这次|明天|眼下|这会儿",
    ),
    "weak": _cue(
        r"lately|recently|sometimes|once in a while|occasionally|a bit|a little|been \w+ing|"
        r"trying|tried",
        r"最近|有时|偶尔|有点|试试|试过|最近在",
    ),
}
# Looked for in the whole sentence: they reach over clause borders.
_IN_SENTENCE = {
    "condition": _cue(
        r"if|unless|would|wish|suppose|assuming|imagine|in case|provided|as long as|hypothetically|"
        r"(?:i|you|we|he|she|they)['’]d|what if|were to|otherwise",
        r"如果|要是|假如|假设|倘若|除非|万一|的话|假使|就好了|若是",
    ),
    "quote": _cue(
        r"said|says|say|told|tells|claims?|claimed|wrote|writes|texted|according to|quote|"
        r"asked|thinks|believes|reckons|called me an?",
        r"[他她它们说妈爸友事板](?:总|常|老|跟我|对我)?说|据说|听说|所谓|写道|问我|告诉我|觉得我|以为我|认为我",
    ),
    "fiction": _cue(
        r"in (?:the|my|this|a|our) (?:\w+ )?(?:novel|story|book|game|show|sitcom|movie|film|"
        r"screenplay|"
        r"script|play|poem|"
        r"song|series|campaign|dream)|my (?:\w+ )?character|role-?play(?:ing)?|pretend|"
        r"make-believe|"
        r"the (?:hero|heroine|protagonist|narrator|villain)|lyrics?|i (?:dreamt|dreamed)|"
        r"act as|once upon a time|"
        r"write (?:me )?(?:a|an) (?:\w+ )?(?:story|poem|song|scene|letter|monologue|dialogue|"
        r"bio)|fictional|"
        r"let['’]?s (?:play|say|imagine)|in character",
        r"小说里|小说中|故事里|故事中|游戏里|游戏中|电影里|剧本|主角|主人公|角色扮演|扮演|假装|我的角色|梦见|梦到|"
        r"歌词|歌里|台词|书里|剧里|写(?:一)?(?:个|篇|首|段).{0,6}(?:故事|小说|诗|歌|作文|独白|文案)",
    ),
    "joke": _cue(
        r"just kidding|kidding|jk|j/k|joking|just a joke|as a joke|lol no|sarcasm|/s|"
        r"not really lol|in your dreams",
        r"开玩笑|开个玩笑|说笑|逗你|骗你的|闹着玩|玩笑话|才怪",
    ),
}

CUES: tuple[str, ...] = tuple(sorted({*_IN_CLAUSE, *_IN_SENTENCE, "question"}))
"""The name of every cue, sorted."""


def cues(clause_text: str, sentence_text: str) -> tuple[str, ...]:
    """Sorted names of the cues in a clause, and of those that its sentence casts over it.

    >>> cues("Maybe I'll move to Oslo", "Maybe I'll move to Oslo if I can.")
    ('change', 'condition', 'hedge')
    >>> cues("我可能搬到成都", "我可能搬到成都。")
    ('change', 'hedge')
    """
    found = {name for name, seen in _IN_CLAUSE.items() if seen.search(clause_text)}
    found |= {name for name, seen in _IN_SENTENCE.items() if seen.search(sentence_text)}
    if _is_quoted(clause_text, sentence_text):
        found.add("quote")
    if is_question(clause_text):
        found.add("question")
    return tuple(sorted(found))


def has_cue(name: str, text: str) -> bool:
    """Whether the words of one cue occur in a text. `name` is one of `CUES` but "question"."""
    return (_IN_CLAUSE.get(name) or _IN_SENTENCE[name]).search(text) is not None


def _is_quoted(clause: str, sentence: str) -> bool:
    if quoted_ranges(clause):
        return True
    start = sentence.find(clause)
    return any(left <= start < right for left, right in quoted_ranges(sentence))
