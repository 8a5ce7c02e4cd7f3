"""Given names that are recognized in lower case, where a brand, a food or a place may stand as well."""

from __future__ import annotations

FEMALE_NAMES = frozenset(
    """
    abby agnes aisha alexandra alice alicia alina amanda amelia amina amy ana anika anita anja anna anne annie aoife
    astrid ava barbara beatrice becky beth bethany betty bianca brenda camila carla carmen carol carolina caroline
    catherine cathy cecilia charlotte chloe christina christine claire clara claudia cristina daniela debbie deborah
    diana donna doris dorothy elena elif elin elisa elizabeth ella ellen ellie elsa emily emma erica erika eva
    evelyn evie fatima felicity fiona francesca franziska freya frida gemma georgia gina giulia greta hana hanna
    hannah harriet hayley heather heidi heike helen helena helga ida imogen ines ingrid irina isabel isabella isla
    jana jane janet janine jenna jennifer jenny jessica joanna johanna judith julia juliana julie karen karin
    karolina kasia kate katharina kathrin kathy katie katja kayla kerstin kristina laura lauren lea leah lena leonie
    lily linda lisa liz lotte lottie louise lucia lucy luisa lydia maggie maisie maja margaret maria marie marina
    marta martha martina mary maya megan meike michelle millie mina miriam moira molly monika nadia nadine naomi
    natalie natasha nia nicola nina nora olga olivia patricia paula petra philippa phoebe pia priya rachel rebecca
    renate rita rosa rosie ruth sabine sally samantha sandra sara sarah shona silke silvia simone sofia sonia sonja
    sophia sophie stella stephanie sue susan susanne tamara tanja tara teresa theresa tilly tina tracy valentina
    vanessa vera veronica victoria wendy yasmin yvonne zara zoe
    """.split()  # noqa: SIM905
)
_MALE_NAMES = frozenset(
    """
    aaron adam adrian ahmed alan alejandro alexander alfie amir anders andre andreas andrew anton antonio archie
    arjun arthur ben benjamin bernd bill bjorn bob bram brian bruno callum carl carlos charles christian christopher
    colin connor craig daniel danny darren dave david dennis derek diego dieter dmitri dominic duncan eddie edward
    eli emil eric erik ewan fabian felix femi fernando finn florian fred gabriel gareth gary geoff george gerald
    giulio gordon graham gustav hans harry hassan henry hugo ian ibrahim isaac ivan jacob jake jakob jamal james
    jason javier jens jim jimmy joel johan john jonas jonathan jorge jose joseph josh joshua juan julian jurgen
    justin karl keith ken kevin klaus kofi kwame lars lennart leo leon lewis liam louis luca lucas luis luka lukas
    luke malik manuel marc marco marcus mario marius markus martin mateo mats matt matteo matthew matthias mehmet
    michael miguel mike mohammed nathan neil nicolas nigel nils oliver ollie omar oscar pablo paolo paul pedro peter
    phil philip rafael raj ralf richard rob robert roberto roger rupert samir samuel sebastian sergio stefan stephen
    steve steven stuart sven theo thomas tim timo tobias todd tom tomas tommy vikram vincent wolfgang xavier youssef
    yusuf
    """.split()  # noqa: SIM905
)
OF_EITHER_SEX = frozenset(
    """
    alex ali andrea andy charlie chris ed frank freddie jamie jan jean jess joe kai kelly kim max nick noah noor
    robin ryan sam sean simon toni tony uwe
    """.split()  # noqa: SIM905
)
"""Names of either sex, or of another one in another country."""
_NAMES = FEMALE_NAMES | _MALE_NAMES | OF_EITHER_SEX
GIVEN_NAME = rf"(?:{'|'.join(sorted(_NAMES))})(?![\w-])"
"""Names that are no common words, unlike "mark", "will" or "rose", and no places, unlike "paris" or "jordan"."""


def is_given_name(name: str) -> bool:
    """Whether the word is in the list of given names, in any case."""
    return name.lower() in _NAMES
