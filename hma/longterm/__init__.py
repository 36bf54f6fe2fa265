"""Tier 2: facts in SQL, versioned and bi-temporal; Chroma as a derived index; recall."""
