"""Recall: the current facts of one owner that matter for a turn, few and right."""
