import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { Environment } from "@kubescaffold/envtest";
import { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";
import { readYaml } from "@kubescaffold/k8s/yaml";
import { createClient, type LiveClient, patch, silentLogger } from "@kubescaffold/runtime";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { INIT, runCommand, runCommands } from "../../../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";

const LIVENESS_MS = 600_000;
const GVK = (version: string): string => `--group webapp --version ${version} --kind Guestbook`;
const TYPES = (version: string): string => `api/${version}/guestbook_types.ts`;
const CRD = "guestbooks.webapp.demo";
const DELETE = `delete api ${GVK("v1alpha1")}`;
const STORAGE = " * +kubebuilder:storageversion\n";
const UNSERVED = " * +kubebuilder:unservedversion\n";

/** Scaffolds v1alpha1, which is converted to and from v1, the storage version. */
async function project(root = temporaryFolder()): Promise<string> {
  await runCommands(
    root,
    INIT,
    `create api ${GVK("v1alpha1")} --resource --controller=false --make=false`,
    `create api ${GVK("v1")} --from v1alpha1 --resource --controller --make=false`,
    `create webhook ${GVK("v1")} --conversion --spoke v1alpha1 --make=false`,
  );
  const files = readFiles(root);
  const marked = files[TYPES("v1")]?.includes(STORAGE) === true ? {} : movedMark(files);
  writeFiles(root, marked);
  await runCommands(root, "manifests", "generate");
  return root;
}

function movedMark(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const [from, to] = [files[TYPES("v1alpha1")] ?? "", files[TYPES("v1")] ?? ""];
  return {
    [TYPES("v1alpha1")]: from.replace(STORAGE, ""),
    [TYPES("v1")]: to.replace(" */\nexport interface Guestbook ", `${STORAGE} */\nexport interface Guestbook `),
  };
}

describe("delete api of one of several versions, without a cluster", () => {
  it("stops serving it first, explains the steps, and names the files that use it", async () => {
    const root = await project();
    const before = readFiles(root);
    const { status, stdout, stderr } = await runCommand(root, DELETE);
    expect([status, stderr]).toEqual([0, ""]);
    const after = readFiles(root);
    expect(after[TYPES("v1alpha1")]).toBe(
      before[TYPES("v1alpha1")]?.replace(
        " */\nexport interface Guestbook ",
        `${UNSERVED} */\nexport interface Guestbook `,
      ),
    );
    expect(after[`config/crd/bases/webapp.demo_guestbooks.yaml`]).toMatch(
      /name: v1alpha1\n(?: {4}.*\n)* {4}served: false/u,
    );
    expect(after["PROJECT"]).toMatch(/group: webapp\n *kind: Guestbook\n *stored: true\n *version: v1alpha1/u);
    expect(stdout).toContain(
      [
        "v1alpha1 of Guestbook is removed in three steps:",
        "  1. stop serving it, while the change can be reverted (this step)",
        "  2. migrate the stored objects, in every cluster",
        "  3. remove it\n",
      ].join("\n"),
    );
    expect(stdout).toContain(
      "Change these files, which use v1alpha1 of Guestbook:\n  config/samples/webapp_v1alpha1_guestbook.yaml\n",
    );
    expect(stdout).toContain(`npx scaffold migrate-storage ${CRD}    # in every cluster`);
    expect(stdout).toContain(`npx scaffold ${DELETE}`);
  });

  it("writes nothing on a dry run, and reports the step as JSON", async () => {
    const root = await project();
    const before = readFiles(root);
    const dry = await runCommand(root, `${DELETE} --dry-run`);
    expect(dry).toMatchObject({ status: 0, stdout: expect.stringContaining(`+${UNSERVED}`) as string });
    const { stdout } = await runCommand(root, `${DELETE} --dry-run --output json`);
    expect(JSON.parse(stdout)).toMatchObject({
      dryRun: true,
      step: "stop-serving",
      next: expect.any(Array) as unknown,
    });
    expect(readFiles(root)).toEqual(before);
  });

  it("does not remove a version whose objects nobody is known to have migrated", async () => {
    const root = await project();
    await runCommands(root, DELETE);
    const before = readFiles(root);
    const { status, stderr } = await runCommand(root, DELETE);
    expect(status).toBe(1);
    expect(stderr).toContain(
      "error: cannot remove v1alpha1 of Guestbook: it is no longer served, but objects may be stored in it [CLI_VERSION_IN_USE]",
    );
    expect(stderr).toContain(`hint: run \`npx scaffold migrate-storage ${CRD}\` in every cluster`);
    expect(readFiles(root)).toEqual(before);
  });

  it("removes it with its conversion when no cluster stores it, and leaves a project without a trace of it", async () => {
    const root = await project();
    await runCommands(root, DELETE);
    const { status, stdout, stderr } = await runCommand(root, `${DELETE} --not-stored`);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).not.toContain("Change these files");
    const files = readFiles(root);
    const naming = Object.entries(files).filter(
      ([file, text]) => file.includes("v1alpha1") || text.includes("v1alpha1"),
    );
    expect(naming).toEqual([]);
    expect(files[TYPES("v1")]).not.toContain(STORAGE);
    expect(await runCommand(root, "doctor")).toMatchObject({ status: 0 });
  });

  it("refuses the storage version, and says where the mark goes", async () => {
    const root = await project();
    const before = readFiles(root);
    for (const flags of ["", " --not-stored", " --force"]) {
      const { status, stderr } = await runCommand(root, `delete api ${GVK("v1")}${flags}`);
      expect(status).toBe(1);
      expect(stderr).toContain("cannot remove v1 of Guestbook: it is the storage version [CLI_VERSION_IN_USE]");
      expect(stderr).toContain(`move +kubebuilder:storageversion from ${TYPES("v1")} to ${TYPES("v1alpha1")}`);
    }
    expect(readFiles(root)).toEqual(before);
  });

  it("keeps the mark when the version is renamed, and when the project is regenerated", async () => {
    const root = await project();
    await runCommands(root, DELETE, `rename api ${GVK("v1alpha1")} --to-version v1alpha2`);
    const files = readFiles(root);
    expect(files[TYPES("v1alpha2")]).toContain(UNSERVED);
    expect(files["PROJECT"]).toMatch(/stored: true\n *version: v1alpha2/u);
    await runCommands(root, "alpha generate --output-dir again --make=false");
    expect(readFiles(path.join(root, "again"))[TYPES("v1alpha2")]).toBe(files[TYPES("v1alpha2")]);
  });

  it("is an error of doctor and compat when it was removed by hand", async () => {
    const root = await project();
    await runCommands(root, DELETE);
    rmSync(path.join(root, "api/v1alpha1"), { recursive: true });
    const message = "v1alpha1 of Guestbook was removed, but objects may be stored in it";
    const doctor = await runCommand(root, "doctor");
    expect(doctor).toMatchObject({
      status: 1,
      stdout: expect.stringContaining(`error: PROJECT: ${message}`) as string,
    });
    expect(doctor.stdout).toContain("npx scaffold migrate-storage Guestbook");
    const compat = await runCommand(root, "compat");
    expect(compat).toMatchObject({ status: 1, stderr: expect.stringContaining("CLI_VERSION_IN_USE") as string });
  });
});

