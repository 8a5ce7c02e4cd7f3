"""Lists of words for patterns that several modules use."""

from __future__ import annotations

DAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
DAY_OR_MONTH = rf"(?:{DAY}|{MONTHS})"
"""Capitalized words that are no name."""
LANGUAGES = (
    "English|German|French|Spanish|Italian|Portuguese|Dutch|Swedish|Norwegian|Danish|Finnish|Icelandic|Polish|Czech|"
    "Slovak|Hungarian|Romanian|Bulgarian|Greek|Turkish|Russian|Ukrainian|Serbian|Croatian|Slovenian|Lithuanian|"
    "Latvian|Estonian|Arabic|Hebrew|Persian|Farsi|Hindi|Urdu|Bengali|Punjabi|Tamil|Telugu|Malayalam|Kannada|Marathi|"
    "Gujarati|Nepali|Sinhala|Thai|Vietnamese|Tagalog|Indonesian|Malay|Mandarin|Cantonese|Chinese|Japanese|Korean|"
    "Swahili|Amharic|Yoruba|Igbo|Hausa|Zulu|Afrikaans|Welsh|Irish(?! english)|Gaelic|Scots|Catalan|Basque|Galician|"
    "Albanian|Macedonian|Bosnian|Armenian|Georgian|Kurdish|Pashto|Mongolian|Maori|Esperanto|"
    "Latin(?! (?:script|letters?|alphabet|characters|numerals|americ))|BSL|ASL"
)
"""For patterns without regard to case. "Latin letters" and "Irish English" are none of these."""
LANGUAGE = rf"(?:(?-i:Polish)|(?!polish\b)(?:{LANGUAGES}))"
"""A language in any case, and not the verb "polish"."""
CUISINES = (
    "Thai|Indian|Italian|Chinese|Japanese|Korean|Vietnamese|Greek|Turkish|Persian|French|Spanish|Georgian"
)
"""Languages whose name alone may also be about food: "Thai only."."""
TASK_VERBS = (
    "write|rewrite|translate|proof-?read|summari[sz]e|make|give|draft|plan|list|suggest|explain|create|tell|show|recommend|"
    "compare|convert|calculate|describe|review|fix|check|add|remove|refactor|implement|debug|design|build|generate|"
    "correct|improve|find|look|update|continue|walk|turn|help"
)
"""Verbs of requests for a piece of work; those of standing instructions are in `norms/instructions.py`."""
TEXT_VERBS = "translate|proof-?read|rewrite|rephrase|paraphrase|reword|polish|summari[sz]e"
"""Verbs of tasks on a text in the message; "Polish" may also begin a statement."""
CONTESTS = "chess|cards|poker|tennis|golf|darts|scrabble|quiz|race"
"""What one loses to a person: "I lost Tom at chess" is no death."""
COUNT = r"(?:\d+|one|two|three|four|five|six|eight|ten)"
HELPERS = (
    "accountant|babysitter|barber|carer|caretaker|childminder|cleaner|coach|counsellor|counselor|dentist|doctor|"
    "electrician|gardener|gp|hairdresser|landlady|landlord|lawyer|mechanic|midwife|nanny|optician|physio|"
    "physiotherapist|plumber|psychiatrist|psychologist|solicitor|teacher|therapist|trainer|tutor|vet"
)
"""Persons of whom most people have one of a kind: "my dentist"."""
TEAM_ROLES = (
    "designer|product owner|product manager|project manager|tech lead|team lead|engineering manager|scrum master|"
    "cto|ceo|qa|sysadmin|office manager|account manager|book-?keeper|contact person"
)
"""Persons of whom most teams have one of a kind: "our tech lead"."""
