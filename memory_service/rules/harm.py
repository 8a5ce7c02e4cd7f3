"""What would do harm if it were remembered (S2 gate `harm_check`: "would remembering cause harm or encode
bias?").

Two things only, and precisely: a whole group of people called something bad, and a guess about what is
nobody's business (health, sexuality, faith, status) of somebody else. What people say of themselves is
theirs to say.
"""

from __future__ import annotations

import re

_GROUP = (
    r"(?:women|men|girls|boys|females|males|blacks?|black people|whites?|white people|asians?|arabs?|"
    r"mexicans?|latin[oa]s?|africans?|chinese people|indians?|"
    r"germans|poles|russians|turks|americans|french people|italians|muslims?|jews|jewish people|christians|"
    r"catholics|hindus|atheists|immigrants|migrants|"
    r"refugees|foreigners|gays|gay people|lesbians|trans people|homosexuals|gypsies|roma(?: people)?|old "
    r"people|elderly people|young people|boomers|millennials|"
    r"disabled people|autistic people|fat people|poor people|homeless people|blondes)"
)
_BAD = (
    r"(?:lazy|stupid|dumb|idiots|criminals?|thieves|dangerous|dirty|inferior|terrorists?|greedy|liars|"
    r"violent|rapists|scum|vermin|animals|parasites|untrustworthy|"
    r"bad drivers|bad at (?:math|maths|driving|science|tech)|too emotional|irrational|hysterical|"
    r"uneducated|backward|primitive|disgusting|subhuman|evil|cheap|crooks|"
    r"drunks|sick|mentally ill|not (?:smart|intelligent|trustworthy)|a (?:plague|disease|problem))"
)
_STEREOTYPE = re.compile(
    rf"(?i)\b(?:all|most|those|these|typical|every|such)?\s?{_GROUP} (?:are|is|were)(?: (?:all|always|just|"
    rf"naturally|generally|usually|so|such|basically|simply|really|inherently)){{0,3}} {_BAD}\b|"
    rf"(?i:\b{_GROUP} (?:can[’']t|cannot|shouldn[’']t|should not|don[’']t|do not) (?:drive|be trusted|do "
    rf"math|be allowed|vote|belong here|lead|think (?:logically|straight)))|"
    rf"(?i:\b(?:never|don[’']t|do not|can[’']t) (?:trust|hire|rent to) (?:a |an |any )?{_GROUP}\b)"
)
_DENIED = re.compile(
    r"(?i)\b(?:not (?:all|every|true|that)|wrong|false|prejudice|stereotyp\w*|racis\w*|sexis\w*|bigot\w*|"
    r"nonsense|disagree|hate (?:it )?when|angry that|myth|unfair|"
    r"offend\w*|hurt\w*|claims?|claimed|said|says|saying|think|thinks)\b"
)
_SOMEBODY = (
    r"(?:he|she|they|(?:my|our|the|his|her|their) (?:new |old )?(?:boss|manager|neighbou?r|colleague|"
    r"coworker|co-worker|teacher|landlord|friend|roommate|sister-in-law|"
    r"brother-in-law|customer|client|candidate|applicant|employee|ex|doctor|student|tenant|nanny|guy|girl|"
    r"woman|man)|(?-i:(?!I\b|You\b|We\b|It\b|This\b|That\b|There\b|What\b|Who\b)[A-Z][a-z]+))"
)
_GUESS = (
    r"(?:must be|is probably|are probably|is clearly|is obviously|is surely|is definitely|might be|may be|"
    r"could be|seems|seems to be|looks|acts|sounds|probably has|"
    r"probably is|has to be|is secretly|is likely)"
)
_PRIVATE = (
    r"(?:gay|lesbian|bisexual|homosexual|transgender|trans|bipolar|schizophrenic|autistic|mentally ill|a "
    r"psychopath|a sociopath|a narcissist|borderline|an alcoholic|"
    r"a drug addict|an addict|on drugs|hiv[- ]positive|hiv|aids|pregnant|infertile|suicidal|an illegal|"
    r"illegal|undocumented|a terrorist|an islamist|a criminal|"
    r"a muslim|muslim|a jew|jewish|a communist|a nazi|a prostitute|a pedophile|anorexic|bulimic|demented)"
)
_INFERENCE = re.compile(
    rf"(?i:\b{_SOMEBODY} {_GUESS}(?: (?:a bit|a|an|totally|secretly|really|just))? ?{_PRIVATE}\b)"
)


def harm_in(sentence: str) -> str | None:
    """Return which harm the sentence would do if it were remembered, or None."""
    if _STEREOTYPE.search(sentence) and not _DENIED.search(sentence):
        return "a group of people is called something bad"
    if _INFERENCE.search(sentence):
        return "a guess about somebody's private condition"
    return None
