"""Ends a program with all that it has started, be that in groups of its own, as `swift test` starts the tests, and tells
what its threads wait for."""
import os
import shutil
import signal
import subprocess


def with_descendants(process):
    """The numbers of a process of `subprocess` and of all that it has started; none where it has ended."""
    listed = subprocess.run(['ps', '-eo', 'pid=,ppid='], capture_output=True, text=True).stdout
    children = {}
    for line in listed.splitlines():
        child, parent = map(int, line.split())
        children.setdefault(parent, []).append(child)
    found = [process.pid] if process.poll() is None else []
    for pid in found:
        found += children.get(pid, [])
    return found


def calls(process):
    """The calls that each thread of the tests is in, as text; empty where no debugger is installed."""
    if shutil.which('gdb'):
        command = ['gdb', '-batch', '-ex', 'thread apply all backtrace 30', '-p']
    elif shutil.which('lldb'):
        command = ['lldb', '--batch', '-o', 'thread backtrace all -c 30', '-o', 'detach', '-p']
    else:
        return ''
    text = ''
    for pid in with_descendants(process):
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
    """Kills a process of `subprocess` and its descendants, and waits for it."""
    for pid in with_descendants(process):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.wait()
