"""What every test is watched for, whatever it tests: each guard is a pytest plug-in of its own.

- ``home``: the program and the libraries see a throw-away home.
- ``network``: no socket beyond this machine, in the test or in a Python child of it.
- ``logs``: no record from WARNING up that the test did not announce.
- ``leaks``: no thread, Qt timer, Qt thread or child process left behind.

Where the tests are shared out among workers, each worker has guards of its own; who shares them out runs no test.
"""

import pytest


def shares_out(config: pytest.Config) -> bool:
    """Whether this process runs no test itself but hands them to workers."""
    return config.getoption("dist", "no") != "no" and bool(config.getoption("tx", None))
