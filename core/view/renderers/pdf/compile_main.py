"""The program that sets a PDF, or pictures, of what it reads from its standard input, with Typst: see `compile`."""

from __future__ import annotations

import base64
import json
import sys

MEMORY = 8_000_000_000
"""Address space, in bytes."""


def main() -> int:
    """Write what was made to the standard output; where it can't be, write why to the standard error and return 1."""
    import typst

    _cap_memory()
    request = json.loads(sys.stdin.buffer.read())
    # The library takes files by their names, too, and says so nowhere.
    files = {name: base64.b64decode(data) for name, data in request["files"].items()}
    files["main.typ"] = f'#include "{request["main"]}"'.encode()
    try:
        fonts = typst.Fonts(include_system_fonts=False)
        compiler = typst.Compiler(files, font_paths=fonts, ignore_system_fonts=True)  # type: ignore[type-var]
        if "dots_per_inch" in request:
            made = compiler.compile(format="png", ppi=request["dots_per_inch"])
            pictures = made if isinstance(made, list) else [made]
            sys.stdout.write(json.dumps([base64.b64encode(picture or b"").decode("ascii") for picture in pictures]))
            return 0
        pdf = compiler.compile(format="pdf", pdf_standards=["a-3a", "ua-1"], timestamp=request["created_at"])
    except typst.TypstError as error:
        sys.stderr.write(error.message)
        return 1
    if not isinstance(pdf, bytes):
        return 1
    sys.stdout.buffer.write(pdf)
    return 0


def _cap_memory() -> None:
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


if __name__ == "__main__":
    sys.exit(main())
