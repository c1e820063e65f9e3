"""A private PostgreSQL server for as long as tests run (scripts/postgres.sh), also where they are interrupted or killed."""
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# What ends a program from outside.
ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def uninterrupted():
    """Lets what would end this program do so afterwards."""
    caught = []
    handlers = {number: signal.signal(number, lambda number, _: caught.append(number)) for number in ENDS}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if caught:
            os.kill(os.getpid(), caught[0])


def postgres(*arguments, input=subprocess.DEVNULL):
    """Runs scripts/postgres.sh, apart from the terminal: the exit status, what it printed, and what it complained of."""
    script = os.path.join(ROOT, 'scripts', 'postgres.sh')
    with uninterrupted():
        done = subprocess.run(
            ['bash', script, *arguments], stdin=input, capture_output=True, text=True,
            start_new_session=True)
    return done.returncode, done.stdout.strip(), done.stderr.strip()


@contextlib.contextmanager
def server(is_needed):
    """Names a server to the tests, in REPOKIT_POSTGRES: a private one, for as long as they run, where none is named yet."""
    if os.environ.get('REPOKIT_POSTGRES'):
        yield
        return
    # As an interruption does: what has to be cleared away is.
    for number in ENDS[1:]:
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    # The path of a socket has some hundred bytes at most.
    temporary = tempfile.gettempdir()
    folder = tempfile.mkdtemp(prefix='repokit-', dir=temporary if len(os.fsencode(temporary)) < 60 else '/tmp')
    # Its end is the sign for the server to stop, where this program is killed. No program that it starts gets `kept`.
    watched, kept = os.pipe()
    try:
        status, connection, complaint = postgres('start', folder, '--while-input', input=watched)
        os.close(watched)
        if status == 0:
            os.environ['REPOKIT_POSTGRES'] = connection
        elif is_needed:
            sys.exit(f'PostgreSQL can not be tested: {complaint}')
        else:
            print(f'the tests of PostgreSQL are left out: {complaint}', flush=True)
        yield
    finally:
        if os.path.exists(os.path.join(folder, 'data')):
            postgres('stop', folder)
        shutil.rmtree(folder, ignore_errors=True)
        os.close(kept)
