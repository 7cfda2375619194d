"""Whether the server lives, and whether it can be sent anybody: for those who watch over it, such as a load balancer.

Both are answered to anybody, and say nothing of who plays.
"""

from litestar import MediaType, Response, get

from infila.server.request import AnyRequest, app_of


@get("/healthz", include_in_schema=False, media_type=MediaType.TEXT)
async def healthz() -> Response[str]:
    """The process lives, and has time to say so."""
    return Response("alive\n", headers={"cache-control": "no-store"})


@get("/readyz", include_in_schema=False, media_type=MediaType.TEXT)
async def readyz(request: AnyRequest) -> Response[str]:
    """The database answers, and the server is not about to stop."""
    obstacle = await app_of(request).readiness.obstacle(app_of(request).store)
    headers = {"cache-control": "no-store"}
    return Response(f"{obstacle or 'ready'}\n", status_code=503 if obstacle else 200, headers=headers)
