"""Agents that somebody else wrote, in a seat beside the computer players: from a module, a program, or an ONNX file.

All of them come down to one of two answers: a view gives a move; or observations and masks give actions, for many games
at once. docs/reference/agents.md has the rest.
"""

from infila.agents.guest import Chooser, Guest, Misbehaved, Policy
from infila.agents.naming import Sitter, is_agent, seated

__all__ = ["Chooser", "Guest", "Misbehaved", "Policy", "Sitter", "is_agent", "seated"]
