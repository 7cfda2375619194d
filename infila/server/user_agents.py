"""What a browser is called in a list of devices: two plain words out of all that it says about itself.

>>> label_of("Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0")
'Firefox/Android'
>>> label_of("curl/8.5.0")
''
"""

# the first that is found counts: most browsers also claim to be others
BROWSERS = {
    "SamsungBrowser/": "Samsung Internet",
    "OPR/": "Opera",
    "Vivaldi/": "Vivaldi",
    "Edg": "Edge",
    "FxiOS/": "Firefox",
    "Firefox/": "Firefox",
    "CriOS/": "Chrome",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "CrOS": "ChromeOS",
    "Windows": "Windows",
    "Macintosh": "macOS",
    "Linux": "Linux",
}


def label_of(user_agent: str) -> str:
    """`browser/system`; what is not known is left out, and nothing else is kept."""
    browser = next((name for mark, name in BROWSERS.items() if mark in user_agent), "")
    system = next((name for mark, name in SYSTEMS.items() if mark in user_agent), "")
    return f"{browser}/{system}" if browser or system else ""
