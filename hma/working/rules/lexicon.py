"""Word lists behind the value checks: what may be a value, and what never is one."""

import re


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


BAD_FIRST = _set(
    """it its it's that that's this these those them him her hers you your yours you're me my
    mine our ours us
    their his he she they how when what why where who whom which to-be both everything nothing
    anything something one
    being having someone anyone everyone everybody nobody here there such so very too not no more
    most less
    least all any some each every another other same if as than too just only even as-is myself
    being hearing
    seeing also up out back down still by in on off away through around i we is are
    was were be been do did does done say admit bother think
    know see break tell hear"""
)
BAD_LAST = _set(
    """of to in on at for from with by as and or but the a an better more most best less least
    too it than is
    are was were be very so my your about like one ones"""
)
BAD_ANYWHERE = _set(
    """it that this these those you your you're yours he she they them him her one ones something
    anything
    everything nothing thing things stuff idea ideas way question questions answer answers point
    option suggestion
    sound looks version part i we me us bit lot please would could should was were is are will
    ton tons loads thought fact feeling feel vibe vibes color colour texture theme help itself"""
)
POINTS_AWAY = _set("you your this that it them him her there here")
THE_NOUNS = _set(
    """sea ocean beach mountains rain snow outdoors sun sunshine cold heat dark theatre theater
    opera countryside
    forest woods gym cinema ballet dentist news winter summer country city guitar piano violin
    cello drums flute
    harp accordion ukulele saxophone trumpet banjo mandolin clarinet"""
)
NO_PLACE = _set(
    """tears hope fear denial past present future moment bubble peace moderation exile style debt
    poverty house flat
    apartment villa student countryside city town village suburbs shared sin luxury hell heaven
    dream dreams
    danger pain squalor the a an my your our his her their its this that these those here there
    it basement
    studio centre center downtown area place building work bed online management marketing sales
    finance
    another different same new bigger smaller cheaper comfort fast slow theory practice harmony
    confusion
    shock hiding general what where which how something somewhere anywhere nowhere march may june
    july
    january february april august september october november december 2020 cloud matrix internet
    us them me you
    him her page next step chapter level vim linux windows python java kubernetes postgres
    postgresql mysql aws azure gcp docker
    slack teams github gitlab jira rust react typescript javascript notion android ios mac macos
    chrome firefox
    whatsapp telegram signal outlook gmail excel team department division monday tuesday
    wednesday thursday friday
    saturday sunday plan"""
)
NO_ORG = _set(
    """night nights morning mornings home noon midnight weekends it this that these those them
    you your my our his
    her their myself me us him free peanuts fun money least most best 9 nine hard full time hours
    once first last
    what which where who living pleasure monday tuesday wednesday thursday friday saturday sunday
    day days
    group club gym team class course call band choir meeting church community party conversation
    fun queue"""
)
ORG_NOUNS = _set(
    """company startup start-up bank hospital school university college agency firm brewery
    bakery restaurant
    hotel library museum shop store cafe café clinic lab ministry council factory nonprofit ngo
    garage farm
    supermarket pharmacy charity studio newspaper airline airport"""
)
NO_NAME = _set(
    """mud legion not a an the my your his her it this that back back later when if maybe asap
    please crazy
    tomorrow today tonight anytime names old stupid lazy paranoid picky weird insane naive on in
    at too right wrong
    mad is unimportant irrelevant hard difficult complicated spelled spelt written pronounced
    taken already sir
    madam boss dude bro anything whatever what something confidential important none here there
    sick dead
    now first after before by and or nobody unknown
    good thanks fine great happy okay sorry sure ready well busy tired done
    scared hungry sick ill bored sad angry lost late early home back single married divorced
    engaged retired unemployed pregnant vegan vegetarian pescatarian kosher halal keto diabetic
    asthmatic celiac coeliac autistic deaf gay straight lesbian bisexual trans queer
    american british scottish canadian australian mexican brazilian argentinian chilean colombian
    peruvian cuban venezuelan belgian austrian swiss irish indian pakistani bangladeshi nepalese
    singaporean taiwanese egyptian moroccan algerian tunisian nigerian kenyan ghanaian ethiopian
    african european asian latino latina hispanic israeli iranian iraqi syrian lebanese saudi
    bavarian berliner parisian londoner afghan filipina emirati
    catholic christian protestant orthodox muslim jewish buddhist hindu sikh atheist agnostic
    aries taurus gemini cancer leo virgo libra scorpio sagittarius capricorn aquarius pisces
    batman monday tuesday wednesday thursday friday saturday sunday"""
)
OCCUPATIONS = _set(
    """nurse doctor teacher engineer programmer developer lawyer accountant designer architect
    electrician plumber
    carpenter welder mechanic chef cook baker barista bartender waiter waitress pilot journalist
    writer author editor
    translator interpreter photographer musician singer actor actress artist painter sculptor
    scientist researcher
    professor lecturer tutor student dentist vet veterinarian pharmacist paramedic
    physiotherapist therapist
    psychologist psychiatrist surgeon midwife radiologist optician optometrist librarian
    archivist curator banker
    analyst consultant manager director ceo cto cfo founder entrepreneur freelancer salesperson
    salesman saleswoman
    realtor broker cashier clerk secretary receptionist assistant administrator firefighter
    policeman policewoman
    detective soldier sailor officer farmer gardener florist butcher fisherman fisher builder
    bricklayer roofer
    joiner tailor seamstress hairdresser barber beautician cleaner janitor driver courier postman
    truck-driver
    cab-driver trucker conductor steward stewardess biologist chemist physicist mathematician
    statistician
    economist geologist astronomer historian philosopher linguist sociologist anthropologist
    archaeologist
    politician diplomat judge notary solicitor barrister paralegal auditor actuary bookkeeper
    surveyor technician
    machinist operator beekeeper winemaker brewer potter jeweller jeweler watchmaker locksmith
    illustrator animator
    producer composer conductor dancer choreographer coach trainer instructor lifeguard athlete
    footballer
    caregiver carer nanny babysitter au-pair housewife homemaker apprentice intern postdoc
    phd-student
    sysadmin devops admin tester recruiter marketer copywriter planner estimator dispatcher
    logistician
    anaesthetist anesthesiologist cardiologist pediatrician paediatrician oncologist neurologist
    dermatologist gp
    nutritionist dietitian sommelier concierge zookeeper ranger forester miner"""
)
LANGUAGES = _set(
    """english french german spanish italian portuguese dutch swedish norwegian danish finnish
    icelandic polish
    czech slovak hungarian romanian bulgarian greek turkish russian ukrainian serbian croatian
    slovenian estonian
    latvian lithuanian arabic hebrew persian farsi hindi urdu bengali punjabi tamil telugu
    marathi gujarati thai
    vietnamese indonesian malay tagalog filipino mandarin cantonese chinese japanese korean
    swahili zulu amharic
    yoruba igbo hausa afrikaans welsh irish gaelic catalan basque galician latin esperanto
    albanian macedonian
    armenian georgian kazakh uzbek mongolian nepali sinhala burmese khmer lao somali maltese
    yiddish"""
)
MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
FIXED_PAIRS = re.compile(
    r"\b(?:rock (?:and|&) roll|rock ?n|mac(?:aroni)? (?:and|&) cheese|fish (?:and|&) chips|"
    r"salt (?:and|&) \w+|"
    r"black and white|arts and crafts|drum and bass|d&d|gin (?:and|&) tonic|peanut butter and|"
    r"bread and butter|"
    r"bed and breakfast|dungeons (?:and|&) dragons|r&b|country and western|cookies and cream|"
    r"true crime and|sweet and sour|pride and prejudice|war and peace)",
    re.IGNORECASE,
)

