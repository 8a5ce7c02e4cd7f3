"""Rules that find habits, routines, patterns and skills in what people say about themselves."""
