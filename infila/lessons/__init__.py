"""Guided first games: everything about a lesson but where and by whom it is played.

- `lesson`: a lesson as the game's folder has it, `lesson.json` (docs/how-to/lessons.md).
- `progress`: how far somebody has come, which follows from the moves made and what has been read.
- `coach`: what the coach then says, suggests and points at.

A lesson is played at an ordinary table: `infila.server.lessons` begins one, and `infila.web.coach` draws the coach.
"""
