"""What infila's pages need of Litestar: handlers with their addresses, requests, and answers."""

from litestar.connection import Request as Request
from litestar.enums import MediaType as MediaType
from litestar.handlers import Router as Router
from litestar.handlers import delete as delete
from litestar.handlers import get as get
from litestar.handlers import post as post
from litestar.response import Response as Response
