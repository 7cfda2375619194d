"""compose.yaml, Dockerfile and Caddyfile: what they start is what there is."""

import json
import re
from pathlib import Path

import pytest

from infila.cli import parser

ROOT = Path(__file__).parents[2]
yaml = pytest.importorskip("yaml")


def test_servers_are_started_with_options_that_there_are() -> None:
    services = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]
    entry = re.search(r"^ENTRYPOINT (\[.*\])$", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)
    assert entry is not None
    servers = [name for name in services if name.startswith("server")]
    assert len(servers) == 3
    program, *begin = json.loads(entry[1])
    for name in servers:
        told = parser().parse_args([*begin, *services[name]["command"]])
        assert program == "infila" and told.data.startswith("postgresql://") and told.host == "0.0.0.0"
        assert told.trust_proxy == [services["proxy"]["networks"]["inside"]["ipv4_address"]]
        assert services[name]["restart"] == "always" and "/readyz" in services[name]["healthcheck"]["test"][-1]
        assert f"{name}:{told.port}" in (ROOT / "Caddyfile").read_text(encoding="utf-8")
