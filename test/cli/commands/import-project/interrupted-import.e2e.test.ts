import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";

import { describe, expect, it, onTestFinished, vi } from "vitest";

import { ROOT } from "../../../architecture/source-files.ts";
import { SINGLE_GROUP } from "../../../support/go-projects.ts";
import { runCommands } from "../../../support/run-command.ts";
import { userEnvironment } from "../../../support/run-program.ts";
import { readFiles, temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";

const TSX = path.join(ROOT, "node_modules/tsx/dist/esm/index.mjs");
const PROGRAM = ["--conditions=@kubescaffold/source", "--import", TSX, path.join(ROOT, "bin/scaffold.ts")];
const LIVENESS_MS = 120_000;

// An npm that never ends, and writes which process it is.
const NPM = `#!${process.execPath}
require("node:fs").writeFileSync(process.env.NPM_PID, String(process.pid));
setInterval(() => undefined, 1000);
`;

describe.skipIf(process.platform === "win32")("a signal while import project installs packages", () => {
  it.each(["SIGINT", "SIGTERM"] as const)(
    "ends npm, and leaves the whole project with a report of what is left: %s",
    async (signal) => {
      const root = temporaryFolder();
      writeFiles(root, Object.fromEntries(Object.entries(SINGLE_GROUP).map(([file, each]) => [`go/${file}`, each])));
      await runCommands(root, "import project go --output-dir whole --project-name fleet --skip-install");
      writeFiles(root, { "bin/npm": NPM });
      chmodSync(path.join(root, "bin/npm"), 0o755);
      const pidFile = path.join(root, "npm.pid");
      const { PATH: folders = "", ...environment } = userEnvironment();
      const child = spawn(process.execPath, [...PROGRAM, "import", "project", "go", "--output-dir", "ts"], {
        cwd: root,
        env: { ...environment, PATH: `${path.join(root, "bin")}${path.delimiter}${folders}`, NPM_PID: pidFile },
        stdio: ["ignore", "pipe", "pipe"],
      });
      onTestFinished(() => void child.kill("SIGKILL"));
      const [printed, errors, closed] = [text(child.stdout), text(child.stderr), once(child, "close")];
      const pid = await vi.waitFor(
        () => {
          expect(existsSync(pidFile)).toBe(true);
          return Number(readFileSync(pidFile, "utf8"));
        },
        { timeout: LIVENESS_MS },
      );
      expect(pid).toBeGreaterThan(0);
      child.kill(signal);
      expect(await closed).toEqual([1, null]);
      expect(() => process.kill(pid, 0)).toThrow("ESRCH");
      expect(await printed).toContain(
        `package.json: the project was written, but npm install was interrupted by ${signal}\n      fix: run \`npm install\` in the project\n`,
      );
      expect(await printed).toContain("tests: not run, since the packages are not installed");
      expect(await errors).not.toContain("    at ");
      const files = readFiles(root);
      const of = (folder: string): Readonly<Record<string, string>> =>
        Object.fromEntries(
          Object.entries(files)
            .filter(([file]) => file.startsWith(`${folder}/`) && !file.includes("/.kubescaffold/"))
            .map(([file, each]) => [file.slice(folder.length + 1), each]),
        );
      expect(of("ts")).toEqual(of("whole"));
      expect(Object.keys(files).filter((file) => /\/\.kubescaffold\/(?!lock)/u.test(file))).toEqual([]);
    },
    LIVENESS_MS,
  );
});
