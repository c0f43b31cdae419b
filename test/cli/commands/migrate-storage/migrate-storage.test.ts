import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { Environment } from "@kubescaffold/envtest";
import { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";
import { createClient, patch, silentLogger } from "@kubescaffold/runtime";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { INIT, runCommand, runCommands } from "../../../support/run-command.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const CRD = "guestbooks.webapp.demo";
const GROUP = "webapp.demo";
const environment = new Environment();
const root = mkdtempSync(path.join(tmpdir(), "kubescaffold-"));
const kubeconfig = path.join(root, "kubeconfig");

const versionsStored = (stored: string): { name: string; served: boolean; storage: boolean; schema: object }[] =>
  ["v1alpha1", "v1"].map((name) => ({
    name,
    served: true,
    storage: name === stored,
    schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
  }));

beforeAll(async () => {
  const config = await environment.start();
  await environment.writeKubeconfig(kubeconfig);
  const client = createClient(config, { log: silentLogger });
  await client.create(
    CustomResourceDefinition.create({
      metadata: { name: CRD },
      spec: {
        group: GROUP,
        scope: "Namespaced",
        names: { kind: "Guestbook", plural: "guestbooks", singular: "guestbook", listKind: "GuestbookList" },
        versions: versionsStored("v1alpha1"),
      },
    }),
  );
  const isServed = async (): Promise<unknown> => await client.list({ group: GROUP, version: "v1", kind: "Guestbook" });
  await vi.waitFor(isServed, { timeout: 30_000 });
  for (const name of ["one", "two", "three"]) {
    const metadata = { namespace: "default", name };
    await client.create({ apiVersion: `${GROUP}/v1`, kind: "Guestbook", metadata, spec: { name } });
  }
  const definition = await client.get(CustomResourceDefinition, { name: CRD });
  await client.patch(
    definition,
    patch.raw("application/merge-patch+json", { spec: { versions: versionsStored("v1") } }),
  );
}, 60_000);

afterAll(async () => {
  await environment.stop();
  rmSync(root, { recursive: true, force: true });
});

// The tests run in order: the objects are migrated once.
describe("migrate-storage", () => {
  const command = `migrate-storage --kubeconfig ${kubeconfig}`;

  it("counts objects in a dry run, without writing them", async () => {
    const { status, stdout, stderr } = await runCommand(root, `${command} Guestbook --dry-run`);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout.split("\n").map((line) => line.split(/ {2,}/u))).toEqual([
      ["CRD", "STORED", "STORAGE", "OBJECTS", "REWRITTEN", "BY OTHERS", "FIELDS MOVED", "REFUSED", "RESULT"],
      [CRD, "v1alpha1,v1", "v1", "3", "3", "0", "0", "0", "to be migrated"],
      [""],
    ]);
  });

  it("migrates the kinds of the project, and then has nothing to do", async () => {
    await runCommands(root, INIT);
    await runCommands(
      root,
      "create api --group webapp --version v1 --kind Guestbook --resource --controller --make=false",
    );
    const { status, stdout, stderr } = await runCommand(root, `${command} --propagation 1s --output json`);
    expect([status, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toEqual({
      dryRun: false,
      definitions: [
        {
          crd: CRD,
          outcome: "migrated",
          reason: "",
          storageVersion: "v1",
          storedVersions: ["v1alpha1", "v1"],
          servedVersions: ["v1alpha1", "v1"],
          unservedVersions: [],
          objects: { listed: 3, rewritten: 3, writtenByOthers: 0, deleted: 0, fieldsMoved: 0, refused: [] },
        },
      ],
    });
    const again = await runCommand(root, command);
    expect([again.status, again.stdout.split(/\s{2,}/u).at(-1)]).toEqual([0, "nothing to do\n"]);
  });

  it.each([
    ["migrate-storage missing", 1, "cannot find the CRD of missing in the cluster [CLI_INPUT]"],
    ["migrate-storage --propagation soon", 1, 'invalid value "soon" for flag --propagation: not a duration'],
    ["migrate-storage --writes-per-second 0", 1, 'invalid value "0" for flag --writes-per-second: not a rate'],
    ["migrate-storage --kubeconfig /nonexistent", 1, "cannot read the kubeconfig /nonexistent"],
    ["migrate-storage --unknown", 2, "unknown flag: --unknown"],
  ])("refuses %s", async (line, status, message) => {
    const given = line.includes("kubeconfig") ? line : `${line} --kubeconfig ${kubeconfig}`;
    const result = await runCommand(root, given);
    expect([result.status, result.stdout]).toEqual([status, ""]);
    expect(result.stderr).toContain(message);
  });

  it("completes the kinds of the project", async () => {
    const { projectKinds } = await import("../../../../src/cli/commands/migrate-storage/select-definitions.ts");
    expect(projectKinds(root)).toEqual([{ kind: "Guestbook", crd: CRD }]);
    expect(projectKinds(temporaryFolder())).toEqual([]);
  });
});
