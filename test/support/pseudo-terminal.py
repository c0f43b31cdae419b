"""Runs a program at a pseudo-terminal: types keys when texts have come up, and prints what was shown and how it ended, as JSON.

Arguments: a JSON list of [text, keys], then the program and its arguments. Without keys (null), the terminal is closed.
"""

import fcntl
import json
import os
import pty
import select
import struct
import sys
import termios

exchanges = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 200, 0, 0))
    os.execvp(sys.argv[2], sys.argv[2:])

shown, seen, is_open = "", 0, True
while is_open:
    select.select([terminal], [], [])
    try:
        chunk = os.read(terminal, 65536)
    except OSError:
        break
    if not chunk:
        break
    shown += chunk.decode("utf-8", "replace")
    while exchanges:
        at = shown.find(exchanges[0][0], seen)
        if at < 0:
            break
        seen = at + len(exchanges[0][0])
        keys = exchanges.pop(0)[1]
        if keys is None:
            os.close(terminal)
            is_open = False
            break
        os.write(terminal, keys.encode())

_, status = os.waitpid(pid, 0)
ended = os.waitstatus_to_exitcode(status)
print(json.dumps({"status": ended, "shown": shown, "unasked": [text for text, _ in exchanges]}))
