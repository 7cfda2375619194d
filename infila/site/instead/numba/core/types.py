"""Types that nothing has here."""


class Record:
    pass
