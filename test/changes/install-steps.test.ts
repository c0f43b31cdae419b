import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { CREATE_API, INIT, runCommand, runCommands } from "../support/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const EXTERNAL = "--resource=false --controller --external-api-domain io --make=false --external-api-path";
const GVK = "--group certs --version v1 --kind Cert";

async function stepsOf(...lines: readonly string[]): Promise<string> {
  return await stepsIn(temporaryFolder(), ...lines);
}

async function stepsIn(root: string, ...lines: readonly string[]): Promise<string> {
  await runCommands(root, INIT, ...lines.slice(0, -1));
  const { status, stdout } = await runCommand(root, lines.at(-1) ?? "");
  expect(status).toBe(0);
  return stdout.split("\nNext:\n")[1] ?? "";
}

it.each(["@acme/certs/v1", "@acme/certs"])("the package of %s is to be installed", async (path) => {
  expect(await stepsOf(`create api ${GVK} ${EXTERNAL} ${path}`)).toContain("npm install @acme/certs  ");
});

it("a webhook's package is to be installed too, and once there is none any more", async () => {
  const webhook = `create webhook ${GVK} --defaulting --external-api-domain io --make=false --external-api-path certs/v1`;
  expect(await stepsOf(webhook)).toContain("npm install certs  ");
  const named = `create api ${GVK} ${EXTERNAL} certs/v1 --external-api-module certs@1.2.3`;
  expect(await stepsOf(named)).toContain("npm install\n");
  expect(await stepsOf(named, webhook)).not.toContain("npm install");
});

it("nothing is to be installed for types in a file, or of the project itself", async () => {
  const root = temporaryFolder();
  mkdirSync(path.join(root, "api"));
  writeFileSync(path.join(root, "api", "certs.ts"), "export interface Cert {}\n");
  expect(await stepsIn(root, `create api ${GVK} ${EXTERNAL} ./api/certs.ts`)).not.toContain("npm install");
  expect(await stepsOf(CREATE_API)).not.toContain("npm install");
});
