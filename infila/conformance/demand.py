"""What is demanded of a game, and what is said when it falls short."""


class NotConforming(AssertionError):
    """A game does not do what every game must; the message is a sentence that says what."""


def demand(holds: object, sentence: str) -> None:
    if not holds:
        raise NotConforming(sentence)


def same(found: object, wanted: object, what: str) -> None:
    """Two things that must be equal; the message shows where they begin to differ."""
    if found == wanted:
        return
    one, other = str(found), str(wanted)
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    begin = max(0, at - 40)
    raise NotConforming(f"{what}: …{one[begin : at + 60]!r} instead of …{other[begin : at + 60]!r}.")
