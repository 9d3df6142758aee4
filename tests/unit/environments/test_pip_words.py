"""What pip says, turned into progress and into reasons that a person can act on."""

import pytest

from arena_desktop.engines.environments.pip_words import Listening, failure

GONE = "WARNING: Retrying (Retry(total=4)) after connection broken by 'NewConnectionError(...)': /simple/x/"
NONE = "ERROR: Could not find a version that satisfies the requirement x==1.0 (from versions: none)"
OTHER_PYTHON = (
    "ERROR: Ignored the following versions that require a different python version: 1.0 Requires-Python >=3.12"
)
NO_MATCH = "ERROR: No matching distribution found for x==1.0"


@pytest.mark.parametrize(
    ("lines", "message", "remedy"),
    [
        ([GONE, NONE, NO_MATCH], "no package index can be reached", "Check the connection"),
        ([NONE, NO_MATCH], "No package x==1.0 was found for this machine and Python 3.11.7", "pip's own settings"),
        (
            [NONE.replace("none", "0.7, 0.8, 0.9, 0.9.1"), NO_MATCH],
            "has no x==1.0 for this machine and Python 3.11.7; its newest: 0.8, 0.9, 0.9.1",
            "recipe",
        ),
        (
            [OTHER_PYTHON, NONE.replace("none", "0.9"), NO_MATCH],
            "x==1.0 doesn't exist for Python 3.11.7",
            "python",
        ),
        (["ERROR: Could not install packages: [Errno 28] No space left on device"], "full", "Make room"),
        (["WARNING: SSLError(SSLCertVerificationError(1, 'CERTIFICATE_VERIFY_FAILED'))", NONE], "certificate", "cert"),
        (["WARNING: ... ProxyError('Cannot connect to proxy.')", NONE], "proxy", "proxy"),
        (["ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE."], "damaged", "again"),
        (["PermissionError: [Errno 13] Permission denied: '/x'"], "could not be written", "owns"),
        (
            ["ERROR: Cannot install a==1 and b==2 because these package versions have conflicting dependencies.", "",
             "The conflict is caused by:", "    a 1 depends on c<2", "    b 2 depends on c>=2",
             "ERROR: ResolutionImpossible: for help visit https://pip"],
            "a 1 depends on c<2; b 2 depends on c>=2",
            "recipe",
        ),
        (["error: subprocess-exited-with-error", "ERROR: Failed building wheel for x"], "source only", "compiler"),
        (["Collecting x", "ERROR: something nobody has seen"], "something nobody has seen", "log"),
        ([], "it gave no reason", "log"),
    ],
)  # fmt: skip
def test_a_failure_is_told_in_words(lines: list[str], message: str, remedy: str) -> None:
    found = failure(1, lines, "3.11.7")
    assert message in found.message
    assert remedy in found.remedy
    assert "\n" not in str(found)


def test_killed_from_outside_is_told_apart() -> None:
    assert "ended from outside" in failure(137, ["Collecting x"], "3.11.7").message


def test_progress_counts_bytes_over_all_files_and_packages_once_they_are_unpacked() -> None:
    listening = Listening()
    lines = [
        "Collecting torch==2.6.0",
        "  Downloading torch-2.6.0-cp311-cp311-manylinux1_x86_64.whl (100.0 MB)",
        "Progress 0 of 100000000",
        "Progress 40000000 of 100000000",
    ]
    for line in lines:
        said = listening.line(line)
    assert said.words == "fetching torch: 40 of 100 MB"
    assert said.fetched == 40e6
    said = listening.line("  Using cached numpy-2.0.2-cp311-cp311-manylinux_2_17.whl (20.0 MB)")
    assert said.words == "taking from the cache: numpy (20.0 MB)"
    assert said.fetched == 120e6
    said = listening.line("Installing collected packages: numpy, torch")
    assert (said.words, said.unpacking, said.fetched) == ("unpacking 2 packages", 2, 120e6)


def test_a_hostile_name_steers_no_terminal_and_stays_short() -> None:
    said = Listening().line("  Downloading \x1b[2Jevil\u202e" + "x" * 500 + "-1.whl (1.0 MB)")
    assert "\x1b" not in said.words
    assert len(said.words) < 120
