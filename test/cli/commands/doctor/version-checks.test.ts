import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { CREATE_API, INIT, runCommand, runCommands } from "../../../support/run-command.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const FILE = "internal/controller/guestbook_pods.ts";
const SOURCE = `import type { PodSpec } from "@kubescaffold/k8s/core/v1";

export const spec: PodSpec = { containers: [], evictionResponders: [] };
`;
const MESSAGE = "Kubernetes 1.36 has no field evictionResponders in PodSpec of core/v1";

async function project(kubernetes: string): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, `${INIT} --kubernetes ${kubernetes}`, CREATE_API);
  writeFileSync(path.join(root, FILE), SOURCE);
  return root;
}

it("manifests warns of what a supported version lacks, and fails with --strict only", async () => {
  const root = await project("1.36");
  const { status, stderr } = await runCommand(root, "manifests");
  expect(status).toBe(0);
  expect(stderr).toContain(`${FILE}:3:48 - warning KUBERNETES_LACKS_FIELD: ${MESSAGE}`);
  expect((await runCommand(root, "manifests")).stderr).toContain(MESSAGE);
  expect((await runCommand(root, "generate")).stderr).not.toContain(MESSAGE);
  expect((await runCommand(root, "manifests --strict")).status).toBe(1);
  expect((await runCommand(root, "manifests --kubernetes 1.37")).stderr).not.toContain(MESSAGE);
});

it("doctor has a note with file, line, and fix, which the version of the project resolves", async () => {
  const root = await project("1.36");
  const { stdout } = await runCommand(root, "doctor");
  expect(stdout).toContain(`note: ${FILE}:3: ${MESSAGE}\n`);
  expect(stdout).toMatch(/edit --kubernetes 1\.37/u);
  const file = path.join(root, "PROJECT");
  writeFileSync(file, readFileSync(file, "utf8").replace('"1.36"', '"1.37"'));
  expect((await runCommand(root, "doctor")).stdout).not.toContain(MESSAGE);
});
