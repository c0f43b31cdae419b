import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, expect, it } from "vitest";

import { MUTANTS } from "../../../../packages/envtest/test/verify/mutants.ts";
import { ROOT } from "../../../architecture/source-files.ts";
import { runCommand } from "../../../support/run-command.ts";

const OPERATOR = path.join(ROOT, "packages/envtest/test/verify/operator");
// Copies import the packages of this repository, so they are within it.
const CACHE = path.join(ROOT, "node_modules/.cache");
const MUTANT = "update loop";
const FLAGS = "--command ./manager --crds crd.yaml --samples sample.yaml --roles role.yaml";
const LIVENESS_MS = 300_000;

let folder = "";

beforeAll(() => {
  mkdirSync(CACHE, { recursive: true });
  folder = mkdtempSync(path.join(CACHE, "verify-command-"));
  cpSync(OPERATOR, folder, { recursive: true });
  const source = path.join(folder, "site-operator.mjs");
  const { replaced = [] } = MUTANTS.find(({ name }) => name === MUTANT) ?? {};
  const text = readFileSync(source, "utf8");
  const mutant = replaced.reduce((result, [from, to]) => result.replace(from, () => to), text);
  if (mutant === text) throw new Error(`the operator has no place for the mutant ${MUTANT}`);
  writeFileSync(source, mutant);
  const program = `#!/bin/sh\nexec "${process.execPath}" site-operator.mjs --leader-elect=false\n`;
  writeFileSync(path.join(folder, "manager"), program);
  chmodSync(path.join(folder, "manager"), 0o755);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

// The tests run in order: the second one replays what the first has found.
it(
  "reports a finding to the terminal, as a file, and in Markdown, and exits with 1",
  { timeout: LIVENESS_MS },
  async () => {
    const { status, stdout } = await runCommand(folder, `verify ${FLAGS} --time 20s --report verify.md`);
    expect(stdout).toMatch(/^finding 1: .* \(seen in 2 of 2 runs\)\n {2}rest: .*\nfindings: 1 finding, /mu);
    expect(status).toBe(1);
    expect(readFileSync(path.join(folder, "verify.md"), "utf8")).toContain("**rest**");
  },
);

it("replays a finding, and prints the event", { timeout: LIVENESS_MS }, async () => {
  const { status, stdout } = await runCommand(folder, `verify ${FLAGS} --replay findings/1.json --output json`);
  expect(JSON.parse(stdout)).toMatchObject({ event: "replayed" });
  expect(status).toBe(1);
});

it("writes a baseline, and does not fail with its violations", { timeout: LIVENESS_MS }, async () => {
  const flags = `verify ${FLAGS} --time 20s --baseline known.json`;
  const first = await runCommand(folder, `${flags} --update-baseline`);
  expect(first).toMatchObject({ status: 0, stdout: expect.stringContaining("known.json") });
  const second = await runCommand(folder, flags);
  expect(second.stdout).toMatch(/^note: known: rest\nclean: 0 findings, /mu);
  expect(second.status).toBe(0);
});
