"""The second reader: declarative rules of high precision, English and Chinese.

`english.toml` and `chinese.toml` are the rules; `reader.RuleReader` runs them.
"""
