import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { ROOT } from "../architecture/source-files.ts";
import { runProgram, runSuccessfully } from "../support/run-program.ts";
import { temporaryFolder, writeFiles } from "../support/temporary-folder.ts";

const LIVENESS_MS = 300_000;
// A site that shows what it was built with.
const BUILD = `
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const { DOCS_BASE, DOCS_ORIGIN, DOCS_VERSIONS } = process.env;
mkdirSync("site/dist", { recursive: true });
writeFileSync("site/dist/index.html", [version, DOCS_BASE, DOCS_ORIGIN, DOCS_VERSIONS].join(" | "));
`;

it(
  "the published site has the checkout at its root, and earlier versions in folders, built from their tags",
  async () => {
    const root = temporaryFolder();
    const git = async (...args: readonly string[]): Promise<void> => {
      await runSuccessfully("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: root });
    };
    await git("init", "--quiet");
    for (const version of ["0.1.0", "0.1.1", "0.2.0", "0.3.0"]) {
      const manifest = { name: "site", version, type: "module", scripts: { docs: "node build.mjs" } };
      const lock = { name: "site", version, lockfileVersion: 3, packages: { "": { name: "site", version } } };
      writeFiles(root, {
        "build.mjs": BUILD,
        "package.json": JSON.stringify(manifest),
        "package-lock.json": JSON.stringify(lock),
      });
      await git("add", "--all");
      await git("commit", "--quiet", "--message", version);
      await git("tag", `v${version}`);
    }
    const { status, output } = await runProgram(process.execPath, [path.join(ROOT, "site", "publish.mjs"), root], {
      cwd: root,
      env: { DOCS_BASE: "/r/", DOCS_ORIGIN: "https://o.example/r/" },
    });
    expect({ status, output }).toMatchObject({ status: 0 });
    const dist = path.join(root, "site", "dist");
    const page = (folder: string): string => readFileSync(path.join(dist, folder, "index.html"), "utf8");
    expect(readdirSync(dist).toSorted()).toEqual(["index.html", "v0.1", "v0.2"]);
    expect([page(""), page("v0.2"), page("v0.1")]).toEqual([
      "0.3.0 | /r/ | https://o.example/r/ | 0.3.0 0.2.0 0.1.1",
      "0.2.0 | /r/v0.2/ | https://o.example/r/ | 0.3.0 0.2.0 0.1.1",
      "0.1.1 | /r/v0.1/ | https://o.example/r/ | 0.3.0 0.2.0 0.1.1",
    ]);
    const { output: trees } = await runProgram("git", ["worktree", "list"], { cwd: root });
    expect(trees.trim().split("\n")).toHaveLength(1);
  },
  LIVENESS_MS,
);
