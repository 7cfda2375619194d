"""Kinds of answers."""

from enum import StrEnum


class MediaType(StrEnum):
    JSON = "application/json"
    HTML = "text/html"
    TEXT = "text/plain"


class ScopeType(StrEnum):
    HTTP = "http"
    WEBSOCKET = "websocket"
    ASGI = "asgi"
