"""Names for what is only spoken of."""

from typing import Any

ASGIApp = Receive = Scope = Send = Message = ControllerRouterHandler = Any
