"""One error per mistake. Each message is a sentence for a person: what is wrong, and what to do."""


class InfilaError(ValueError):
    """Everything that infila refuses."""


class UnknownGame(InfilaError):
    """There is no game of this name."""


class BrokenGame(InfilaError):
    """A game that another package brings, and that cannot be used: something of it is missing or fails."""


class BadOptions(InfilaError):
    """Options that do not exist, or not together."""


class IllegalMove(InfilaError):
    """A move that the rules do not allow now, or a text that is no move. Nothing has changed.

    `rule` is the number of the rule that forbids it, as in the rules file, or empty.
    """

    def __init__(self, rule: str, sentence: str) -> None:
        super().__init__(f"{rule}: {sentence}" if rule else sentence)
        self.rule = rule
        self.sentence = sentence


class BadPosition(InfilaError):
    """A position that does not exist in the game."""


class BadLog(InfilaError):
    """A log that cannot be read to its end.

    `line` is the first line that is wrong, from 1; `usable` is the game as far as the lines before it tell, or None.
    """

    def __init__(self, line: int, sentence: str, usable: object = None) -> None:
        super().__init__(f"line {line}: {sentence}")
        self.line = line
        self.usable = usable


class NoDevice(InfilaError):
    """No GPU, or nothing to drive it with."""
