"""Pieces of the patterns that read clauses (clause_patterns.py): subjects, verbs, ends, and words of each kind."""

from __future__ import annotations

from memory_service.rules.facts.clauses import PEOPLE
from memory_service.rules.facts.patterns import DOSE as DOSE
from memory_service.rules.facts.patterns import MEDICINE as MEDICINE
from memory_service.rules.facts.patterns import NO_NAME
from memory_service.rules.word_lists import DAY as DAY
from memory_service.rules.word_lists import LANGUAGES, MONTHS

ADV = (
    "(?: (?:really|also|now|currently|still|just|actually|usually|mostly|mainly|finally|recently|already|absolutely|"
    "only|even|then|officially|both|all|always|totally|completely|basically|definitely|simply|honestly|kind of|sort of|"
    "very much|personally|generally|normally|primarily|typically|eventually|often|sometimes|temporarily|originally|"
    "medically|severely|mildly|slightly|very|quite|pretty|so|highly|deathly|badly|a bit|a little|too|newly|happily|"
    "lately|partly|partially|legally|extremely|super|terribly|seriously|technically|exclusively|almost exclusively))*"
)
WHO = rf"(?P<who>I|[Ww]e|(?:my|our) (?:{PEOPLE}))"
BE = r"(?:'m|'re|'s| am| are| is)"
HAVE = r"(?: have| has|'ve got|'s got| have got| has got| got|'ve| own| owns)"
PERFECT = r"(?:'ve| have| has|'s)?"
NOT = r" (?:don't|do not|doesn't|does not|never|can't|cannot|can not|won't|won’t|am not able to|couldn't)"
END = (
    r"(?=$|[;!?()\"]|\.(?!\w)|[,:](?!\d)| (?:and|but|because|so|since|which|who|when|while|though|although|as well|too|"
    r"now|from now on|nowadays|these days|right now|at the moment|for (?:about |over |almost |nearly |"
    r"around )?(?:\w+ ){0,2}(?:years?|months?|weeks?|decades?|ages)|if|until|today|lately|any ?more|any longer|that|"
    r"anyway|anyhow|though|again|yesterday|last (?:week(?:end)?|month|year|night|\w+day|spring|summer|autumn|fall|"
    r"winter)|"
    r"this (?:week(?:end)?|month|year|spring|summer|autumn|fall|winter|morning)|in (?:19|20)\d\d|(?:\w+ ){1,2}(?:days?|"
    rf"weeks?|months?|years?) ago|in (?:{MONTHS})|every \w+|on {DAY}s?|instead|either|at all|for (?:work|everything|"
    r"fun|now|me|us|good|tickets|notes|tests?|testing|code|coding|everything|most|my|our|the|all|\w+ing)|from home|as "
    r"of \w+|as (?:an?|the|my)|or|whereas|except|after|before|to be honest)\b| [-–—])"
)
V_TEXT = r"(?:[^.,;:!?\n()\"]|\.(?=\w)|(?<=\d)[,:](?=\d)){2,70}?"
V = rf"(?P<value>(?!(?:because|without|while|whether|although|unless)\b){V_TEXT})"
"""A value, which begins with no conjunction; a version, a decimal and a time of day keep their point or colon."""
_WHOLE = (
    r"(?=$|[.,;:!?\n()\"]| (?:and|but|because|so|since|when|if|while|before|after|until|which|that|who|as|to|for|in|on|"
    r"at|with|by|from|of)\b)"
)
"""The end of a value whose length is limited: no value ends within a word or a phrase."""
VERYLONG = rf"(?P<value>(?:[^.;!?\n()\"]|\.(?=\w)){{3,110}}){_WHOLE}"
NAME = r"(?-i:[A-ZÄÖÜÉÈÀÁÍÓÚŁŚŠŽØÅÇ][\w’'-]*[\w])"
NAMED = rf"(?P<value>(?-i:{NO_NAME}){NAME}(?: (?-i:{NO_NAME}){NAME})?)"
NAMES = (
    rf"(?P<names>(?-i:{NO_NAME}){NAME}(?:(?:, (?:and )?| and | & )"
    rf"(?-i:(?=(?:April|June|August)(?:$|[,.;!?]))|{NO_NAME}){NAME}){{0,4}})"
)
PLACE = rf"(?P<value>(?:the )?(?-i:{NO_NAME}){NAME}(?:(?:,? |-)(?:of |the |on |upon |de |am |near |in )?{NAME}){{0,4}})"
TO_DO = (
    r"(?![^.;!?\n()\"]{0,60}\bin (?:my|another|a) (?:next |other )?life\b)(?P<value>(?:learn|become|be an? (?!(?:bit|"
    r"little|good|better|fly|burden|nuisance|bother|pain|pest|hypocrite|fool|hero)\b)|own|teach|go into|work (?:as|"
    r"for|in|abroad)|run|lose|gain|save|quit|stop|give up|move|"
    r"buy|start|finish|visit|travel|get (?:better|fit|into|my|a|married|in shape|back)|improve|write|open|build|pass|"
    r"retire|apply|cut|reduce|eat (?:less|more|healthier)|read more|drink less|sleep|exercise|train|study|do (?:a|my)|"
    r"go (?:to|back|freelance|part-time|vegan)|change (?:careers?|jobs?)|pay off|adopt|launch|climb|cycle|"
    r"swim|complete|reach|qualify|graduate|renovate|sell|switch|be able|speak|play|have (?:a|another|kids|children)|"
    r"find (?:a|another) (?:new )?(?:job|flat|house|apartment|place|partner))\b(?:[^.;!?\n()\"]|\.(?=\w)){0,90})"
    rf"{_WHOLE}"
)
ILLNESS = (
    r"(?:(?:type (?:1|2|one|two|i|ii)|gestational) )?diabetes|(?:lactose|gluten|histamine|fructose) intolerance|"
    r"asthma|epilepsy|migraines?(?: with aura)?|arthritis|rheumatoid arthritis|"
    r"(?:high|low) blood pressure|high cholesterol|hypertension|celiac(?: disease)?|coeliac(?: disease)?|crohn'?s(?: "
    r"disease)?|"
    r"ulcerative colitis|ibs|irritable bowel(?: syndrome)?|adhd|add|autism|asperger'?s|dyslexia|dyspraxia|ptsd|ocd|"
    r"bipolar(?: disorder)?|depression|anxiety|insomnia|tinnitus|psoriasis|eczema|hay ?fever|parkinson'?s|"
    r"multiple sclerosis|ms|fibromyalgia|endometriosis|pcos|hypothyroidism|hashimoto'?s|lupus|gout|glaucoma|cataracts?|"
    r"macular degeneration|sleep apnoea|sleep apnea|anaemia|anemia|(?:iron|vitamin \w+) deficiency|low iron|reflux|"
    r"gerd|gastritis|scoliosis|sciatica|carpal tunnel|osteoporosis|long covid|"
    r"(?:(?:breast|lung|skin|bowel|colon|prostate|ovarian|cervical|thyroid|pancreatic|stomach|liver|kidney|bladder|"
    r"throat|testicular|brain|blood|bone) )?cancer|vertigo|meniere'?s|narcolepsy|"
    r"pots|raynaud'?s|rosacea|a (?:bad|dodgy|weak|sore|fused|replaced|new|slipped|herniated|torn|trick|frozen|stiff|"
    r"artificial) (?:\w+ )?(?:knee|back|hip|shoulder|heart|disc|ankle|wrist|neck|foot|leg|acl|meniscus)|a (?:pacemaker|"
    r"heart condition|heart murmur|stoma|food intolerance|thyroid (?:condition|problem)|gluten (?:allergy|intolerance)|"
    r"lactose intolerance|hernia|stammer|stutter|lisp|prosthe\w+(?: \w+)?|hearing aid|disability|learning disability)|"
    r"rsi|repetitive strain injury|tendonitis|tendinitis|atrial fibrillation|angina|"
    r"(?:one|two) (?:\w+ )?hearing aids?|hearing aids|tennis elbow|runner'?s knee|plantar fasciitis|restless "
    r"legs?(?: syndrome)?|poor eyesight|bad eyesight|aphantasia|face blindness|synaesthesia|dyscalculia|aura migraines"
)
TOOLS = (
    r"(?:python|java(?:script)?|typescript|golang|go|rust|ruby(?: on rails)?|rails|php|laravel|symfony|kotlin|swift|"
    r"scala|elixir|phoenix|haskell|clojure|c\+\+|c#|\.net|r|matlab|julia|perl|lua|dart|flutter|zig|flask|django|"
    r"fastapi|express|nestjs|next(?:\.?js)?|nuxt|react(?: native)?|vue(?:\.?js)?|svelte(?:kit)?|angular|htmx|jquery|"
    r"tailwind|bootstrap|redux|zustand|mobx|"
    r"spring(?: boot)?|quarkus|remix|astro|axum|actix|gin|postgres(?:ql)?|mysql|mariadb|sqlite|"
    r"mongo(?:db)?|redis|valkey|cassandra|dynamodb|snowflake|bigquery|clickhouse|duckdb|elasticsearch|opensearch|kafka|"
    r"rabbitmq|nats|sqs|celery|airflow|dbt|spark|dagster|prefect|docker|podman|kubernetes|k8s|helm|terraform|pulumi|"
    r"ansible|nomad|aws|gcp|azure|hetzner|heroku|fly\.io|vercel|netlify|cloudflare|digitalocean|jenkins|circleci|"
    r"github actions|gitlab(?: ci)?|github|bitbucket|travis|freeagent|datev|mailchimp|freshdesk|airtable|basecamp|vim|"
    r"neovim|emacs|vs ?code|intellij|pycharm|webstorm|sublime(?: text)?|zed|cursor|helix|jupyter|notion|obsidian|"
    r"evernote|onenote|roam|logseq|todoist|trello|asana|jira|linear|clickup|monday|slack|teams|discord|zoom|whatsapp|"
    r"signal|telegram|gmail|outlook|proton(?:mail)?|fastmail|excel|google sheets|google docs|google drive|dropbox|"
    r"onedrive|nextcloud|word|libreoffice|figma|sketch|photoshop|affinity|lightroom|darktable|gimp|premiere|"
    r"davinci(?: resolve)?|final cut|ableton|logic(?: pro)?|fl studio|reaper|linux|ubuntu|debian|fedora|"
    r"arch(?: linux)?|nixos|windows(?: \d+)?|macos|mac|ios|android|chrome|firefox|safari|brave|arc|edge|spotify|tidal|"
    r"apple music|netflix|strava|garmin|fitbit|pytest|unittest|jest|vitest|mocha|playwright|cypress|selenium|poetry|uv|"
    r"pip|conda|npm|yarn|pnpm|bun|deno|node(?:\.?js)?|webpack|vite|eslint|biome|prettier|black|ruff|mypy|pyright|"
    r"sqlalchemy|prisma|drizzle|graphql|rest|grpc|zendesk|intercom|salesforce|hubspot|shopify|woocommerce|wordpress|"
    r"squarespace|wix|webflow|stripe|paypal|xero|quickbooks|datev|sap|zapier|n8n|make|duolingo|anki|kindle|audible|"
    r"chatgpt|claude|copilot|gemini|mistral|ollama|datadog|grafana|prometheus|sentry|bash|zsh|fish|s3|nginx|caddy|"
    r"apache|traefik|rspec|minitest|gradle|maven|bazel|make|cmake|svn|git|mercurial|mantine|chakra|material ui|mui|"
    r"pandas|polars|numpy|pytorch|tensorflow|keras|jax|scikit-learn|power ?bi|tableau|looker|metabase|mlflow|wandb|"
    r"weights (?:and|&) biases|lightgbm|xgboost|catboost|knex|kysely|typeorm|matplotlib|plotly|seaborn|bullmq|pg-boss|"
    r"davinci resolve)(?: (?:v?\d+(?:\.\d+)*))?"
)
BANKS = (
    r"(?:monzo|starling(?: bank)?|revolut|n26|barclays|hsbc|lloyds|natwest|santander|nationwide|halifax|first direct|"
    r"wise|ing|abn amro|rabobank|bunq|deutsche bank|commerzbank|sparkasse|dkb|comdirect|wells fargo|bank of america|"
    r"citi(?:bank)?|bnp paribas|unicredit|nordea|swedbank|bbva|ally)"
)
PHONE = (
    r"(?:iphone|pixel|galaxy|fairphone|oneplus|xiaomi|nokia|motorola|samsung|huawei|nothing phone|sony "
    r"xperia|redmi|moto)(?: (?!(?:from|for|with|and|but|now|because|as|so|in|at|on|to)\b)[\w+]+){0,3}"
)
CAR_MAKES = (
    r"(?:volvo|vw|volkswagen|golf|polo|passat|touran|tiguan|caddy|toyota|yaris|corolla|prius|honda|civic|ford|fiesta|"
    r"focus|bmw|audi|mercedes|tesla|model [3yxs]|skoda|škoda|octavia|fabia|kodiaq|karoq|enyaq|seat|ibiza|opel|"
    r"corsa|vauxhall|astra|renault|clio|zoe|twingo|megane|kangoo|peugeot|citroen|citroën|berlingo|fiat|panda|kia|niro|"
    r"hyundai|ioniq|kona|mazda|subaru|forester|nissan|leaf|micra|qashqai|dacia|duster|sandero|mini|jeep|land rover|"
    r"suzuki|swift|jimny|lexus|porsche|chevrolet|chevy|dodge|ram|"
    r"tundra|tacoma|rav4|cybertruck|rivian|polestar|byd|mg)"
)
CARS = rf"{CAR_MAKES}(?: [\w-]+){{0,2}}"
FOODS = (
    r"(?:red |raw |fried |spicy |any |processed |farmed )?(?:meat|fish|seafood|shellfish|pork|beef|chicken|eggs?|dairy|"
    r"milk|cheese|gluten|wheat|bread|nuts|peanuts|tree nuts|soy|soya|sugar|sweets|mushrooms|onions?|garlic|tomatoes|"
    r"lactose|cow'?s milk|cilantro|coriander|olives|alcohol|wine|beer|coffee|caffeine|grapefruit|sesame|lamb|veal|"
    r"bananas|kiwi\w*|strawberries|animal products|anything spicy|anything with \w+|spicy food|fast food|carbs|"
    r"bell peppers?|peppers?|aubergine|eggplant|celery|mustard|lupin|hazelnuts|almonds|walnuts|pig meat|cashews|prawns|"
    r"shrimp|mussels|oysters|liver|licorice|chocolate)"
)
FAN = (
    r"(?:a (?:big |huge |great |massive |real )?fan of|(?:really |very |super |totally )?into|obsessed with|"
    r"(?:very |really |quite )?fond of|(?:very |really |quite )?keen on|crazy about|mad about|passionate "
    r"about|addicted to|a sucker for)"
)
NOT_PLAIN = (
    r"(?!(?:to(?=$|[.,;!?])|the|living|seeing|hearing|being|having|finding|chatting|all|any|every|and|but|if|as|with|"
    r"in|on|of|for|our|my|its|so|an? (?:good|bit|lot|nice)|doing it|watching (?:our|my|them|her|him)|it|that|this|you|"
    r"your|how|the way|the idea|the sound|the look|them|to know|to see|to ask|what|when|these|those|him|her|everything|"
    r"all of|both|one|your|some|here|there|such|is|a lot|where|more|something|anything|nothing|something like|"
    r"working with|talking to|the one|the first|the second|the last|option|number)\b)"
)
INSTRUMENT = (
    "(?:the )?(?:piano|guitar|bass|violin|viola|cello|flute|clarinet|oboe|bassoon|saxophone|sax|trumpet|trombone|horn|"
    "tuba|drums|ukulele|banjo|mandolin|harp|harmonica|accordion|organ|keyboard|recorder|harpsichord|bagpipes|fiddle)"
)
SPORT = (
    r"(?:football|soccer|tennis|badminton|squash|padel|volleyball|basketball|handball|hockey|rugby|cricket|"
    r"baseball|softball|golf|chess|go|poker|bridge|darts|snooker|pool|table tennis|ping pong|lacrosse|water "
    r"polo|ultimate(?: frisbee)?|"
    r"bowls|boules|pétanque|d&d|dungeons and dragons|video games|board games|magic(?: the gathering)?|"
    r"warhammer|minecraft|stardew valley|zelda|elden ring|fortnite|valorant|league(?: of legends)?)"
)
DOING = (
    "(?:yoga|pilates|karate|judo|aikido|taekwondo|kickboxing|boxing|crossfit|ballet|salsa|tango|improv|pottery|"
    "ceramics|calligraphy|parkour|tai chi|gymnastics|ju-?jitsu|bjj|triathlons?|marathons?|spinning|zumba|woodworking|"
    "crochet|embroidery|origami|beekeeping|bouldering|archery|fencing|stand-up|photography|astrophotography|knitting|"
    "sewing|quilting|gardening|hiking|climbing|running|swimming|cycling|rowing|sailing|surfing|skiing|snowboarding|"
    "skating|kayaking|diving|fishing|birdwatching|birding|baking|brewing|painting|drawing|sketching|singing|dancing|"
    "acting|blogging|bookbinding|blacksmithing|foraging|geocaching|meditation|meditating|weightlifting|lifting|"
    "bell ?ringing|choir|orienteering|genealogy|lace ?making|weaving|whittling|carving)"
)
LANGUAGE = (
    rf"(?-i:{LANGUAGES})|english|german|french|spanish|italian|portuguese|dutch|swedish|norwegian|"
    "danish|finnish|polish|czech|greek|turkish|russian|ukrainian|arabic|hebrew|hindi|tamil|japanese|korean|mandarin|cantonese|chinese|vietnamese|thai|welsh|irish"
)
JOB = (
    r"(?:(?!(?:of|to|with|about|for|since|than|being|as|tired|sick|proud|retired|former|aspiring|budding|future|"
    r"\w+ing)\b)[\w/&'-]+ ){0,4}?(?:analyst|"
    r"engineer|developer|programmer|designer|architect|manager|director|consultant|accountant|auditor|lawyer|solicitor|"
    r"attorney|paralegal|nurse|doctor|gp|surgeon|dentist|hygienist|physio(?:therapist)?|therapist|psychologist|"
    r"psychiatrist|counsell?or|pharmacist|paramedic|midwife|carer|vet(?:erinarian)?|teacher|lecturer|professor|"
    r"researcher|scientist|postdoc|librarian|archivist|curator|conservator|translator|interpreter|editor|journalist|"
    r"writer|author|copywriter|photographer|illustrator|animator|musician|singer|actor|actress|chef|cook|baker|barista|"
    r"bartender|waiter|waitress|server|cashier|receptionist|secretary|assistant|admin(?:istrator)?|clerk|officer|"
    r"inspector|firefighter|detective|electrician|plumber|carpenter|joiner|welder|mechanic|machinist|technician|"
    r"operator|driver|courier|pilot|captain|sailor|fisherman|farmer|gardener|florist|landscaper|builder|roofer|"
    r"bricklayer|painter|decorator|surveyor|planner|estate agent|realtor|broker|banker|trader|economist|statistician|"
    r"mathematician|physicist|chemist|biologist|geologist|botanist|ecologist|meteorologist|astronomer|historian|"
    r"archaeologist|anthropologist|sociologist|linguist|social worker|youth worker|case worker|sysadmin|"
    r"devops(?: engineer)?|sre|dba|qa|tester|product owner|scrum master|team lead|tech lead|lead|head of [\w ]+|cto|"
    r"ceo|cfo|coo|founder|co-founder|owner|entrepreneur|freelancer|contractor|intern|apprentice|trainee|student|"
    r"phd student|hairdresser|barber|beautician|tailor|seamstress|potter|player|athlete|boxer|wrestler|comedian|"
    r"blogger|youtuber|streamer|poet|novelist|sculptor|magician|housekeeper|homemaker|housewife|pianist|guitarist|"
    r"drummer|violinist|cellist|jewell?er|goldsmith|watchmaker|luthier|beekeeper|butcher|fishmonger|grocer|shopkeeper|"
    r"sales\w*|rep(?:resentative)?|recruiter|trainer|coach|instructor|tutor|nanny|au pair|cleaner|janitor|caretaker|"
    r"guard|soldier|priest|vicar|pastor|imam|rabbi|judge|politician|civil servant|tour guide|guide|flight attendant|"
    r"steward|stewardess|postman|mail carrier|warehouse worker|factory worker|technologist|radiographer|optician|"
    r"optometrist|audiologist|dietitian|nutritionist|deputy head|ward sister|ward manager|head of department|associate|"
    r"support agent|call centre agent|teaching assistant|headteacher|principal|midwife|undertaker|notary|bookkeeper|"
    r"controller|underwriter|actuary|strategist|marketer|publicist|producer|dramaturg|conductor|composer|organist|dj|"
    r"glassblower|blacksmith|ranger|zookeeper|lifeguard|groomer|technologist|specialist|coordinator|supervisor|foreman|"
    r"dispatcher|skipper|bosun|deckhand|sommelier|brewer|cheesemaker|confectioner|tattooist|locksmith|glazier|tiler|"
    r"plasterer|cabinetmaker|dressmaker|shoemaker|miner|porter|stonemason|upholsterer|fireman|policeman|policewoman|"
    r"headmaster|headmistress|psychotherapist|osteopath|podiatrist|cartographer|forester|ferryman|railwayman|bus "
    r"driver|tram driver|train driver|truck driver|lorry driver|taxi driver)"
)
MONTH = rf"(?:{MONTHS}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\w*"
DATE = (
    rf"(?:the )?(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH}|{MONTH} (?:the )?\d{{1,2}}(?:st|nd|rd|th)?|"
    rf"\d{{1,2}}[./]\d{{1,2}}\.?)(?:,? (?:19|20)\d\d)?"
)
NUMBER = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|"
    r"seventeen|eighteen|nineteen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:one|two|"
    r"three|four|five|six|seven|eight|nine))?|\d{1,2})"
)
ANIMAL = (
    "(?:dog|cat|puppy|kitten|rabbit|bunny|horse|pony|parrot|budgie|hamster|guinea pig|gerbil|tortoise|turtle|snake|"
    "gecko|lizard|ferret|rat|goldfish|chickens?|hens?|goats?|sheep|donkey|bird|labrador|lab|beagle|poodle|collie|"
    "terrier|dachshund|spaniel|whippet|greyhound|retriever|shepherd|husky|corgi|pug|bulldog|siamese|maine coon|tabby|"
    "dogs|cats|rabbits|horses|kittens|puppies|budgies|guinea pigs|fish|bees)"
)
TIME = r"(?: (?:last|this|next|yesterday|today|in|on|at|since|from|two|three|a|because|after|as of|now)\b)"
STOP_OR_TIME = rf"(?=$|[.,;:!?()]|{TIME}| (?:and|but|so|which)\b)"
LONG_AGO = (
    r"\b(?:in (?:19|20)\d\d|(?:years?|decades?|ages) ago|long ago|back in|as a (?:kid|child|teen\w*))\b"
)
LEAD = r"(?:(?:so|then|well|also|now|and|ok|okay|right|plus|news|update|anyway|by the way|from now on|today),? )*"
"""Words before the subject of a clause."""
CLAUSE_START = rf"(?:^{LEAD}|, (?:and |so |but )*)"
SURE = r"(?!.*\b(?:if|might|(?-i:may)|would|could|should|maybe|perhaps|whether|were|said|says|imagine|suppose)\b)"
"""Lookahead: no word of doubt in the clause."""
FOR_ONCE = (
    r"(?!.*\b(?:this (?:week(?:end)?|month|time|morning|afternoon|evening|once)|only|tonight|today|for now|"
    r"in (?:an?|my) dreams?|dreamt?|water|juice|(?:alcohol|caffeine)[- ]free|non[- ]alcoholic|"
    r"just (?:this|for|once))\b)"
)
"""Lookahead: nothing in the sentence limits a habit to a moment."""
NO_ALLERGEN = (
    r"work|mornings?|mondays?|nonsense|drama|bullshit|small talk|meetings?|semicolons?|failure|commitment|weddings?|"
    r"effort|fun|change|code|javascript|java|php|excel|deadlines|responsibility|stupidity|people|children|housework|"
    r"losing"
)
"""What people say in jest that they are allergic to. An allergy to exercise exists."""
ALLERGY_GONE = (
    r"(?:[’']s| is| has)?(?: been| now| finally| all| completely)* (?:gone|over|outgrown|cured|cleared up)(?=$|[.,;!)]|"
    r" (?:now|since|thank|at last|for good|completely|and|so)\b)"
)
"""After "my peanut allergy"; neither "gone for now" nor "over the top"."""
NO_PERSON = (
    r"(?!(?:(?i:queen|king|prince|princess|pope|president|senator|netflix|spotify|google|amazon|apple|microsoft|uber|"
    r"steam|tinder|instagram|facebook|twitter|tiktok|youtube|london|paris|leeds|berlin|manchester|liverpool|wine|beer|"
    r"coffee|tea|gin|vodka|sugar|chocolate|cheese|pizza|food|bread|sarcasm|sleep|work|life))\b)"
)
"""Lookahead: the name is no brand, place, food or public office, which begins a sentence with a capital too."""
