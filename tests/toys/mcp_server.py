"""A server of the model context protocol whose tools have the names that it is given.

    python mcp_server.py FILE NAME...

Whichever tool is called, FILE is written: then something has run.
"""

import json
import sys
from pathlib import Path
from typing import Any


def answer(request: dict[str, Any], file: Path, names: list[str]) -> dict[str, Any] | None:
    """The result of a request; None if it is one that nobody waits for, or unknown."""
    schema = {"type": "object", "properties": {"text": {"type": "string"}}}
    match request.get("method"):
        case "initialize":
            return {
                "protocolVersion": request["params"]["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "toy", "version": "1"},
            }
        case "tools/list":
            tools = [{"name": name, "description": name, "inputSchema": schema} for name in names]
            return {"tools": tools}
        case "tools/call":
            file.write_text(json.dumps(request["params"]))
            return {"content": [{"type": "text", "text": "ran"}]}
    return None


def main() -> None:
    """Answer line by line until nobody asks any more."""
    file, names = Path(sys.argv[1]), sys.argv[2:]
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request:
            continue
        result = answer(request, file, names)
        said = {"result": result} if result else {"error": {"code": -32601, "message": "no"}}
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": request["id"], **said}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
