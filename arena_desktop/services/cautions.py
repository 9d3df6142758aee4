"""What a person must know before they use a model of the roster."""

from arena_desktop.domain.roster import ModelSpec


def caution(model: ModelSpec) -> str:
    """A sentence for the model's card and for ``models list``, "" where there is nothing to be careful about."""
    if model.files.get("allow_pickle") is not True:
        return ""
    return (
        "The roster lets the weight files of this model run code when they are opened (allow_pickle: true): keep it "
        "only if you trust their maker."
    )
