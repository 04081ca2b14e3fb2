"""The tests, and what they share: streams, recordings played, oracles."""