// The tests run in order: the version leaves the cluster step by step.
describe("delete api of one of several versions of a cluster", () => {
  const environment = new Environment();
  const folder = mkdtempSync(path.join(tmpdir(), "kubescaffold-"));
  const kubeconfig = path.join(folder, "kubeconfig");
  const root = path.join(folder, "project");
  const ofCluster = ` --kubeconfig ${kubeconfig} --context envtest`;
  let client: LiveClient;

  const files = (): Readonly<Record<string, string>> => readFiles(root);
  const definition = (): Promise<CustomResourceDefinition> => client.get(CustomResourceDefinition, { name: CRD });
  const refusal = async (line: string): Promise<string> => {
    const before = files();
    const { status, stderr } = await runCommand(root, line);
    expect([status, files()]).toEqual([1, before]);
    return stderr;
  };

  // The conversion needs no webhook: the versions have the same fields.
  async function deploy(): Promise<void> {
    const crd = readYaml(files()["config/crd/bases/webapp.demo_guestbooks.yaml"] ?? "") as CustomResourceDefinition;
    const current = await definition().catch(() => undefined);
    if (current === undefined) await client.create(crd);
    else
      await client.patch(current, patch.raw("application/merge-patch+json", { spec: { versions: crd.spec.versions } }));
  }

  beforeAll(async () => {
    const config = await environment.start();
    await environment.writeKubeconfig(kubeconfig);
    client = createClient(config, { log: silentLogger });
    mkdirSync(root);
    await project(root);
  }, LIVENESS_MS);

  afterAll(async () => {
    await environment.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("fails for a cluster without the CRD, unless no cluster stores the version", async () => {
    expect(await refusal(`${DELETE}${ofCluster}`)).toContain(`cannot find the CRD ${CRD} in the cluster [CLI_INPUT]`);
    expect(await runCommand(root, `${DELETE}${ofCluster} --not-stored --dry-run`)).toMatchObject({ status: 0 });
    expect(await runCommand(root, `doctor${ofCluster}`)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(
        `note: config/crd/bases/webapp.demo_guestbooks.yaml: the cluster does not have the CRD ${CRD}`,
      ) as string,
    });
    expect((await runCommand(root, `compat${ofCluster}`)).stdout).toBe(
      "nothing to compare: the cluster has no CRDs of the project\n",
    );
  });

  it("finds objects that are stored in the version", async () => {
    const current = files();
    // Objects were stored in v1alpha1 before v1 became the storage version.
    const types = { [TYPES("v1")]: current[TYPES("v1")]?.replace(STORAGE, "") ?? "" };
    const old =
      current[TYPES("v1alpha1")]?.replace(
        " */\nexport interface Guestbook ",
        `${STORAGE} */\nexport interface Guestbook `,
      ) ?? "";
    writeFiles(root, { ...types, [TYPES("v1alpha1")]: old });
    await runCommands(root, "manifests");
    await deploy();
    const isServed = (): unknown => client.list({ group: "webapp.demo", version: "v1alpha1", kind: "Guestbook" });
    await vi.waitFor(isServed, { timeout: 30_000 });
    const metadata = { name: "one", namespace: "default" };
    await client.create({ apiVersion: "webapp.demo/v1alpha1", kind: "Guestbook", metadata, spec: { foo: "bar" } });
    writeFiles(root, current);
    const { stdout } = await runCommand(root, `doctor${ofCluster}`);
    expect(stdout).toContain(`the storage version of ${CRD} is v1, but v1alpha1 in the cluster`);
    await deploy();
    expect((await definition()).status?.storedVersions).toEqual(["v1alpha1", "v1"]);
    const found = await runCommand(root, `doctor${ofCluster}`);
    expect(found).toMatchObject({ status: 0, stdout: expect.stringContaining("note: ") as string });
    expect(found.stdout).toContain(
      "objects may be stored in v1alpha1: status.storedVersions of guestbooks.webapp.demo in the cluster contains it",
    );
    expect(await runCommand(root, `compat${ofCluster}`)).toEqual({
      status: 0,
      stdout: "no difference to the CRDs of the cluster breaks stored objects or clients\n",
      stderr: "",
    });
  });

  it("stops serving the version, also when no cluster is said to store it", async () => {
    const { status, stdout } = await runCommand(root, `${DELETE}${ofCluster} --not-stored --output json`);
    expect([status, JSON.parse(stdout)]).toMatchObject([0, { step: "stop-serving" }]);
    expect(files()[TYPES("v1alpha1")]).toContain(UNSERVED);
  });

  it("waits until the cluster no longer serves the version", async () => {
    expect(await refusal(`${DELETE}${ofCluster}`)).toContain(
      "cannot remove v1alpha1 of Guestbook: the cluster still serves it",
    );
    await deploy();
  });

  it("is an error of compat and doctor when the sources lack a version in which objects are stored", async () => {
    const other = temporaryFolder(files());
    await runCommands(other, `${DELETE} --not-stored`);
    const compat = await runCommand(other, `compat${ofCluster}`);
    expect(compat.status).toBe(1);
    expect(compat.stderr).toMatch(
      /error.*COMPAT_STORED_REMOVED.*the version v1alpha1 was removed, but objects may be stored in it/u,
    );
    const doctor = await runCommand(other, `doctor${ofCluster}`);
    expect(doctor.status).toBe(1);
    expect(doctor.stdout).toContain(
      `error: config/crd/bases/webapp.demo_guestbooks.yaml: v1alpha1 of Guestbook was removed, but status.storedVersions of ${CRD} in the cluster contains it`,
    );
    expect(doctor.stdout).toContain(`npx scaffold delete api ${GVK("v1alpha1")} --not-stored`);
    const taken = readYaml(
      readFiles(other)["config/crd/bases/webapp.demo_guestbooks.yaml"] ?? "",
    ) as CustomResourceDefinition;
    const change = patch.raw("application/merge-patch+json", { spec: { versions: taken.spec.versions } });
    await expect(client.patch(await definition(), change)).rejects.toThrow("was previously a storage version");
  });

  it("counts the objects to migrate in a dry run", async () => {
    const { status, stdout } = await runCommand(root, `${DELETE}${ofCluster} --dry-run --output json`);
    expect([status, JSON.parse(stdout)]).toMatchObject([
      0,
      { step: "migrate", dryRun: true, definitions: [{ crd: CRD, outcome: "planned", objects: { listed: 1 } }] },
    ]);
    expect((await definition()).status?.storedVersions).toEqual(["v1alpha1", "v1"]);
  });

  it("migrates the objects, and then removes the version", { timeout: LIVENESS_MS }, async () => {
    const before = files();
    const { status, stdout } = await runCommand(root, `${DELETE}${ofCluster}`);
    expect(status).toBe(0);
    expect(stdout).toContain("  2. migrate the stored objects, in every cluster (this step)\n");
    expect(stdout).toContain(`Next:\n  npx scaffold ${DELETE}${ofCluster}\n`);
    expect((await definition()).status?.storedVersions).toEqual(["v1"]);
    expect(files()).toEqual(before);
    expect(await runCommand(root, `${DELETE}${ofCluster}`)).toMatchObject({ status: 0 });
    expect(Object.keys(files()).filter((file) => file.includes("v1alpha1"))).toEqual([]);
    await deploy();
    const { spec, metadata } = (await client.get(
      { group: "webapp.demo", version: "v1", kind: "Guestbook" },
      { name: "one", namespace: "default" },
    )) as { spec?: unknown; metadata: { managedFields?: readonly { apiVersion?: string }[] } };
    expect(spec).toEqual({ foo: "bar" });
    expect(metadata.managedFields?.map(({ apiVersion }) => apiVersion)).toEqual(["webapp.demo/v1"]);
    expect(await runCommand(root, `doctor${ofCluster}`)).toMatchObject({ status: 0, stderr: "" });
  });
});
