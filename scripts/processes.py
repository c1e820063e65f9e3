"""Starts programs that end with the one that has started them, and ends them with all that they have started, be that in
groups of their own, as `swift test` starts the tests, and tells what their threads wait for.

Usage: processes.py PID     ends a program at the end of its input, which is that of whoever has started it
"""
import os
import shutil
import signal
import subprocess
import sys

# The programs that were started and not ended, each with what ends it where this program is killed.
running = {}


def start(arguments, **options):
    """Starts a program in a group of its own, as `subprocess.Popen` does; an interruption is this program's alone."""
    process = subprocess.Popen(arguments, start_new_session=True, **options)
    running[process] = subprocess.Popen(
        [sys.executable, __file__, str(process.pid)], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        start_new_session=True)
    return process


def with_descendants(pid):
    """The numbers of a program and of all that it has started."""
    listed = subprocess.run(['ps', '-eo', 'pid=,ppid='], capture_output=True, text=True).stdout
    children = {}
    for line in listed.splitlines():
        child, parent = map(int, line.split())
        children.setdefault(parent, []).append(child)
    found = [pid]
    for pid in found:
        found += children.get(pid, [])
    return found


def kill(pid):
    """Kills a program and all that it has started."""
    for pid in with_descendants(pid):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def calls(process):
    """The calls that each thread of the tests is in, as text; empty where no debugger is installed."""
    if shutil.which('gdb'):
        command = ['gdb', '-batch', '-ex', 'thread apply all backtrace 30', '-p']
    elif shutil.which('lldb'):
        command = ['lldb', '--batch', '-o', 'thread backtrace all -c 30', '-o', 'detach', '-p']
    else:
        return ''
    text = ''
    for pid in with_descendants(process.pid):
        name = subprocess.run(['ps', '-o', 'args=', '-p', str(pid)], capture_output=True, text=True).stdout
        if '.xctest' not in name.split(' ')[0]:
            continue
        try:
            text += subprocess.run(
                [*command, str(pid)], capture_output=True, text=True, errors='replace', timeout=300).stdout
        except subprocess.TimeoutExpired:
            text += f'{command[0]} took too long\n'
    return text


def kill_all(process):
    """Kills a process that was started here, if it has not ended, with its descendants, and waits for it."""
    if process.poll() is None:
        kill(process.pid)
    process.wait()
    watcher = running.pop(process, None)
    if watcher:
        watcher.kill()
        watcher.communicate()


if __name__ == '__main__':
    sys.stdin.read()
    kill(int(sys.argv[1]))
