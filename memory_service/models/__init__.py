"""Language models and embedders, behind one interface."""
