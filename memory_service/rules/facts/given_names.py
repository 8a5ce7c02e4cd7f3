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
