"""Which build of torch an environment asks for."""

from arena_desktop.domain.recipes import Pin, Recipe, Torch, read_pin
from arena_desktop.engines.environments.torch_build import Build, builds, to_be_tried


def pins(*texts: str) -> tuple[Pin, ...]:
    found = [read_pin(text) for text in texts]
    return tuple(pin for pin in found if pin is not None)


def recipe(torch: Torch | None, *packages: str) -> Recipe:
    return Recipe("x", "X", "x", pins(*packages), 3.0, "MIT", torch=torch)


def asked(wish: Torch | None, *, gpu: bool, system: str) -> list[str]:
    found = builds(recipe(wish, "torch==2.6.0", "torchaudio==2.6.0", "numpy==2.0.2"), gpu=gpu, system=system)
    assert all(len(build.requirements) == 2 for build in found), "torch's family comes from one build"
    return [build.requirements[0].removeprefix("torch==") for build in found]


def test_without_a_gpu_the_cpu_build_is_tried_before_the_plain_one() -> None:
    assert asked(Torch.AUTO, gpu=False, system="linux") == ["2.6.0+cpu", "2.6.0"]
    assert asked(None, gpu=False, system="win32") == ["2.6.0+cpu", "2.6.0"]


def test_with_a_gpu_the_plain_build_is_the_cuda_build_but_on_windows() -> None:
    assert asked(Torch.AUTO, gpu=True, system="linux") == ["2.6.0"]
    windows = asked(Torch.AUTO, gpu=True, system="win32")
    assert windows[0].startswith("2.6.0+cu")
    assert windows[-1] == "2.6.0"
    assert "2.6.0+cpu" not in windows


def test_a_recipe_may_insist() -> None:
    assert asked(Torch.CPU, gpu=True, system="linux") == ["2.6.0+cpu", "2.6.0"]
    assert asked(Torch.CUDA, gpu=False, system="linux") == ["2.6.0"]


def test_a_mac_has_one_build_and_a_recipe_without_torch_none() -> None:
    assert asked(Torch.AUTO, gpu=False, system="darwin") == ["2.6.0"]
    assert builds(recipe(None, "numpy==2.0.2"), gpu=True) == ()
    assert list(to_be_tried((), lambda build: True)) == []


def test_an_index_that_does_not_answer_is_passed_over_and_the_last_one_is_not_asked() -> None:
    found = builds(recipe(Torch.AUTO, "torch==2.6.0"), gpu=False, system="linux")
    calls: list[Build] = []

    def there(build: Build) -> bool:
        calls.append(build)
        return False

    assert list(to_be_tried(found, there)) == [found[-1]]
    assert calls == [found[0]]
    assert tuple(to_be_tried(found, lambda build: True)) == found
    assert found[0].options[0] == "--index-url"
