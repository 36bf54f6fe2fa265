"""The words in which people answer "is the second right now?", English and Chinese.

All patterns match a whole clause that is NFKC-normal and case-folded. `OLD`, `NEW` and
`BOTH_SIDES` stand where a clause names the value of a side.
"""

import re

OLD, NEW, BOTH_SIDES, QUOTED = "\ue001", "\ue002", "\ue000", "\ue003"
SIDES = OLD + NEW + BOTH_SIDES


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


# Said before or after an answer without changing it.
FILLER = _any(
    r"no (?:thanks|thank you|problem|worries)|(?:oh|ah|ay) no+",
    r"(?:well|um+|uh+|oh|ah+|er+|hm+|hmm+|so|ok|okay|k|hi|hello|hey|actually|sorry|please|thanks|"
    r"thank you|honestly|oops|lol|haha)(?: (?:well|so|ok|then|sorry|you|no problem))?",
    r"(?:嗯+|哦+|啊+|呃+|那个|这个|好的?|好吧|谢谢(?:你|您)?|你好|其实|不好意思|抱歉|哈+)",
)
LEADING = re.compile(
    r"^(?:(?:and|but|well|um+|uh+|oh|hmm*|so|ok|okay|actually|sorry|please|honestly|i mean)\s+|"
    r"(?:其实|哦|嗯|呃|那个|不好意思)(?=[^\s嗯]))+"
)
TRAILING = re.compile(
    r"(?:\s+(?:please|thanks|thank you|actually|of course|indeed|for sure|mate|lol|now|then|"
    r"sir))+$|"
    r"[啊呀哦吧呢啦哈嘛]+$"
)

_YES_EN = (
    r"yes+|yeah|yep|yup|yea|y|aye|correct|right|exactly|indeed|true|absolutely|definitely|"
    r"certainly|"
    r"sure|affirmative|precisely|of course|confirmed?|spot on|it is|it does|(?:that(?:'s| is)|it's|"
    r"you(?:'re| are)|all|quite) (?:absolutely |quite )?(?:right|correct|true|it)"
)
_NO_EN = (
    r"no+|nope|nah|naw|n|no way|not at all|not really|not anymore|wrong|incorrect|false|negative|"
    r"never|"
    r"(?:that|it)(?:'s| is)(?: not|n't) (?:quite )?(?:right|correct|true|it|so)|(?:that|it)'?s? "
    r"(?:isn't|is not|not)"
    r"(?: (?:right|correct|true))?|(?:that's|that is|it's|you're|you are) (?:wrong|incorrect|"
    r"false|mistaken)|"
    r"not (?:right|correct|true)|no change|nothing(?: has|'s)? changed|(?:it's )?still the same|"
    r"same as before|(?:leave|keep) (?:it|that|things) as (?:it|that|they) (?:is|was|are|were)|"
    r"it hasn't changed|unchanged|i (?:didn't|did not|haven't|have not)(?: (?:move|moved|change|"
    r"changed|switched))?"
)
YES = _any(
    rf"(?:{_YES_EN})(?:\s+(?:{_YES_EN}))*+",
    r"(?:是|对|嗯){1,3}|(?:是|对)[的滴]|没有?错|没问题|正确|确实(?:是|如此)?|当然(?:是|对)?的?|"
    r"确认|就是(?:这样)?的?|"
    r"(?:你)?说得?对|是这样的|肯定是?的?|对了",
)
NO = _any(
    rf"(?:{_NO_EN})(?:\s+(?:{_NO_EN}))*+",
    r"不+|不是的?|不对的?|没有?|错了?|不正确|否|并不是?|不是这样的?|我?(?:还|并)?没有?(?:变化?|换|搬|改变?|跳槽|离职)过?(?:工作|家|公司|地方)?|"
    r"(?:你)?(?:记|搞|弄|说)错了|"
    r"不是不是|不对不对|并没有|还是老样子|跟?以前一样|和以前一样",
)
# A yes or no that runs on without a comma: "yes I moved in May", "不是的我还在里斯本".
YES_THEN = re.compile(
    r"^(?:(?:yes|yeah|yep|yup)\s+(?=(?:i|i'm|i've|it|it's|that|that's|we|my|the|both|now|since|"
    r"because|just|still|new|first|second)\b|"
    rf"[{SIDES}])|(?:是的|没错|对的|对啊|对呀)(?=我|现在|已经|第|都|[{SIDES}]))"
)
NO_THEN = re.compile(
    r"^(?:(?:no|nope|nah)\s+(?=(?:i|i'm|i've|it|it's|that|that's|we|my|the|both|neither|not|still|"
    r"nothing|don't|same|old|first|second)\b|"
    rf"[{SIDES}])|(?:不是的|不对)(?=我|现在|还|第|都|前|后|[{SIDES}])|不是?(?=我[还没]|现在|还))"
)
# With more behind them these open another subject: "right, so ...", "对了，……" (by the way).
TURNING = frozenset({"right", "sure", "true", "indeed", "对了", "是这样的"})
REPORTED = re.compile(
    r"\b(?:he|she|they|who|everyone|someone|mom|mother|dad|father|friend|boss)\b.*\b(?:said|says|"
    r"say|told|tells|thinks?|asked|"
    r"asks|answer(?:s|ed)?|replied|replies|wrote)\b|\b(?:told|asked|answered|replied) (?:him|her|"
    r"them|my|the)\b|\bif\b|"
    r"[他她们人](?:说|问|讲|告诉|回答|觉得)|如果|假如|要是|万一"
)
# As a polarity question these mean the thing itself, not "(2)": "do I like it? I do".
I_DO = _any(r"(?:yes )?(?:i (?:do|am|have|really do|still do)|i'm)")
I_DONT = _any(r"(?:no )?(?:i'm not|i (?:don't|do not|am not|haven't|really don't))(?: any ?more)?")

