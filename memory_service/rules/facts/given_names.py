"""Given names that are recognized in lower case, where a brand, a food or a place may stand as well."""

from __future__ import annotations

_NAMES = """
aaron abby adam adrian agnes ahmed aisha alan alejandro alex alexander alexandra alfie ali alice alicia alina amanda
amelia amina amir amy ana anders andre andrea andreas andrew andy anika anita anja anna anne annie anton antonio
aoife archie arjun arthur astrid ava barbara beatrice becky ben benjamin bernd beth bethany betty bianca bill bjorn
bob bram brenda brian bruno callum camila carl carla carlos carmen carol carolina caroline catherine cathy cecilia
charles charlie charlotte chloe chris christian christina christine christopher claire clara claudia colin connor
craig cristina daniel daniela danny darren dave david debbie deborah dennis derek diana diego dieter dmitri dominic
donna doris dorothy duncan ed eddie edward elena eli elif elin elisa elizabeth ella ellen ellie elsa emil emily emma
eric erica erik erika eva evelyn evie ewan fabian fatima felicity felix femi fernando finn fiona florian francesca
frank franziska fred freddie freya frida gabriel gareth gary gemma geoff george georgia gerald gina giulia giulio
gordon graham greta gustav hana hanna hannah hans harriet harry hassan hayley heather heidi heike helen helena helga
henry hugo ian ibrahim ida imogen ines ingrid irina isaac isabel isabella isla ivan jacob jake jakob jamal james
jamie jan jana jane janet janine jason javier jean jenna jennifer jenny jens jess jessica jim jimmy joanna joe joel
johan johanna john jonas jonathan jorge jose joseph josh joshua juan judith julia julian juliana julie jurgen justin
kai karen karin karl karolina kasia kate katharina kathrin kathy katie katja kayla keith kelly ken kerstin kevin kim
klaus kofi kristina kwame lars laura lauren lea leah lena lennart leo leon leonie lewis liam lily linda lisa liz
lotte lottie louis louise luca lucas lucia lucy luis luisa luka lukas luke lydia maggie maisie maja malik manuel
marc marco marcus margaret maria marie marina mario marius markus marta martha martin martina mary mateo mats matt
matteo matthew matthias max maya megan mehmet meike michael michelle miguel mike millie mina miriam mohammed moira
molly monika nadia nadine naomi natalie natasha nathan neil nia nick nicola nicolas nigel nils nina noah noor nora
olga oliver olivia ollie omar oscar pablo paolo patricia paul paula pedro peter petra phil philip philippa phoebe
pia priya rachel rafael raj ralf rebecca renate richard rita rob robert roberto robin roger rosa rosie rupert ruth
ryan sabine sally sam samantha samir samuel sandra sara sarah sean sebastian sergio shona silke silvia simon simone
sofia sonia sonja sophia sophie stefan stella stephanie stephen steve steven stuart sue susan susanne sven tamara
tanja tara teresa theo theresa thomas tilly tim timo tina tobias todd tom tomas tommy toni tony tracy uwe valentina
vanessa vera veronica victoria vikram vincent wendy wolfgang xavier yasmin youssef yusuf yvonne zara zoe
"""
GIVEN_NAME = rf"(?:{'|'.join(_NAMES.split())})(?![\w-])"
"""Names that are no common words, unlike "mark", "will" or "rose", and no places, unlike "paris" or "jordan"."""
FEMALE_NAMES = frozenset(
    """
    aoife evie hana kasia kerstin
    abby agnes aisha alexandra alice alicia alina amanda amelia amina amy ana anika anita anja anna anne annie
    astrid ava barbara beatrice becky beth bethany betty bianca brenda camila carla carmen carol carolina
    caroline catherine cathy cecilia charlotte chloe christina christine claire clara claudia cristina daniela
    debbie deborah diana donna doris dorothy elena elif elin elisa elizabeth ella ellen ellie elsa emily emma
    erica erika eva evelyn fatima felicity fiona francesca franziska freya frida gemma georgia gina giulia greta
    hanna hannah harriet hayley heather heidi heike helen helena helga ida imogen ines ingrid irina isabel
    isabella isla jana jane janet janine jenna jennifer jenny jessica joanna johanna judith julia juliana julie
    karen karin karolina kate katharina kathrin kathy katie katja kayla kristina laura lauren lea leah lena
    leonie lily linda lisa liz lotte lottie louise lucia lucy luisa lydia maggie maisie maja margaret maria
    marie marina marta martha martina mary maya megan michelle millie mina miriam moira molly monika nadia
    nadine naomi natalie natasha nia nicola nina nora olga olivia patricia paula petra philippa phoebe pia priya
    rachel rebecca renate rita rosa rosie ruth sabine sally samantha sandra sara sarah shona silke silvia simone
    sofia sonia sonja sophia sophie stella stephanie sue susan susanne tamara tanja tara teresa theresa tilly
    tina tracy valentina vanessa vera veronica victoria wendy yasmin yvonne zara zoe
    """.split()  # noqa: SIM905
)
OF_EITHER_SEX = frozenset(
    """
    alex ali andrea andy charlie chris ed frank freddie jamie jan jean jess joe kai kelly kim max nick noah noor
    robin ryan sam sean simon toni tony uwe
    """.split()  # noqa: SIM905
)
"""Names of either sex, or of another one in another country."""
_ALL = frozenset(_NAMES.split())


def is_given_name(name: str) -> bool:
    """Whether the word is in the list of given names, in any case."""
    return name.lower() in _ALL
