"""Small tables of words, by what they do to a claim: deny, limit, weigh, oppose, or say the same in another word.

Casefolded, for English, German, Russian, Japanese and Chinese, with some French and Spanish. They are short on purpose:
a word that is missing makes a verdict weak, never wrong.
"""


def _words(rows: str) -> frozenset[str]:
    return frozenset(rows.split())


NEGATIONS = _words("""
not no never none nothing nobody neither nor cannot without n't nicht kein keine keinen keinem keiner keines nie
niemals nichts niemand ohne weder не нет ни никогда ничего никто нельзя без pas jamais aucun aucune sans nunca ningún
ninguna sin ない ません ず ぬ まい なかった 不 没 沒 没有 沒有 未 无 無い 非 別 别 勿 从不 不是 不会 不能 不可 不得
refuse refused refuses fail failed fails
""")
"""What turns a sentence into its opposite. A few verbs do so too."""

_LIMITS = {
    "all": """
all every each always entire whole entirely both alle jeder jede jedes jeden immer sämtliche stets все всё весь вся
каждый каждая каждое всегда すべて 全て 全部 常に 毎 必ず 所有 总是 一直 每 都 完全 全 toutes tous
""",
    "some": """
some several たくさん 少し 数 many most few partly mostly sometimes often usually rarely seldom majority minority half
einige manche viele meisten teilweise manchmal oft meistens selten некоторые многие часто иногда обычно редко 一部
多く ほとんど 時々 時に しばしば 有时 有些 一些 部分 许多 多数 大多数 通常 经常 很少
""",
    "only": """
only solely exclusively just merely sole nur lediglich ausschließlich allein только лишь единственный единственная
のみ だけ しか 唯一 只 仅 只有 仅仅 惟一
""",
    "may": """
may might could can possibly perhaps probably likely allegedly reportedly apparently expected planned könnte könnten
vielleicht möglicherweise wahrscheinlich angeblich soll darf dürfen может могут возможно вероятно かもしれない らしい
でしょう だろう かも はず つもり ようとし ろうとし 予定 可能 也许 或许 可以 据说
""",
    "must": """
must shall should required mandatory muss müssen sollte sollten должен должна должны должно なければならない べき 必须
必須 应 应当 应该 需要
""",
    "near": """
almost nearly hardly barely scarcely former formerly ex alleged fake fast beinahe kaum ehemalige ehemaliger ehemaligen
почти едва бывший бывшая ほぼ 元 几乎 差点 前任
""",
    "unless": """
unless except if excluding otherwise außer falls wenn sofern если кроме 場合 以外 限り 除き 如果 除非 除了 除
""",
    "or": """
or either respectively oder entweder beziehungsweise bzw или либо または 又は もしくは あるいは 或 或者 ou それぞれ
分别
""",
}
LIMITS = {word: kind for kind, rows in _LIMITS.items() for word in rows.split()}
"""What widens, narrows or hedges a claim, and how; where claim and source differ in one it is unsure."""

