"""Detection of instructions to the agent in texts that are to be remembered."""
