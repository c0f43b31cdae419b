"""Runs a program at a pseudo-terminal, which Node does not have: prints each output as a JSON line [seconds, text], and types what it reads.

Arguments: the columns and rows of the terminal, then the program and its arguments.
"""

import fcntl
import json
import os
import pty
import select
import struct
import sys
import termios
import time

columns, rows = int(sys.argv[1]), int(sys.argv[2])
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    os.execvp(sys.argv[3], sys.argv[3:])

start, sources = time.monotonic(), [terminal, 0]
while True:
    ready, _, _ = select.select(sources, [], [])
    if 0 in ready:
        keys = os.read(0, 1024)
        if keys:
            os.write(terminal, keys)
        else:
            sources.remove(0)
    if terminal in ready:
        try:
            chunk = os.read(terminal, 65536)
        except OSError:
            break
        if not chunk:
            break
        text = chunk.decode("utf-8", "replace")
        print(json.dumps([round(time.monotonic() - start, 3), text]), flush=True)

_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status))