_OPPOSITES = """
more less|more fewer|most least|most fewest|before after|earlier later|higher lower|high low|highest lowest|
above below|over under|increase decrease|increased decreased|increases decreases|rise fall|rises falls|rose fell|
raise lower|raised lowered|grow shrink|grew shrank|larger smaller|bigger smaller|large small|big small|
largest smallest|longer shorter|long short|longest shortest|older younger|old young|old new|older newer|oldest newest|
oldest youngest|faster slower|fast slow|first last|maximum minimum|max min|always never|north south|northern southern|
east west|eastern western|left right|top bottom|upper lower|up down|begin end|begins ends|began ended|start end|
starts ends|started ended|start stop|starts stops|open close|opens closes|opened closed|open closed|win lose|won lost|
wins loses|buy sell|bought sold|buys sells|enable disable|enables disables|enabled disabled|allow forbid|
allowed forbidden|allow prohibit|allowed prohibited|permitted prohibited|accept reject|accepted rejected|add remove|
added removed|include exclude|includes excludes|included excluded|including excluding|true false|on off|public private|
same different|male female|man woman|men women|father mother|son daughter|brother sister|husband wife|king queen|
boy girl|actor actress|agree disagree|agreed disagreed|success failure|succeed fail|succeeded failed|positive negative|
strong weak|best worst|better worse|good bad|rich poor|hot cold|warm cold|wet dry|early late|easy difficult|easy hard|
cheap expensive|full empty|alive dead|born died|majority minority|many few|often rarely|often seldom|inside outside|
internal external|import export|imported exported|ascending descending|optional required|optional mandatory|
visible hidden|uppercase lowercase|input output|read write|incoming outgoing|encrypt decrypt|compress decompress|
attack defend|gained lost|gain lose|join leave|joined left|arrive leave|arrived left|guilty innocent|legal illegal|
summer winter|day night|morning evening|with without|local remote|mehr weniger|vor nach|höher niedriger|hoch niedrig|
höchste niedrigste|größer kleiner|groß klein|große kleine|älter jünger|alt neu|alte neue|erste letzte|ersten letzten|
erster letzter|immer nie|nord süd|norden süden|nördlich südlich|osten westen|östlich westlich|links rechts|oben unten|
beginnt endet|anfang ende|beginn ende|steigt sinkt|stieg sank|steigen sinken|gewann verlor|kaufte verkaufte|
kaufen verkaufen|öffnen schließen|öffnet schließt|erlaubt verboten|wahr falsch|mit ohne|aktiviert deaktiviert|
aktivieren deaktivieren|maximal minimal|mindestens höchstens|länger kürzer|lang kurz|früher später|schneller langsamer|
innerhalb außerhalb|lokal entfernt|einschließlich ausschließlich|männlich weiblich|mann frau|gut schlecht|
stark schwach|alle keine|öffentlich privat|aufsteigend absteigend|eingabe ausgabe|lesen schreiben|hinzufügen entfernen|
größte kleinste|größten kleinsten|lebendig tot|erhöht verringert|erhöhen verringern|ein aus|
eingeschaltet ausgeschaltet|больше меньше|более менее|до после|раньше позже|выше ниже|высокий низкий|большой маленький|
больший меньший|первый последний|первая последняя|всегда никогда|север юг|северный южный|восток запад|
восточный западный|левый правый|слева справа|сверху снизу|начало конец|начинается заканчивается|вверх вниз|
увеличить уменьшить|увеличивает уменьшает|купил продал|открыть закрыть|включить выключить|включить отключить|
включён выключен|разрешено запрещено|разрешить запретить|истина ложь|максимум минимум|максимальный минимальный|
максимальное минимальное|старый новый|длинный короткий|длиннее короче|быстрее медленнее|мужчина женщина|
мужской женский|хороший плохой|сильный слабый|внутри снаружи|внутренний внешний|добавить удалить|с без|перед после|
старше младше|чтение запись|чтения записи|ввод вывод|ввода вывода|верхний нижний|обязательный необязательный|以上 以下|
以上 未満|前 後|以前 以降|以前 以後|最大 最小|最多 最少|最高 最低|増加 減少|増え 減っ|上昇 下降|上昇 低下|多い 少ない|
大きい 小さい|高い 低い|長い 短い|古い 新しい|早い 遅い|速い 遅い|強い 弱い|最初 最後|最古 最新|東 西|北 南|左 右|
上 下|内 外|男性 女性|男 女|父 母|兄 弟|姉 妹|有効 無効|可能 不可能|開始 終了|始まる 終わる|始まっ 終わっ|入力 出力|
勝利 敗北|勝っ 負け|賛成 反対|輸入 輸出|公開 非公開|必須 任意|昇順 降順|北部 南部|東部 西部|午前 午後|春 秋|夏 冬|
昼 夜|購入 売却|購入 販売|肯定 否定|成功 失敗|許可 禁止|追加 削除|増大 縮小|拡大 縮小|国内 国外|夫 妻|读取 写入|
输入 输出|增加 减少|上升 下降|提高 降低|多于 少于|高于 低于|大于 小于|早于 晚于|之前 之后|以前 以后|以前 之后|前 后|
开始 结束|第一 最后|最早 最晚|允许 禁止|启用 禁用|打开 关闭|成功 失败|东部 西部|东 西|父亲 母亲|内部 外部|本地 远程|
显示 隐藏|添加 删除|必须 可选|真 假|大 小|长 短|新 旧|快 慢|强 弱|赢 输|胜利 失败|买 卖|包括 不包括|加密 解密|
压缩 解压|升序 降序
"""
OPPOSITES: dict[str, frozenset[str]] = {}
"""Word → the words that say the opposite in its place."""
for _pair in _OPPOSITES.replace("|\n", "|").strip().split("|"):
    _one, _other = _pair.split()
    OPPOSITES[_one] = OPPOSITES.get(_one, frozenset()) | {_other}
    OPPOSITES[_other] = OPPOSITES.get(_other, frozenset()) | {_one}

