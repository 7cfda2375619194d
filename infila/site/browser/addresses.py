"""Where a server's addresses are on a site of plain files, which may lie below any path.

What is a file there has a name of its own; every page is the site's only page, with the address behind a question mark.
"""

import re

FILE = re.compile(r"/(static|look|poster)/([\w.-]+)(?:\?\w*)?")
ATTRIBUTE = re.compile(r' ((?:form)?action|href|src|data-url|data-ready|data-sum|data-style)="(/[^"]*)"')


def on_site(address: str) -> str:
    """A server's address as it is on the site, relative to the page.

    >>> on_site("/t/abc?eyes=1"), on_site("/static/table.js?1f"), on_site("/look/zatre?1f")
    ('./?/t/abc&eyes=1', './static/table.js', './look/zatre.css')
    """
    if found := FILE.fullmatch(address):
        folder, name = found.groups()
        return f"./{folder}/{name}{'.css' if folder == 'look' else ''}"
    return f"./?{address.replace('?', '&', 1)}"


def page_on_site(html: str) -> str:
    """A page with all its addresses as they are on the site."""
    return ATTRIBUTE.sub(_attribute_on_site, html)


def _attribute_on_site(found: re.Match[str]) -> str:
    name, address = found.groups()
    made = on_site(address)
    return f' {name}="{made.replace("&", "&amp;", 1) if "?" in address else made}"'
