"""Everything that is decided and extracted without a language model: rules, word lists and a calibrated score."""

from memory_service.rules.extractor import RulesExtractor

__all__ = ["RulesExtractor"]
