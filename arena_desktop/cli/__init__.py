"""The command line: one file a command group. Each has ``add_parser(subparsers)``; its handler is ``func(args, app) ->
exit status``.
"""
