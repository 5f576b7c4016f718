"""What schemathesis must be told: logs are lines of JSON."""

from __future__ import annotations

import json
from typing import Any

import schemathesis

NDJSON = "application/x-ndjson"


@schemathesis.serializer(NDJSON)
def write(context: Any, value: Any) -> bytes:
    """A made-up log is whatever text was thought of."""
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode("utf-8", "surrogatepass")
