"""Everything that is decided and extracted without a language model: rules, word lists and a calibrated score."""