_SAME = """
until expire expires expired end ends|begin begins began begun start starts started starting commence commenced|
end ends ended ending finish finished|buy buys bought purchase purchased purchases acquire acquired|big large huge|
film movie|make makes made|go goes went gone|give gives given gave|write writes wrote written|take takes took taken|
come comes came|become becomes became|lead led|hold holds held|find finds found|lose loses lost|win wins won|
get gets got|run runs ran|say says said|see sees saw seen|grow grew grown|build built|begin began|die died dies death|
born birth|child children|man men|woman women|person people|foot feet|
show shows showed shown display displays displayed|use uses used using utilize utilized|choose chose chosen|fall fell|
rise rose risen|speak spoke spoken|know known knew|teach taught|think thought|sell sold|tell told|send sent|keep kept|
leave leaves left|meet met|pay paid|bring brought|
contain contains contained include includes included comprise comprises|delete deletes deleted remove removes removed|
file files|print prints printed output outputs|specify specified specifies|car automobile|ill sick|near close|
quickly rapidly|happen happens occur occurs occurred|permit permits permitted allow allows|
need needs require requires required|help helps assist assists|usa america u.s us|uk britain|british uk|tv television|
us american|located lies|author writer wrote|reside lived live lives living|marry married wife husband spouse|
directory folder|beginnen beginnt begann begonnen anfangen starten startet|enden endet endete|
kaufen kaufte gekauft erwerben erworben|groß große großer großen großes größe|datei dateien|
verzeichnis verzeichnisse ordner|zeigen zeigt anzeigen anzeigt angezeigt ausgeben|ausgegeben gibt|
benutzen benutzt verwenden verwendet verwendete nutzen nutzt|löschen gelöscht löscht entfernen entfernt|
enthalten enthält beinhaltet|sein ist war|haus häuser|angeben angegeben angibt|geschrieben schreiben schreibt schrieb|
начинать начинается начал начать|использовать использует используется применять применяется|
удалить удаляет удаляется стереть|показать показывает вывести выводит отображает|содержит содержать включает|
каталог директория папка|файл файлы|allow allows allowed permit permits permitted let lets enable|
forbid forbids forbidden prohibit prohibits prohibited ban banned|error errors fault faults failure failures|
change changes changed modify modifies modified alter alters altered|return returns returned|
give gives gave given provide provides provided|terminate terminates terminated|
obtain obtains obtained get gets got receive receives received fetch|must has have required need|entire whole complete|
fast quick quickly rapid rapidly|
produce produces produced generate generates generated create creates created make makes made|
begin begins start starts launch launches|list lists|select selects selected choose chosen|freeze freezes froze frozen|
stop stops stopped halt halts|job task|picture image photo|attempt try tries tried|assist help|answer reply respond|
reach arrive|home house|town city|movie film|child kid|speak talk|purchase buy|residence home|vehicle car|
physician doctor|nation country|argument parameter|value amount|additional further extra|initial first|final last|
primary main|huge enormous|tiny small|quick fast|describe describes described explain explains explained|
discover discovered found|establish established founded found|release released publish published|situated located|
receive get|demand require|aid help|entire whole|almost nearly|approximately about roughly around|often frequently|
rarely seldom|usually normally typically generally|instead rather|since because as|also additionally too|
kill killed slain|assassinate assassinated murdered|attorney lawyer|fall autumn|angezeigt dargestellt ausgegeben|
verzeichnis verzeichnisses verzeichnisse verzeichnissen ordner ordners|fehler defekt|
verwendet benutzt genutzt eingesetzt|geändert verändert modifiziert|erzeugt erstellt angelegt generiert|
benötigt gebraucht erforderlich|beendet abgeschlossen|erlaubt gestattet ermöglicht|auto wagen|junge bub|arzt doktor|
beruf job|bild foto|film kinofilm|antwort erwiderung|aufgabe auftrag|stadt ort|land staat|haus gebäude|schnell rasch|
häufig oft|selten kaum|mindestens wenigstens|etwa ungefähr rund circa|gegründet errichtet|gestorben verstorben|
mitteilen informieren|sofort umgehend unverzüglich|использует применяет|используется применяется|
используются применяются|использовать применять|каталог каталога каталоге директория директории папка|
показывает отображает выводит|содержит включает|создаёт создает формирует образует|выводит печатает|
завершается заканчивается оканчивается|позволяет разрешает|изменить поменять|изменён изменен|файл документ|
начинается стартует|начинает стартует|нужно необходимо требуется|должен обязан|должны обязаны|удаляет стирает|
удалён стёрт|ошибка сбой|автомобиль машина|врач доктор|фильм кино|дом здание|примерно около приблизительно|
быстро скоро|большой крупный|маленький небольшой|основан создан учреждён|使用 利用 使用法 用いる|表示 出力 表す|
削除 消去 除去|開始 スタート|作成 生成 製作 制作|指定 設定|変更 修正 改変|終了 完了 終わる|必要 不可欠 必須|有名 著名|
場所 所 ところ|言われ 呼ばれ|すべて 全て 全部|作られ 製造され 製作され|自動車 車|映画 フィルム|行う 実施する 行なう|
含む 含める 含まれる|約 およそ|購入 買う|病院 医院|会社 企業|国 国家|医師 医者|誕生 生まれ|死去 死亡 亡くなっ|住宅 家|
ほぼ ほとんど|獲得 取得|設立 創立 創設|話す 語る|使用 采用 利用 运用|删除 移除 去除|显示 展示|创建 建立 生成|指定 规定|
开始 起始|包含 含有 包括|修改 更改 改变|允许 准许 容许|输出 打印|目录 文件夹|返回 传回|结束 终止 完结|读取 读入|
需要 须要|错误 出错|汽车 轿车|电影 影片|医生 大夫|大约 约 左右|城市 都市|成立 创立 建立|购买 买|去世 逝世 死亡|
出生 诞生|获得 取得|公司 企业|设置 设定|选项 参数
"""
SYNONYMS: dict[str, frozenset[int]] = {}
"""Word → the groups in which any word may stand for another."""
for _number, _group in enumerate(_SAME.replace("|\n", "|").split("|")):
    for _word in _group.split():
        SYNONYMS[_word] = SYNONYMS.get(_word, frozenset()) | {_number}

