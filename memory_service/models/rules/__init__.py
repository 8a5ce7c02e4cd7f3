"""The extractor without a language model: rules, word lists and a calibrated score."""

from memory_service.models.rules.extractor import RulesExtractor

__all__ = ["RulesExtractor"]
