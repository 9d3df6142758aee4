"""Composition of the Models page."""

from collections.abc import Callable
from pathlib import Path

from arena_desktop.app import Composition
from arena_desktop.audio.clip_file import read_clip
from arena_desktop.audio.levels import prepare_pair
from arena_desktop.audio.types import Player
from arena_desktop.domain.roster import ModelSpec, Voice
from arena_desktop.engines.hearing import BUILT_IN, Hearing
from arena_desktop.engines.types import SpeechFailure
from arena_desktop.errors import ArenaError
from arena_desktop.services.download_views import DownloadsView
from arena_desktop.services.download_work import chosen_endpoint
from arena_desktop.services.downloads import Downloads
from arena_desktop.services.examiner import Examiner
from arena_desktop.services.examining import examine_model
from arena_desktop.services.find_models import usual_places
from arena_desktop.services.fixed_texts import sample_of
from arena_desktop.services.found_views import FoundView
from arena_desktop.services.inbox import Inbox
from arena_desktop.services.jobs import JobThread
from arena_desktop.services.listen_again import Lender
from arena_desktop.services.measuring import Measuring
from arena_desktop.services.model_search import ModelSearch
from arena_desktop.services.models import Models
from arena_desktop.services.sample_player import SamplePlayer
from arena_desktop.services.words_heard import lacking_packages
from arena_desktop.store.prompt_files import built_in_prompts


def downloads_of(composition: Composition, *, inbox: Inbox, show: Callable[[DownloadsView], None]) -> Downloads:
    """Whoever brings models from a hub, on threads of its own."""
    return Downloads(
        work=composition.downloads,
        post=inbox.post,
        show=show,
        endpoint=lambda: chosen_endpoint(composition.preferences.settings.hub),
        keep=lambda hub: composition.preferences.change(hub=hub),
    )


def measuring_of(
    composition: Composition,
    *,
    inbox: Inbox,
    models: Models,
    count: Callable[[SpeechFailure], None],
    note: Callable[[str], None],
) -> Measuring:
    """Whoever measures models. ``count`` gets a failure to speak, ``note`` any other in words."""

    def failed(error: ArenaError) -> None:
        if isinstance(error, SpeechFailure):
            count(error)
        else:
            note(str(error))

    return Measuring(
        inbox=inbox,
        models=lambda: composition.roster.models,
        new_host=composition.new_host,
        measurements=composition.measurements,
        shown=models,
        failed=failed,
    )


def examiner_of(
    composition: Composition,
    *,
    inbox: Inbox,
    models: Models,
    count: Callable[[SpeechFailure], None],
    note: Callable[[str], None],
) -> Examiner:
    """Whoever examines models. ``count`` gets each failure to speak, ``note`` any other in words."""

    def new_ear() -> Hearing | None:
        wish = composition.preferences.settings.recogniser or BUILT_IN
        return None if lacking_packages() else composition.new_ear(wish)

    return Examiner(
        inbox=inbox,
        models=lambda: composition.roster.models,
        new_host=composition.new_host,
        new_ear=new_ear,
        examine=lambda model, host, *, overhear, progress: examine_model(
            model, host, read_clip, built_in_prompts, overhear=overhear, progress=progress
        ),
        examinations=composition.examinations,
        shown=models,
        count=count,
        note=note,
    )


def search_of(
    composition: Composition, *, inbox: Inbox, player: Player, lender: Lender, show: Callable[[FoundView], None]
) -> ModelSearch:
    """Whoever finds, tries and adds models from the window, on threads of its own."""
    trying = JobThread(inbox, "trying")

    def spoken(model: ModelSpec, text: str, voice: Voice | None) -> Path:
        return composition.clips.get(model, text, voice).spoken.path

    sample = SamplePlayer(
        thread=trying,
        player=player,
        lender=lender,
        text=lambda model: sample_of(model, composition.host.prompts(model), built_in_prompts),
        spoken=spoken,
        read=read_clip,
        level=prepare_pair,
        target=lambda: composition.preferences.settings.target_lufs,
    )

    def examined(spec: ModelSpec) -> tuple[str, ...]:
        found = examine_model(spec, composition.host, read_clip, built_in_prompts)
        composition.examinations.keep(spec, spoke=found.spoke, flags=found.words, texts=len(found.heard))
        if found.failures:
            raise found.failures[0]
        return found.words

    return ModelSearch(
        search=JobThread(inbox, "finding"),
        trying=trying,
        post=inbox.post,
        finder=lambda: composition.finder,
        adding=composition.adding,
        places=lambda: usual_places(composition.paths.models),
        sample=sample,
        rosters=composition.rosters,
        show=show,
        examine=examined,
    )
