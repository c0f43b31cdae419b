import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { type Exchange, hasPseudoTerminal, runAtTerminal } from "../support/pseudo-terminal.ts";
import { configOf, holderOf } from "./dev-process.ts";
import { copyExample, PROGRAM } from "./project-copy.ts";

const LIVENESS_MS = 300_000;
const CONTROLLER = path.join("internal", "controller", "guestbook_controller.ts");
const MARKER = '+kubebuilder:rbac:groups="",resources=services,verbs=get;list;watch';

describe.runIf(hasPseudoTerminal)("scaffold dev on a terminal", () => {
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
      const exchanges: readonly Exchange[] = [
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
      const { screen, unasked } = await runAtTerminal(project.root, line, exchanges);
      expect({ unasked, screen }).toEqual({ unasked: [], screen });
      expect(screen).toMatch(/status 0\s+modes of the terminal[^]*\sicanon\s[^]*\secho\s/u);
      expect(readFileSync(file, "utf8")).toContain(`  // ${MARKER}\n`);
    },
    LIVENESS_MS,
  );

  it(
    "ends with everything it started when its terminal is closed",
    async () => {
      const project = copyExample();
      onTestFinished(() => project.remove());
      const line = `exec "${process.execPath}" "${PROGRAM}" dev`;
      const { status, screen, unasked } = await runAtTerminal(project.root, line, [["manager running", null]]);
      // SIGHUP.
      expect({ status, unasked, screen }).toEqual({ status: -1, unasked: [], screen });
      expect(holderOf(project.root)).toBeUndefined();
      await expect(fetch((await configOf(project.root)).server)).rejects.toThrow("fetch failed");
    },
    LIVENESS_MS,
  );
});
