"""Pieces of the patterns that read clauses (clause_patterns.py): subjects, verbs, ends, and words of each kind."""

from __future__ import annotations

from memory_service.rules.facts.clauses import PEOPLE
from memory_service.rules.facts.patterns import NO_NAME

ADV = (
    r"(?: (?:really|also|now|currently|still|just|actually|usually|mostly|mainly|finally|recently|already|"
    r"absolutely|only|even|then|"
    r"officially|both|all|always|totally|completely|basically|definitely|simply|honestly|kind of|sort of|"
    r"very much|personally|generally|"
    r"normally|primarily|typically|eventually|often|sometimes|temporarily|originally|medically|severely|"
    r"mildly|slightly|very|quite|pretty|so|highly|deathly|badly|"
    r"a bit|a little|too|newly|happily|recently|lately|partly|partially|legally|completely|extremely|super|"
    r"terribly|seriously|technically|exclusively|almost exclusively))*"
)
WHO = rf"(?P<who>I|[Ww]e|(?:my|our) (?:{PEOPLE}))"
BE = r"(?:'m|'re|'s| am| are| is)"
HAVE = r"(?: have| has|'ve got|'s got| have got| has got| got|'ve| own| owns)"
PERFECT = r"(?:'ve| have| has|'s)?"
NOT = r" (?:don't|do not|doesn't|does not|never|can't|cannot|can not|won't|won’t|am not able to|couldn't)"
END = (
    r"(?=$|[;!?()\"]|\.(?!\w)|[,:](?!\d)| (?:and|but|because|so|since|which|who|when|while|though|although|as "
    r"well|too|now|"
    r"these days|right now|at the moment|"
    r"for (?:about |over |almost |nearly |around )?(?:\w+ ){0,2}(?:years?|months?|weeks?|decades?|ages)|if|"
    r"until|today|lately|any ?more|any longer|that|"
    r"anyway|though|again|yesterday|last (?:week|month|year|\w+day|spring|summer|autumn|fall|winter)|this "
    r"(?:week|month|year|spring|summer|autumn|fall|winter|morning)|"
    r"in (?:19|20)\d\d|(?:\w+ ){1,2}(?:days?|weeks?|months?|years?) ago|in (?:January|February|March|April|"
    r"May|June|July|August|September|October|November|December)"
    r"|every \w+|on (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|instead|either|at all|for (?:work|"
    r"everything|fun|now|me|us|good|tickets|notes|tests?|testing|code|coding|everything|most|my|our|the|all|"
    r"\w+ing)|from home|as of \w+|as (?:an?|the|my)|or|whereas|except|after|before|to be honest)\b| [-–—])"
)
V_TEXT = r"(?:[^.,;:!?\n()\"]|\.(?=\w)|(?<=\d)[,:](?=\d)){2,70}?"
V = rf"(?P<value>{V_TEXT})"
"""A value; a version, a decimal and a time of day keep their point or colon."""
VERYLONG = r"(?P<value>[^.;!?\n()\"]{3,110})"
NAME = r"(?-i:[A-ZÄÖÜÉÈÀÁÍÓÚŁŚŠŽØÅÇ][\w’'-]*[\w])"
NAMED = rf"(?P<value>(?-i:{NO_NAME}){NAME}(?: (?-i:{NO_NAME}){NAME})?)"
NAMES = rf"(?P<names>(?-i:{NO_NAME}){NAME}(?:(?:, (?:and )?| and | & ){NAME}){{0,4}})"
PLACE = (
    rf"(?P<value>(?:the )?(?-i:{NO_NAME}){NAME}(?:(?:,? |-)(?:of |the |on |upon |de |am |near |in "
    rf")?{NAME}){{0,4}})"
)
TO_DO = (
    r"(?![^.;!?\n()\"]{0,60}\bin (?:my|another|a) (?:next |other )?life\b)"
    r"(?P<value>(?:learn|become|be an? (?!(?:bit|little|good|better)\b)|own|teach|go into|work (?:as|for|in|"
    r"abroad)|run|lose|gain|save|quit|stop|give up|move|buy|start|finish|visit|travel|get "
    r"(?:better|fit|into|my|a|married|in shape|back)|improve|write|open|build|pass|"
    r"retire|apply|cut|reduce|eat (?:less|more|healthier)|read more|drink less|sleep|exercise|train|study|do "
    r"(?:a|my)|go (?:to|back|freelance|part-time|vegan)|change (?:careers?|jobs?)|pay off|adopt|launch|"
    r"climb|cycle|swim|complete|reach|qualify|graduate|renovate|sell|switch|be able|speak|play|have (?:a|"
    r"another|kids|children)|find (?:a|another) (?:new )?(?:job|flat|house|apartment|place|"
    r"partner))\b[^.;!?\n()\"]{0,90})"
)
ILLNESS = (
    r"(?:type (?:1|2|one|two|i|ii) )?diabetes|asthma|epilepsy|migraines?(?: with aura)?|arthritis|rheumatoid "
    r"arthritis|(?:high|low) blood pressure|hypertension|celiac(?: disease)?|coeliac(?: disease)?|"
    r"crohn'?s(?: disease)?|ulcerative colitis|ibs|irritable bowel(?: syndrome)?|adhd|add|autism|asperger'?s|"
    r"dyslexia|dyspraxia|ptsd|ocd|bipolar(?: disorder)?|depression|anxiety|insomnia|"
    r"tinnitus|psoriasis|eczema|hay ?fever|parkinson'?s|multiple sclerosis|ms|fibromyalgia|endometriosis|"
    r"pcos|hypothyroidism|hashimoto'?s|lupus|gout|glaucoma|cataracts?|macular degeneration|"
    r"sleep apnoea|sleep apnea|anaemia|anemia|(?:iron|vitamin \w+) deficiency|low iron|reflux|gerd|gastritis|"
    r"scoliosis|sciatica|carpal tunnel|osteoporosis|long covid|cancer|vertigo|meniere'?s|"
    r"narcolepsy|pots|raynaud'?s|rosacea|a (?:bad|dodgy|weak|sore|fused|replaced|new|slipped|herniated|torn|"
    r"trick|frozen|stiff|artificial) (?:\w+ )?(?:knee|back|hip|shoulder|heart|disc|ankle|wrist|neck|foot|leg|"
    r"acl|meniscus)|"
    r"a (?:pacemaker|heart condition|heart murmur|stoma|food intolerance|thyroid (?:condition|problem)|"
    r"gluten (?:allergy|intolerance)|lactose intolerance|hernia|stammer|stutter|lisp|prosthe\w+(?: \w+)?|"
    r"hearing aid|disability|learning disability)|"
    r"rsi|repetitive strain injury|tendonitis|tendinitis|atrial fibrillation|angina|"
    r"(?:one|two) (?:\w+ )?hearing aids?|hearing aids|tennis elbow|runner'?s knee|plantar fasciitis|restless "
    r"legs?(?: syndrome)?|poor eyesight|bad eyesight|aphantasia|face blindness|synaesthesia|dyscalculia|aura "
    r"migraines"
)
TOOLS = (
    r"(?:python|java(?:script)?|typescript|golang|go|rust|ruby(?: on rails)?|rails|php|laravel|symfony|"
    r"kotlin|swift|scala|elixir|phoenix|haskell|clojure|c\+\+|c#|\.net|r|matlab|julia|perl|lua|dart|flutter|"
    r"zig|"
    r"flask|django|fastapi|express|nestjs|next(?:\.?js)?|nuxt|react(?: native)?|vue(?:\.?js)?|svelte(?:kit)?|"
    r"angular|htmx|jquery|tailwind|bootstrap|spring(?: boot)?|quarkus|remix|astro|axum|actix|gin|"
    r"postgres(?:ql)?|mysql|mariadb|sqlite|mongo(?:db)?|redis|valkey|cassandra|dynamodb|snowflake|bigquery|"
    r"clickhouse|duckdb|elasticsearch|opensearch|kafka|rabbitmq|nats|sqs|celery|airflow|dbt|spark|dagster|"
    r"prefect|"
    r"docker|podman|kubernetes|k8s|helm|terraform|pulumi|ansible|nomad|aws|gcp|azure|hetzner|heroku|fly\.io|"
    r"vercel|netlify|cloudflare|digitalocean|jenkins|circleci|github actions|gitlab(?: ci)?|github|bitbucket|"
    r"travis|"
    r"freeagent|datev|mailchimp|freshdesk|airtable|basecamp|"
    r"vim|neovim|emacs|vs ?code|intellij|pycharm|webstorm|sublime(?: text)?|zed|cursor|helix|jupyter|notion|"
    r"obsidian|evernote|onenote|roam|logseq|todoist|trello|asana|jira|linear|clickup|monday|slack|teams|"
    r"discord|zoom|"
    r"whatsapp|signal|telegram|gmail|outlook|proton(?:mail)?|fastmail|excel|google sheets|google docs|google "
    r"drive|dropbox|onedrive|nextcloud|word|libreoffice|figma|sketch|photoshop|affinity|lightroom|darktable|"
    r"gimp|premiere|davinci(?: resolve)?|"
    r"final cut|ableton|logic(?: pro)?|fl studio|reaper|linux|ubuntu|debian|fedora|arch(?: linux)?|nixos|"
    r"windows(?: \d+)?|macos|mac|ios|android|chrome|firefox|safari|brave|arc|edge|spotify|tidal|apple music|"
    r"netflix|strava|garmin|fitbit|"
    r"pytest|unittest|jest|vitest|mocha|playwright|cypress|selenium|poetry|uv|pip|conda|npm|yarn|pnpm|bun|"
    r"deno|node(?:\.?js)?|webpack|vite|eslint|biome|prettier|black|ruff|mypy|pyright|sqlalchemy|prisma|"
    r"drizzle|graphql|rest|grpc|zendesk|intercom|"
    r"salesforce|hubspot|shopify|woocommerce|wordpress|squarespace|wix|webflow|stripe|paypal|xero|quickbooks|"
    r"datev|sap|zapier|n8n|make|duolingo|anki|kindle|audible|chatgpt|claude|copilot|gemini|mistral|ollama|"
    r"datadog|grafana|prometheus|sentry|bash|zsh|fish|"
    r"s3|nginx|caddy|apache|traefik|rspec|minitest|gradle|maven|bazel|make|cmake|svn|git|mercurial|mantine|"
    r"chakra|material ui|mui|pandas|polars|numpy|pytorch|tensorflow|keras|jax|scikit-learn|power ?bi|tableau|"
    r"looker|metabase)(?: (?:v?\d+(?:\.\d+)*))?"
)
PHONE = (
    r"(?:iphone|pixel|galaxy|fairphone|oneplus|xiaomi|nokia|motorola|samsung|huawei|nothing phone|sony "
    r"xperia|redmi|moto)(?: [\w+]+){0,3}"
)
CARS = (
    r"(?:volvo|vw|volkswagen|golf|polo|passat|toyota|yaris|corolla|prius|honda|civic|ford|fiesta|focus|bmw|"
    r"audi|mercedes|tesla|model [3yxs]|skoda|škoda|octavia|fabia|seat|ibiza|opel|corsa|vauxhall|astra|"
    r"renault|clio|zoe|twingo|"
    r"peugeot|citroen|citroën|fiat|panda|kia|niro|hyundai|ioniq|kona|mazda|subaru|forester|nissan|leaf|micra|"
    r"dacia|duster|sandero|mini|jeep|land rover|suzuki|swift|jimny|lexus|porsche|chevrolet|chevy|dodge|ram|"
    r"tundra|tacoma|rav4|cybertruck|rivian|polestar|byd|mg)(?: [\w-]+){0,2}"
)
FOODS = (
    r"(?:red |raw |fried |spicy |any |processed |farmed )?(?:meat|fish|seafood|shellfish|pork|beef|chicken|"
    r"eggs?|dairy|milk|cheese|gluten|wheat|bread|nuts|peanuts|tree nuts|soy|soya|sugar|sweets|mushrooms|"
    r"onions?|garlic|tomatoes|"
    r"lactose|cow'?s milk|cilantro|coriander|olives|alcohol|wine|beer|coffee|caffeine|grapefruit|sesame|lamb|"
    r"veal|bananas|kiwi\w*|strawberries|animal products|anything spicy|anything with \w+|spicy food|fast "
    r"food|carbs|bell peppers?|peppers?|aubergine|eggplant|celery|mustard|lupin|hazelnuts|almonds|walnuts|"
    r"pig meat|cashews|prawns|shrimp|mussels|oysters|liver|licorice|chocolate)"
)
FAN = (
    r"(?:a (?:big |huge |great |massive |real )?fan of|(?:really |very |super |totally )?into|obsessed with|"
    r"(?:very |really |quite )?fond of|(?:very |really |quite )?keen on|crazy about|mad about|passionate "
    r"about|addicted to|a sucker for)"
)
NOT_PLAIN = (
    r"(?!(?:to(?=$|[.,;!?])|the|living|seeing|hearing|being|having|finding|chatting|all|any|every|and|but|if|as|"
    r"with|in|on|of|"
    r"for|our|my|its|so|an? (?:good|bit|lot|nice)|doing it|watching (?:our|my|them|her|him)|it|that|this|you|"
    r"your|how|the way|the idea|the sound|the look|them|to know|to see|to ask|what|when|these|those|him|her|"
    r"everything|all of|both|one|your|some|here|there|such|is|a lot|where|more|something|anything|nothing|"
    r"something like|working with|talking to|the one|the first|the second|the last|option|number)\b)"
)
INSTRUMENT = (
    r"(?:the )?(?:piano|guitar|bass|violin|viola|cello|flute|clarinet|oboe|bassoon|saxophone|sax|trumpet|"
    r"trombone|horn|tuba|drums|ukulele|banjo|mandolin|harp|harmonica|accordion|organ|keyboard|recorder|"
    r"harpsichord|bagpipes|fiddle)"
)
SPORT = (
    r"(?:football|soccer|tennis|badminton|squash|padel|volleyball|basketball|handball|hockey|rugby|cricket|"
    r"baseball|softball|golf|chess|go|poker|bridge|darts|snooker|pool|table tennis|ping pong|lacrosse|water "
    r"polo|ultimate(?: frisbee)?|"
    r"bowls|boules|pétanque|d&d|dungeons and dragons|video games|board games|magic(?: the gathering)?|"
    r"warhammer|minecraft|stardew valley|zelda|elden ring|fortnite|valorant|league(?: of legends)?)"
)
DOING = (
    r"(?:yoga|pilates|karate|judo|aikido|taekwondo|kickboxing|boxing|crossfit|ballet|salsa|tango|improv|"
    r"pottery|ceramics|calligraphy|parkour|tai chi|gymnastics|ju-?jitsu|bjj|triathlons?|marathons?|spinning|"
    r"zumba|woodworking|crochet|embroidery|origami|beekeeping|bouldering|archery|fencing|stand-up|"
    r"photography|astrophotography|"
    r"knitting|sewing|quilting|gardening|hiking|climbing|running|swimming|cycling|rowing|sailing|surfing|"
    r"skiing|snowboarding|skating|kayaking|diving|fishing|birdwatching|birding|baking|brewing|painting|"
    r"drawing|sketching|singing|dancing|acting|blogging|bookbinding|blacksmithing|foraging|geocaching|"
    r"meditation|meditating|weightlifting|lifting|bell ?ringing|choir|orienteering|genealogy|lace ?making|"
    r"weaving|whittling|carving)"
)
LANGUAGE = (
    r"(?-i:English|German|French|Spanish|Italian|Portuguese|Dutch|Swedish|Norwegian|Danish|Finnish|Icelandic|"
    r"Polish|Czech|Slovak|Hungarian|Romanian|Bulgarian|Greek|Turkish|Russian|Ukrainian|Serbian|Croatian|"
    r"Slovenian|Lithuanian|Latvian|"
    r"Estonian|Arabic|Hebrew|Persian|Farsi|Hindi|Urdu|Bengali|Punjabi|Tamil|Telugu|Malayalam|Kannada|Marathi|"
    r"Gujarati|Nepali|Sinhala|Thai|Vietnamese|Tagalog|Indonesian|Malay|Mandarin|Cantonese|Chinese|Japanese|"
    r"Korean|Swahili|Amharic|Yoruba|Igbo|"
    r"Hausa|Zulu|Afrikaans|Welsh|Irish|Gaelic|Scots|Catalan|Basque|Galician|Albanian|Macedonian|Bosnian|"
    r"Armenian|Georgian|Kurdish|Pashto|Mongolian|Maori|Esperanto|Latin|BSL|ASL)|"
    r"english|german|french|spanish|italian|portuguese|dutch|swedish|norwegian|danish|finnish|polish|czech|"
    r"greek|turkish|russian|ukrainian|arabic|hebrew|hindi|tamil|japanese|korean|mandarin|cantonese|chinese|"
    r"vietnamese|thai|welsh|irish"
)
JOB = (
    r"(?:(?!(?:of|to|with|about|for|since|than|being|as|tired|sick|proud|\w+ing)\b)[\w/&'-]+ ){0,4}?(?:analyst|"
    r"engineer|developer|programmer|designer|architect|manager|director|"
    r"consultant|accountant|auditor|lawyer|solicitor|attorney|paralegal|nurse|doctor|gp|surgeon|dentist|"
    r"hygienist|physio(?:therapist)?|therapist|"
    r"psychologist|psychiatrist|counsell?or|pharmacist|paramedic|midwife|carer|vet(?:erinarian)?|teacher|"
    r"lecturer|professor|researcher|scientist|postdoc|librarian|archivist|curator|conservator|translator|"
    r"interpreter|editor|journalist|writer|author|"
    r"copywriter|photographer|illustrator|animator|musician|singer|actor|actress|chef|cook|baker|barista|"
    r"bartender|waiter|waitress|server|cashier|receptionist|secretary|assistant|admin(?:istrator)?|clerk|"
    r"officer|inspector|firefighter|detective|"
    r"electrician|plumber|carpenter|joiner|welder|mechanic|machinist|technician|operator|driver|courier|"
    r"pilot|captain|sailor|fisherman|farmer|gardener|florist|landscaper|builder|roofer|bricklayer|painter|"
    r"decorator|surveyor|planner|estate agent|realtor|"
    r"broker|banker|trader|economist|statistician|mathematician|physicist|chemist|biologist|geologist|"
    r"botanist|ecologist|meteorologist|astronomer|historian|archaeologist|anthropologist|sociologist|"
    r"linguist|social worker|youth worker|case worker|"
    r"sysadmin|devops(?: engineer)?|sre|dba|qa|tester|product owner|scrum master|team lead|tech lead|lead|"
    r"head of [\w ]+|cto|ceo|cfo|coo|founder|co-founder|owner|entrepreneur|freelancer|contractor|intern|"
    r"apprentice|trainee|student|phd student|"
    r"hairdresser|barber|beautician|tailor|seamstress|potter|player|athlete|boxer|wrestler|comedian|blogger|"
    r"youtuber|streamer|poet|novelist|sculptor|magician|housekeeper|homemaker|housewife|pianist|guitarist|drummer|"
    r"violinist|cellist|jewell?er|goldsmith|watchmaker|luthier|"
    r"beekeeper|butcher|fishmonger|grocer|shopkeeper|sales\w*|rep(?:resentative)?|recruiter|trainer|coach|"
    r"instructor|tutor|nanny|au pair|cleaner|janitor|caretaker|"
    r"guard|soldier|priest|vicar|pastor|imam|rabbi|judge|politician|civil servant|tour guide|guide|flight "
    r"attendant|steward|stewardess|postman|mail carrier|warehouse worker|factory worker|technologist|"
    r"radiographer|optician|optometrist|audiologist|dietitian|nutritionist|"
    r"support agent|call centre agent|teaching assistant|headteacher|principal|midwife|undertaker|notary|"
    r"bookkeeper|controller|underwriter|actuary|strategist|marketer|publicist|producer|dramaturg|conductor|"
    r"composer|organist|dj|glassblower|blacksmith|ranger|zookeeper|lifeguard|groomer|technologist|specialist|"
    r"coordinator|supervisor|foreman|dispatcher|skipper|bosun|deckhand|sommelier|brewer|cheesemaker|"
    r"confectioner|tattooist|locksmith|glazier|tiler|plasterer|bus driver|tram driver|train driver|truck "
    r"driver|lorry driver|taxi driver)"
)
DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|jan|feb|mar|"
    r"apr|jun|jul|aug|sept?|oct|nov|dec)\w*"
)
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
    r"(?:dog|cat|puppy|kitten|rabbit|bunny|horse|pony|parrot|budgie|hamster|guinea pig|gerbil|tortoise|"
    r"turtle|snake|gecko|lizard|ferret|rat|goldfish|chickens?|hens?|goats?|sheep|donkey|bird|labrador|lab|"
    r"beagle|poodle|collie|terrier|dachshund|spaniel|whippet|greyhound|retriever|shepherd|husky|corgi|pug|"
    r"bulldog|siamese|maine coon|tabby|dogs|cats|rabbits|horses|kittens|puppies|budgies|guinea pigs|fish|"
    r"bees)"
)
MEDICINE = (
    r"(?:\d+ ?mg (?:of )?)?[A-Za-z]*(?:formin|pril|sartan|statin|olol|azole|oxetine|opram|traline|axine|afil|gliptin|"
    r"glutide|mycin|cillin|triptan|barbital|azepam|zolam|pidem|thyroxine?|thyroxin|tadine|rizine|prednisone|"
    r"prednisolone|"
    r"lukast|warfarin|insulin|lithium|ritalin|concerta|elvanse|vyvanse|adderall|topiramate|amitriptyline|pregabalin|"
    r"gabapentin|lamotrigine|quetiapine|methotrexate|mirtazapine|statins|antidepressants?|blood thinners?|beta "
    r"blockers?)"
)