ZH_NO_NAME = re.compile(
    r"[我你您她它这那哪什么谁吗\d]|(?<!吉)他|一声|名字|不|没|外卖|车|起床|吃|来|去|医生|救护|错|的|人"
)
ZH_NO_PLACE = re.compile(
    r"[我你您她它这那哪吗?？\d一二三四五六七八九十]|(?<!吉)他|什么|家里|附近|宿舍|海边|公司|学校|酒店|"
    r"医院|隔壁|楼|里面|"
    r"不|一起|的|时候|月亮|心里|梦|地下室|郊区|市中心|农村|乡下|城里|单间|出租|校|同|和|跟|"
    r"郊外|山|天堂|地狱|过去|"
    r"[上下里]$|沙发|当下|新家|别的|其他|旁边|对面|单身|别墅|公寓|房|院|得|着|过|惯"
)
ZH_ORG = re.compile(
    r"(?:公司|银行|医院|大学|学院|中学|小学|高中|幼儿园|学校|集团|局|研究所|研究院|事务所|"
    r"工厂|厂|餐厅|咖啡馆|咖啡店|"
    r"书店|图书馆|博物馆|酒店|出版社|报社|电视台|部门|政府|法院|科技|中心|工作室|超市|药店|"
    r"诊所|机场|航空|券商|基金|"
    r"保险|证券|律所|机构|店|社)$|^(?:华为|腾讯|阿里(?:巴巴)?|字节(?:跳动)?|百度|京东|美团|"
    r"小米|网易|拼多多|滴滴|"
    r"联想|比亚迪|顺丰|微软|谷歌|苹果|特斯拉|快手|携程|海尔|格力|中兴|蔚来|理想|小鹏|"
    r"[A-Za-z][A-Za-z0-9 .&-]{1,24})$"
)
ZH_NO_ORG = re.compile(r"[我你您她它这那哪吗?？]|(?<!吉)他|什么|家$|这里|外面|认真|努力|加班|不")
ZH_NO_THING = re.compile(
    r"的$|[我你您她它这那哪吗?？]|(?<!吉)他|什么|怎么|一个$|上一|下一|第[一二三四五]|个方案|的时候|一下|"
    r"东西|回答|答案|建议|方案|不$|"
    r"^的|前者|后者|人家|大家|得|没|一样|谁|为|人$|款|版本|选项|这样|那样|多少|是"
)
ZH_NO_ACTION = re.compile(r"[你您她它这那哪吗?？]|(?<!吉)他|什么|怎么|知道|问|一下|多少|几")
ZH_NO_DATE = re.compile(r"[我你您她它这那哪吗?？]|(?<!吉)他|什么|怎么|几月|几号|多少")
ZH_LANGUAGE = re.compile(
    r"(?:普通话|中文|汉语|英语|英文|法语|德语|日语|日文|韩语|西班牙语|葡萄牙语|意大利语|俄语|"
    r"阿拉伯语|粤语|广东话|"
    r"闽南语|闽南话|客家话|上海话|四川话|泰语|越南语|印尼语|马来语|荷兰语|瑞典语|波兰语|"
    r"土耳其语|希腊语|拉丁语|手语)"
)
ZH_OCCUPATION = re.compile(
    r"(?:护士|医生|大夫|老师|教师|教授|讲师|工程师|程序员|律师|会计|设计师|产品经理|经理|学生|"
    r"大学生|研究生|博士生|"
    r"记者|编辑|翻译|作家|画家|摄影师|厨师|司机|警察|消防员|军人|公务员|销售|销售员|咨询师|"
    r"分析师|研究员|科学家|"
    r"药剂师|兽医|牙医|建筑师|电工|木工|焊工|农民|店员|店主|收银员|快递员|外卖员|空姐|飞行员|"
    r"演员|歌手|音乐家|导演|"
    r"主播|博主|教练|导游|保安|保姆|家庭主妇|自由职业者|创业者|化学家|物理学家|心理医生|"
    r"理发师|美容师|裁缝|架构师|"
    r"运营|测试|法官|检察官|外科医生|麻醉师|助理|秘书|前台|顾问|审计|程序猿|码农|瑜伽老师|"
    r"幼师|面包师|咖啡师|调酒师)$"
)
