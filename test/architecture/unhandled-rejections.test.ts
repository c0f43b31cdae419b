import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { execa } from "execa";
import { describe, expect, it } from "vitest";

import { listFiles, readSource, ROOT } from "./source-files.ts";

// Runs one test, which leaves a rejection without a handler, with the options of each project.
const PROGRAM = `
import { startVitest } from "vitest/node";
import { loadConfigFromFile } from "vite";
const root = process.argv[1];
const { config } = await loadConfigFromFile({ command: "serve", mode: "test" }, "vitest.config.ts");
const projects = config.test.projects.map((project) => ({
  ...project,
  root,
  test: { ...project.test, root, globals: true, globalSetup: [], include: ["rejects.test.mjs"] },
}));
const vitest = await startVitest("test", [], { config: false, watch: false, root, reporters: [] }, {
  root,
  test: { ...config.test, sequence: {}, projects },
});
const rejected = vitest.state.getUnhandledErrors().map(({ message }) => message);
const { exitCode } = process;
await vitest.close();
console.log(JSON.stringify({ projects: projects.map(({ test }) => test.name), rejected, exitCode }));
process.exitCode = 0;
`;

const TEST = `it("passes", ({ task }) => void Promise.reject(new Error(task.file.projectName)));\n`;

// These count the rejections, and fail with them.
const COUNTING = [
  "packages/envtest/test/chaos/operator/unhandled-rejections.ts",
  "packages/runtime/test/handler/handlers.test.ts",
  "packages/runtime/test/streams/failing-copies.e2e.test.ts",
];

describe("a rejection that nothing handles", () => {
  it("fails the tests of each project", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "rejections-"));
    try {
      await writeFile(path.join(folder, "rejects.test.mjs"), TEST);
      const { stdout } = await execa(process.execPath, ["--input-type=module", "--eval", PROGRAM, folder], {
        cwd: ROOT,
        env: { VITEST: "", VITEST_WORKER_ID: "", VITEST_POOL_ID: "" },
      });
      const { projects, rejected, exitCode } = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as {
        readonly projects: readonly string[];
        readonly rejected: readonly string[];
        readonly exitCode: number;
      };
      expect(projects).toEqual(["unit", "architecture", "e2e", "node"]);
      expect(rejected.toSorted()).toEqual(projects.toSorted());
      expect(exitCode).toBe(1);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("ends each process of ours, since nothing changes what Node does", () => {
    const own = path.relative(ROOT, import.meta.filename).replaceAll("\\", "/");
    const changed = ["bin", "src", "plugins", "packages", "scripts", "bench", "templates", "examples", "test"]
      .flatMap((folder) => listFiles(folder))
      .concat("package.json", "vitest.config.ts")
      .filter((file) => /\.(?:[cm]?[jt]sx?|json|sh|hbs|Dockerfile)$/u.test(file) && file !== own)
      .filter((file) => /unhandled-?rejections?["'=]|uncaughtException|dangerouslyIgnore/iu.test(readSource(file)));
    expect(
      changed.filter((file) => !COUNTING.includes(file) && !/unhandled-rejections\.ts"/u.test(readSource(file))),
    ).toEqual([]);
  });
});
