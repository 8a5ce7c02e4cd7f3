"""The methods of `Memory`, one class per area."""
