"""Towns and employers that are read where a message gives nothing but their name in lower case."""

from __future__ import annotations

from memory_service.rules.facts.value_normalization import is_country

_TOWNS = frozenset(
    """
    aachen aarhus aberdeen adelaide amsterdam ankara antwerp athens atlanta auckland augsburg austin baltimore
    bangalore bangkok barcelona basel basle beijing belfast belgrade bergamo bergen berlin bern berne bilbao
    birmingham bochum bologna bonn bordeaux boston bradford bratislava bremen brighton brisbane bristol bruges
    brussels bucharest budapest cairo calgary cambridge canberra cardiff chennai chester chicago cologne
    copenhagen cork coventry dallas darmstadt delhi denver derby detroit dortmund dresden dubai dublin duisburg
    dundee durham edinburgh eindhoven essen exeter florence frankfurt freiburg gdansk geneva genf genoa ghent
    glasgow gothenburg granada graz grenoble groningen haarlem hamburg hannover hanover heidelberg helsinki
    houston hull hyderabad innsbruck istanbul jakarta karlsruhe kassel kiel krakow kyiv köln lausanne leeds
    leicester leiden leipzig leuven lille linz lisbon liverpool ljubljana london lucerne luxembourg lyon madrid
    mainz malmo manchester mannheim marseille melbourne miami milan minneapolis montreal moscow mumbai munich
    munster münchen nairobi nantes naples newcastle norwich nottingham nuremberg odense oslo ottawa oxford
    palermo paris perth philadelphia phoenix pisa pittsburgh plymouth portland porto portsmouth potsdam prague
    rennes riga rome rotterdam salzburg seattle seoul seville shanghai sheffield singapore sofia southampton
    stockholm strasbourg stuttgart sydney tallinn tampere tokyo toronto toulouse trieste turin utrecht valencia
    vancouver verona vienna vilnius warsaw wellington wien winterthur wuppertal york zagreb zurich zürich
    """.split()  # noqa: SIM905
)
TOWN = rf"(?:{'|'.join(name.capitalize() for name in sorted(_TOWNS))})(?![\w-])"
"""Pattern of their names in careful writing."""
_EMPLOYERS = frozenset(
    """
    accenture adidas adobe airbnb airbus aldi allianz amazon amd asda astrazeneca audi axa barclays basf bayer
    bmw boeing bosch capgemini carrefour cisco citigroup cognizant costco daimler decathlon dell deloitte dhl
    ebay ericsson facebook fedex fiat ford fujitsu github gitlab glaxosmithkline goldman google gsk hitachi
    honda honeywell hsbc huawei ibm ikea infineon infosys intel johnson kpmg lidl lloyds logitech lonza
    lufthansa maersk mckinsey mercedes merck meta microsoft migros morrisons natwest nestle nestlé netflix nike
    nintendo nissan nokia novartis nvidia openai oracle palantir panasonic paypal pepsi pepsico pfizer philips
    porsche primark pwc qualcomm roche ryanair sainsburys salesforce samsung sandoz sanofi sap shopify siemens
    spotify starbucks swisscom syngenta tesco tesla thales toyota twitter uber ubs unilever vodafone volkswagen
    volvo waitrose walmart wipro xerox yahoo zalando
    """.split()  # noqa: SIM905
)


def is_town_or_country(name: str) -> bool:
    """Whether this is a well-known town or a country."""
    return name.lower() in _TOWNS or is_country(name.lower())


def is_employer(name: str) -> bool:
    """Whether this is a well-known employer."""
    return name.lower() in _EMPLOYERS
