import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

import { describe, expect, it, onTestFinished } from "vitest";

import { runSuccessfully } from "../support/run-program.ts";
import { copyExample, PROGRAM } from "./project-copy.ts";

const PSEUDO_TERMINAL = fileURLToPath(new URL("../support/pseudo-terminal.py", import.meta.url));
const LIVENESS_MS = 300_000;
const CONTROLLER = path.join("internal", "controller", "guestbook_controller.ts");
const MARKER = '+kubebuilder:rbac:groups="",resources=services,verbs=get;list;watch';

// Node has no pseudo-terminals; Python does.
const hasPython = spawnSync("python3", ["-c", "import pty, os; os.waitstatus_to_exitcode"]).status === 0;

describe.runIf(hasPython)("scaffold dev on a terminal", () => {
  it(
    "obeys keys, adds a missing permission, shows type errors, and restores the terminal",
    async () => {
      const project = copyExample();
      onTestFinished(() => project.remove());
      const file = path.join(project.root, CONTROLLER);
      const source = readFileSync(file, "utf8");
      const without = source.replace(/ +\/\/ \+kubebuilder:rbac:groups="",resources=services.*\n/u, "");
      expect(without).not.toBe(source);
      writeFileSync(file, without);
      writeFileSync(path.join(project.root, "internal", "odd.test.ts"), 'export const odd: number = "text";\n');
      const exchanges = [
        ["? for keys", "?"],
        ["restart the manager", ""],
        ["odd.test.ts:1:14 TS2322", "f"],
        ["fault: 1 drop watches", "1"],
        ["fault injected: drop watches", ""],
        [`missing permission: ${MARKER}`, "a"],
        [`added ${MARKER} to internal/controller/guestbook_controller.ts`, ""],
        ["internal/controller/guestbook_controller.ts changed: manager ", "q"],
        ["modes of the terminal", ""],
      ];
      const line = `"${process.execPath}" "${PROGRAM}" dev; echo "status $?"; echo "modes of the terminal"; stty -a`;
      const words = [PSEUDO_TERMINAL, JSON.stringify(exchanges), "sh", "-c", line];
      const env = { CI: "", TERM: "xterm" };
      const output = await runSuccessfully("python3", words, { cwd: project.root, env });
      const { shown, unasked } = JSON.parse(output) as { readonly shown: string; readonly unasked: readonly string[] };
      const screen = stripVTControlCharacters(shown);
      expect({ unasked, screen }).toEqual({ unasked: [], screen });
      expect(screen).toMatch(/status 0\s+modes of the terminal[^]*\sicanon\s[^]*\secho\s/u);
      expect(readFileSync(file, "utf8")).toContain(`  // ${MARKER}\n`);
    },
    LIVENESS_MS,
  );
});
