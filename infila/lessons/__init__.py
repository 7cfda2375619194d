"""Guided first games: all that a lesson is, whoever plays it and wherever.

- `lesson`: a lesson as the game's folder has it, `lesson.json` (docs/how-to/lessons.md).
- `progress`: how far somebody is, which follows from the moves made and from what has been read.
- `coach`: what the coach says then, suggests and points at.

A lesson is played at an ordinary table: `infila.server.lessons` begins one, and `infila.web.coach` draws the coach.
"""
