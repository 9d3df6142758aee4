"""Which program this is: a child process, a command, or the window."""

import sys


def main(argv: list[str] | None = None) -> int:
    """Run what ``argv`` (without the program's name) asks for; returns the exit status.

    ``--worker`` and ``--audio-host`` are for the program's own children, so that a frozen executable can serve as both.
    """
    words = sys.argv[1:] if argv is None else argv
    if words[:1] == ["--worker"]:
        from arena_desktop.engines.worker.child import main as worker

        return worker()
    if words[:1] == ["--audio-host"]:
        from arena_desktop.audio.player import main as audio_host

        return audio_host(words[1:])
    from arena_desktop.cli.main import main as command

    return command(words)


if __name__ == "__main__":
    sys.exit(main())
