"""What can go wrong between here and a hub, in words."""

from arena_desktop.errors import ArenaError
from arena_desktop.harmless import shortened


class HubError(ArenaError):
    """The hub, the way to it, or the disk would not do it, and trying again at once would not help."""


class Stopped(Exception):
    """Somebody wanted it to end. What has arrived is kept."""


class Hiccup(Exception):
    """Something that may be over in a moment. ``wait`` is how many seconds the hub asked for, None if it didn't.

    The text says what happened, in one sentence.
    """

    def __init__(self, message: str, remedy: str = "", *, wait: float | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy
        self.wait = wait


OFFLINE = "Check that this machine is connected, and the address of the hub; then try again."
WAY_IN = (
    "Log in at the hub in your browser, read and accept the model's terms on its page, make a token that may read"
    " (Settings, Access Tokens), and hand it over in the environment variable HF_TOKEN, with `hf auth login`, or in the"
    " system's keyring under the service arena-desktop and the hub's address as name."
)
"""How a person gets in."""


def refused(status: int, code: str, what: str, host: str, *, with_token: bool) -> HubError:
    """The error for a status that no second try would change. ``code`` is the hub's own word for it, if it has one;
    ``what`` names the thing that was asked for.
    """
    host, what = shortened(host), shortened(what, 200)
    if code == "GatedRepo":
        return HubError(f"{what} is gated: {host} gives it only to people who accepted its terms.", WAY_IN)
    if code in ("RevisionNotFound", "EntryNotFound"):
        thing = "revision" if code == "RevisionNotFound" else "file"
        return HubError(f"{host} has no such {thing}: {what}.", "Look at the model's page for what there is.")
    if status == 401 and with_token:
        return HubError(
            f"{host} doesn't accept the token for {what}, or there is no such model.",
            f"Check how its name is written, and that the token has not expired. {WAY_IN}",
        )
    if status == 401:  # hubs say so of what is not there, too, so that nobody learns which private models there are
        return HubError(
            f"{host} has no model {what} that everybody may read.",
            f"Check how its name is written. If it is private or gated: {WAY_IN[0].lower()}{WAY_IN[1:]}",
        )
    if status == 403:
        return HubError(f"{host} doesn't let you read {what}.", WAY_IN)
    if status == 404:
        return HubError(f"{host} has no {what}.", "Check how its name is written: OWNER/NAME, as on its page.")
    if status == 451:
        return HubError(f"{host} may not give out {what} for legal reasons.", "Choose another model.")
    return HubError(f"{host} answered {status} when asked for {what}.", "Try again later, or another hub.")