_LEAD_EN = (
    r"(?:(?:it's|it is|that's|i'd say|i (?:pick|choose|mean|meant|prefer|want|say|take)|go with|"
    r"keep|use|take|choose|"
    r"pick|store|save|still|stick with|update (?:it|that) to|change (?:it|that) to|"
    r"switch to|make it|definitely|only|just|not)\s+)*+"
)
_TAIL_EN = (
    r"(?:\s+(?:is|was|are)(?: still| now)? (?:the )?(?:right|correct|true|one|current|valid|wrong|"
    r"incorrect|false|"
    r"outdated|old|not (?:right|correct|true|valid)|no longer (?:right|correct|true|valid))(?: "
    r"one)?|"
    r"\s+isn't (?:right|correct|true|valid))?(?:\s+(?:any ?more|now|today))?"
)
_NUMBER = (
    r"(?:the )?(?:(?:number|option|no\.?|version|answer|choice|#)\s?)?\(?{digit}\)?|"
    r"(?:number|option|version) {word}"
)
_THING = r"(?: (?:one|version|option|answer|value|side))?"
_LEAD_ZH = r"(?:改成|改为|换成|应该|当然|就|还|才|选择?|我选|我要|保留|用|留|记|是|不)*+"
_TAIL_ZH = r"(?:才?是?(?:对|正确|没错|准|不对|错|不正确|过时))?[的了吧哦啊呀]*"


def _side(words_en: str, number: str, words_zh: str) -> re.Pattern[str]:
    return _any(
        rf"{_LEAD_EN}(?:(?:the )?(?:{words_en}){_THING}|{number}){_TAIL_EN}",
        rf"{_LEAD_ZH}(?:{words_zh}){_TAIL_ZH}",
    )


FIRST = _side(
    r"first|1st|former|old|older|original|previous|earlier",
    _NUMBER.format(digit=1, word="one"),
    r"第\s*[一1]\s*[个种项条]?|前[者一]个?|前面(?:那|的)一?个?|(?:旧|老|原来|原先|之前|以前)(?:的|"
    r"那个|那)+|原来|1",
)
SECOND = _side(
    r"second|2nd|latter|new|newer|newest|latest|last|recent|updated",
    _NUMBER.format(digit=2, word="two"),
    r"第\s*[二2两]\s*[个种项条]?|后[者一]个?|后面(?:那|的)一?个?|(?:新|最新|现在)(?:的|那个|那)+|2",
)
BOTH = _any(
    r"(?:keep |store |it's |they're |they are |yes )?both(?: of (?:them|those|these|the two))?(?: "
    r"(?:are |is )?(?:right|"
    r"correct|true|fine|valid|apply|hold))?(?: now)?",
    r"(?:keep )?(?:the )?two of them|(?:the )?(?:1|first)(?: one)? and (?:the )?(?:2|second)(?: "
    r"one)?",
    r"i (?:now )?(?:like|love|have|live in|do|use|own|speak|eat|want|drink|work (?:at|for)) "
    r"both(?: of them| places)?",
    r"(?:这?[两二][个者种样边处家份]?|这些|两个?地方)?我?都(?:在做|是对|对|是|没错|正确|有|行|可以|喜欢|算|"
    r"住|保留|成立|要)[的吧了啊]*",
    r"两个都|两者都|都要|(?:they|we) both (?:are|do)(?: right| true)?",
)
NEITHER = _any(
    r"(?:it's )?neither(?: one)?(?: of (?:them|those|these|the two))?(?: (?:is|are|was) (?:right|"
    r"correct|true))?",
    r"none(?: of (?:them|those|these|the above|the two))?(?: (?:is|are) (?:right|correct|true))?",
    r"(?:they're |they are )?both(?: of (?:them|those))?(?: are)? (?:wrong|incorrect|false|not "
    r"(?:right|true))|not either(?: one)?",
    r"(?:这?[两二][个者种样边处家份]?|[哪一]?一?个|全部)?(?:都|全都?|也)(?:不是|不对|不正确|错|没有|不喜欢|"
    r"不算)[的了啊哦]*|皆非|没一个对的?",
)
_STORE = r"(?:store|save|remember|record|keep|log|note|memori[sz]e|write)"
_IT = (
    r"(?:that|it|this|them|those|any of (?:it|that|this)|anything|either(?: of (?:them|those))?|"
    r"the (?:new|second)(?: one)?)"
)
_RECORD_ZH = r"(?:保存|存储|储存|存|记录|记住|记下来|记下|记)"
DONT_STORE = _any(
    rf"(?:please )?(?:just )?(?:do not|don't|dont|never) (?:you )?{_STORE}(?: {_IT})?(?: down)?",
    rf"(?:please |just )*forget (?:{_IT}|about {_IT})|(?:please |just )*(?:ignore|drop|skip|"
    rf"scratch|leave) {_IT}(?: out)?",
    r"(?:please )?(?:don't|do not) keep (?:that|it|this) on (?:record|file)|"
    rf"i'd rather (?:you (?:didn't|did not|don't)|not) (?:{_STORE}|have|kept|saved|stored)"
    rf"(?: {_IT})?|(?:there's |there is )?no need to {_STORE}(?: {_IT})?|never ?mind",
    rf"i (?:don't|do not|would rather not) (?:want|like)? ?(?:you to |{_IT} )?(?:to be "
    rf")?(?:{_STORE}d?|saved?|kept|written)(?: {_IT})?(?: down)?",
    rf"(?:请|麻烦)?你?(?:这个|这条|它)?就?(?:不要|别|不用|无需|不必|甭|先别)再?(?:帮我)?(?:把(?:这个|"
    rf"它))?{_RECORD_ZH}(?:这个|它|这些|这条|那个|下来|下|了|任何)*",
    r"(?:请|就)?(?:把(?:它|这个|这条))?忘[了掉](?:它|这个|这事|这件事)?|算了|当我没说|不记了?|"
    r"不用管它?了?",
)

