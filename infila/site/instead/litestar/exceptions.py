"""A request that no handler takes."""


class HTTPException(Exception):
    def __init__(self, detail: str = "", status_code: int = 400, extra: object = None) -> None:
        super().__init__(detail)
        self.detail, self.status_code, self.extra = detail, status_code, extra
