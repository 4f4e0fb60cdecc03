"""`hcat key`: the key by which this installation signs."""

from __future__ import annotations

import typer

from hcat.dashboard.commands.output import AsJson, print_json

app = typer.Typer(help="The key by which this installation signs evidence.", no_args_is_help=True)


@app.command()
def show(as_json: AsJson = False) -> None:
    """Print the public key and its fingerprint, for those who check what is signed; made at first use."""
    from hcat.core.capabilities.evidence.installation import installation_key

    public = installation_key().public
    if as_json:
        print_json(inputs={}, settings={}, public_key=public.pem, fingerprint=public.fingerprint)
        return
    typer.echo(public.pem, nl=False)
    typer.echo(public.fingerprint)
