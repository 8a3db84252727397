"""Words that carry a sentence and say little of what it is about: they count less in a search.

Lists for languages that are written with spaces; a word that is a noun or a verb of weight in another one of them
(German ``die``, ``war``, ``hat``) stands in none, since a question's language is not known. What is as common in any
other language loses its weight by its own commonness.
"""

_ENGLISH = """a about above after again against all am an and any anything are as at be because been before being
below between both but by can cannot could did do does doesn doing don during each few for from further get had has
have having he her here hers him his how i if in into is isn it its itself just many me might more most much must my
no nor not of off on once only or other our ours out over own same shall she should so some something such than that
the their theirs them then there these they this those through to too under until up us use using very was we were
what when where whether which while who whom whose why will with would you your yours"""

_GERMAN = """aber als am auch auf aus bei beim bis das dass dem den der des dich dir doch du durch ein eine einem
einen einer eines er es für gegen habe haben hatte hatten ich ihm ihn ihr ihre im ins ist ja jede jeder jedes kann
kein keine können man mein mich mir mit muss nach nicht noch nur ob oder ohne sehr sein seine sich sie sind so soll
über um und uns unter vom von vor wann warum was weil welche welchem welchen welcher welches wenn wer werden wie
wieder wird wir wo wurde wurden würde zu zum zur zwischen"""

_FRENCH = """au aux avec avoir c ce ces cet cette ceux comme comment d dans de des donc dont du elle elles en est et
étaient était été être eux il ils j je l la le les leur leurs lui ma mais même mes moi mon n ne nos notre nous on
ont où ou par pas peut plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se ses si sont
sous sur ta te tes toi ton tu un une vos votre vous y"""

_SPANISH = """al algo ante cada como cómo con cuál cuáles cuando cuándo de del desde donde dónde e el él ella ellas
ellos en entre era es esa ese eso esta está están este esto estos estas fue ha hace han hasta hay la las le les lo
los más me mi muy ni no nos o para pero por porque puede qué que quién se según ser si sí sin sobre son su sus
también te tiene tu un una unas uno unos y ya yo"""

_RUSSIAN = """а без более бы был была были было быть в вам вас весь во вот все всего всех вы где да даже для до его
ее её если есть еще ещё же за здесь и из или им их к как какая какие какой ко когда которая которого которое которой
которые который кто ли лишь между меня мне может можно мы на над не него нет ни но ну о об один она они оно от по
под почему при про с сам свой себя так такой там то того тоже только том ты у уже чего чем что чтобы эта эти это
этого этой этом этот я"""

_OTHERS = """che cosa degli dei della delle di gli perché più sono às com como não os quais quando são uma aan dat
deze dit een heeft het hoe mijn naar niet ook van voor waarom wat wordt zijn att det där från för hur när och på som
är varför af hvad hvor ikke og til czy dla jak jest kiedy nie się że który która które bir bu da için ile ne ve"""

ENGLISH = frozenset(_ENGLISH.split())

STOP_WORDS = frozenset(" ".join((_ENGLISH, _GERMAN, _FRENCH, _SPANISH, _RUSSIAN, _OTHERS)).split())
"""Casefolded."""