PRONOUNS = _words("""
he she it they him her his its their this these that them who which er sie es dieser diese dieses seine ihre он она
оно они его её ее их это этот эта 彼 彼女 これ それ この その 彼ら 同 本 他 她 它 他们 它们 该 这 其
""")
"""What stands for something that was named before."""

PASSIVE = _words("""
by von vom durch によって により に 被 由 par por
""")
"""What says that the one who acts comes after, or that who comes first does not act."""

AND = _words("""
and or und oder и или et ou y o と や 及び および または 又は 和 与 及 或 、 & as
""")
"""Between two things of which either may come first."""

LEADS = _words("""
in on at from to for since until till before after during if when while because although though as of with within
under over between among through where unless im am auf aus bei seit bis während wenn weil da nach vor mit für zu zum
zur durch unter zwischen falls nachdem bevor obwohl в на с со к ко по при для из от до после если когда во о об потому
так как между через 在 从 從 于 於 当 當 如果 因为 因為 由于 虽然 对 對 en dans pour avec si quand à au con para
""")
"""What opens a part of a sentence that may stand elsewhere in it without saying anything else."""

PARTICLES = _words("""
は が を に で へ と も から まで より の て し り ば ら
""")
"""What closes such a part in Japanese."""

LIGHT = _words("""
jahr jahre year years год году года called named known located situated based own being having also well very there
such way kind type part fact become became does did done doing namens genannt liegt sogenannte является являются
называется находится が いる ある こと もの ため よう これ それ という として について における により する した して
される された です ます である であった
""")
"""What may be there or not without a claim saying more or less."""

_WHOLE = _words("""
なければならない かもしれない しかない 少なくとも 必ず まず わずか いずれ ずつ 不同 不仅 不过 不断 不少 不久 不足 不但
不论 必ずしも 不管 未来 无论 非常 除非 特别 区别 类别 级别 别名 个别 别的 非洲 少ない 危ない 切ない つまらない
もったいない みっともない だけでなく のみならず
""")
"""Words that hold a sign of another table and do not mean it."""

JAPANESE_AND_CHINESE = sorted(
    {
        *(
            word
            for word in NEGATIONS | LIMITS.keys() | OPPOSITES.keys() | SYNONYMS.keys() | LIGHT | _WHOLE
            if word[0] > "\u2e7f" and len(word) > 1
        ),
        *"ず不没沒未无",
    },
    key=lambda word: (-len(word), word),
)
"""Words that are looked for in texts that put no space between words; the longest first."""
