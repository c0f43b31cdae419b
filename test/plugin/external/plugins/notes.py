#!/usr/bin/env python3
"""An external plugin after the documented protocol: it keeps a file of notes about what was scaffolded."""
import json
import sys

FLAGS = {
    "--init": [{"name": "note", "type": "string", "default": "begun", "usage": "what to write down"}],
    "--api": [{"name": "stars", "type": "int", "default": "1", "usage": "how many stars the API gets"}],
}


def value_of(args, name, default):
    return args[args.index(name) + 1] if name in args else default


def answer(request):
    command, args, universe = request["command"], request["args"], request["universe"]
    reply = {"apiVersion": request["apiVersion"], "command": command, "universe": {}, "error": False}
    if command == "flags":
        reply["flags"] = FLAGS.get(args[0], [])
    elif command == "metadata":
        reply["metadata"] = {"description": "Keeps notes.", "examples": "scaffold init --plugins notes/v1 --note hello"}
    elif command == "init":
        reply["universe"] = {"NOTES.md": "# " + value_of(args, "--note", "begun") + "\n"}
    elif command == "create api":
        kinds = [each["kind"] for each in request["config"]["resources"]]
        stars = "*" * int(value_of(args, "--stars", "1"))
        reply["universe"] = {"NOTES.md": universe["NOTES.md"] + ", ".join(kinds) + " " + stars + "\n", "PROJECT": "ignored"}
    else:
        reply["error"] = True
        reply["errorMsgs"] = ["the notes are not about " + command, "try init"]
    return reply


print("notes: read a request", file=sys.stderr)
json.dump(answer(json.load(sys.stdin)), sys.stdout)
