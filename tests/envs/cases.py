"""OpenSpiel's own tests of a game, which are classes of unittest, run on ours."""

import unittest
from typing import Any


def passes(tests: Any, name: str, game: Any) -> None:
    result = unittest.TestResult()
    cases = type(f"Test_{name}", (tests,), {"game_name": name, "game": game})
    unittest.defaultTestLoader.loadTestsFromTestCase(cases).run(result)
    problems = [text for _, text in result.errors + result.failures]
    assert result.testsRun and not problems, "\n".join(problems)
