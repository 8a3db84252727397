"""Words that say how and not what, in the languages of Europe most written; other scripts have none here."""

_ROWS = (
    "a about after all also an and any are as at be been but by can could did do does for from had has have how i "
    "if in into it its may me more must my no not of on one only or other our out shall she should so some such "
    "than that the their them then there these they this to up us was we were what when where which who why will "
    "with would you your aber alle als am auch auf aus bei das dass dem den der des doch du durch ein eine einem "
    "einen einer eines er es für hat haben ich ihr im ist kann mit muss nach nicht noch nur oder sein sich sie "
    "sind über um und uns unter von vor wann warum wegen welche welcher wenn wer werden wie wir wird wo zu zum "
    "zur au aux avec ce ces cette comment dans de elle en est et il ils je la le les leur mais ne nous ou où par "
    "pas pour qu quand que quel quelle qui se ses sont sur un une vous al como con cual cuando del donde el ella "
    "esta este ha las lo los más para pero por porque qué ser si sin sobre su sus una y che chi da dal della di "
    "dove è gli ma nel non o per più quando sono ao dos e é em foi mas na não nos os quem são sua uma aan bij dat "
    "dit een het hij hoe ik kan met naar niet om ook op te uit van voor waar wanneer wat wij zijn в для и из к "
    "как когда кто ли на не но о он она они от по при с так то у что это я is "
)

SMALL_WORDS = frozenset(_ROWS.split())
"""Words that are also a noun or verb of weight in a neighbouring language (``war``, ``die``, ``son``) are left out."""