# Words that may stand beside a value in a clause that states it. Anything else ("flights to
# Porto", "my aunt lives in Porto") makes it a mention, not an answer.
BESIDE_EN = frozenset(
    "a about actually again ago already always am an and any anymore april are as at august been "
    "being "
    "but called correct current currently december definitely do does don't drink drinking drive "
    "days did didn't eat eating employed employer enjoy enjoyed february few for from fully have "
    "haven't home i i'm i've in "
    "indeed is isn't it it's january job joined july june just last left like liked likes live "
    "lived living long "
    "longer love main march may me month months more most mostly move moved moving my name name's "
    "named never no "
    "not november now october of on one only own place prefer quit really recently right same "
    "september since "
    "spring stay staying still study studying summer autumn winter switched that that's the there "
    "these they "
    "this to today true turned two three us use used using want was week weeks weekend went work "
    "worked working "
    "wrong year years yes yesterday city town flat house years' call age old allergic budget "
    "school company "
    "changed change instead rather than speak based both with".split()
)
BESIDE_ZH = re.compile(
    r"(?:我|是|在|住|现在|已经|还|仍然?|仍旧|依然|了|的|搬|到|去|来|家|叫|名字|工作|上班|上学|"
    r"读书|喜欢|爱|吃|喝|用|养|对|就|才|不|没有?|"
    r"一直|其实|目前|今年|去年|上个?月|上个?周|上星期|最近|昨天|今天|后|之后|改|换|成|为|这里|"
    r"那里|这边|那边|再|也|和|跟|离开|以前|曾经|过|"
    r"都|应该|当然|确实|真的|公司|学校|过敏|会|说|讲|有|从|走|预算|岁|今|早就|刚|刚刚|地方|城市|"
    r"跳槽|入职|加入|离职|辞职|结婚|离婚|毕业|月|年|日|号)*+"
)
DENIES = re.compile(
    r"\b(?:not|no longer|don't|do not|doesn't|isn't|did not|didn't|never|used to|wasn't|haven't|"
    r"left|quit|instead of|rather than|wrong)\b|"
    r"不再|不|没有?|以前|曾经|离开|搬走|moved (?:from|out of|away)|从"
)
FROM_TO = re.compile(
    rf"(?:\bfrom\s*|从\s*)[{SIDES}]\D*?(?:\bto\s*|到\s*|成了?\s*|去了?\s*)([{SIDES}])"
)
OPINION = re.compile(
    r"\b(?:i'm|allergic|like|love|enjoy|prefer|eat|drink|use|want|am|have|do|can|speak|own|hate|dislike|detest|"
    r"can't)\b|喜欢|爱|吃|喝|讨厌|会|有|过敏"
)
DISLIKE = re.compile(r"\b(?:hate|dislike|detest|can't stand)\b|讨厌")
ABOUT_IT = re.compile(
    r"\b(?:hate|dislike|detest|can't stand|can|to|it|that|them|this|at all|anymore)\b|讨厌|它|这个|"
    r"挺|很|非常"
)
