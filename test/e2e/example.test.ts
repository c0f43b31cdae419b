import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { ROOT } from "../architecture/source-files.ts";
import { runProgram, runSuccessfully } from "../support/run-program.ts";
import { copyExample, type ExampleName, exampleFolder, PROGRAM } from "./project-copy.ts";

const LIVENESS_MS = 300_000;
const VITEST = path.join(ROOT, "node_modules", "vitest", "vitest.mjs");

// In its own process, since it tells what it does.
async function makeExample(folder: string, name: ExampleName): Promise<void> {
  const script = pathToFileURL(path.join(ROOT, "scripts", "quickstart", "example.mjs")).href;
  const program = `const { makeExample } = await import(${JSON.stringify(script)}); await makeExample(${JSON.stringify(folder)}, ${JSON.stringify(name)});`;
  await runSuccessfully(process.execPath, ["--input-type=module", "--eval", program], { cwd: ROOT });
}

// Paths to this repository's packages depend on where the project lies, and the year on the calendar.
function readProject(root: string): Readonly<Record<string, string>> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter((file) => !/^(?:node_modules|dist|\.kubescaffold)\//u.test(file));
  const normal = (file: string): string =>
    readFileSync(path.join(root, file), "utf8")
      .replaceAll(/"file:[^"]*?(?:\/packages\/(?<name>\w+))?"/gu, '"file:<repository>/$<name>"')
      .replaceAll(/Copyright \d{4}/gu, "Copyright <year>");
  return Object.fromEntries(files.toSorted().map((file) => [file, normal(file)]));
}

const EXAMPLES: readonly ExampleName[] = [
  "guestbook",
  "memcached",
  "multicluster",
  "multiversion",
  "namespaceplus",
  "cronjob",
  "addingress",
  "dnsrecord",
  "website",
];

describe.each(EXAMPLES)("examples/%s", (name) => {
  const made = mkdtempSync(path.join(tmpdir(), "kubescaffold-example-"));

  beforeAll(async () => await makeExample(made, name), LIVENESS_MS);
  afterAll(() => rmSync(made, { recursive: true, force: true }));

  it("is what its commands make, with the files that a user fills in", () => {
    expect(readProject(made)).toEqual(readProject(exampleFolder(name)));
  });

  // On the backend that KUBESCAFFOLD_ENVTEST_BACKEND names, the embedded one by default.
  it(
    "passes its own tests",
    async () => {
      const { root, remove } = copyExample(name);
      try {
        await runSuccessfully(process.execPath, [PROGRAM, "manifests"], { cwd: root });
        const { status, output } = await runProgram(process.execPath, [VITEST, "run"], { cwd: root });
        expect({ status, output }).toMatchObject({
          status: 0,
          output: expect.stringMatching(/Test Files +\d+ passed/u),
        });
      } finally {
        remove();
      }
    },
    LIVENESS_MS,
  );
});

it(
  "the tests of a project whose CRDs were not generated fail, and name their folder",
  async () => {
    const { root, remove } = copyExample("guestbook");
    try {
      rmSync(path.join(root, "config/crd/bases"), { recursive: true });
      const { status, output } = await runProgram(process.execPath, [VITEST, "run"], { cwd: root });
      expect({ status, output }).toMatchObject({ status: 1 });
      const files = output.split("\n").filter((line) => line.includes("config/crd/bases"));
      expect(files.length).toBeGreaterThan(1);
    } finally {
      remove();
    }
  },
  LIVENESS_MS,
);
