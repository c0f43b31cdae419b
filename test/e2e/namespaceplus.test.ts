import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { isNotFound } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { readYaml } from "@kubescaffold/k8s/yaml";
import { type Client, createClient } from "@kubescaffold/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { configOf, DevProcess } from "./dev-process.ts";
import { eventually } from "./eventually.ts";
import { copyExample, type ProjectCopy } from "./project-copy.ts";

const LIVENESS_MS = 300_000;
const CONTROLLER = path.join("internal", "controller", "namespaceplus_controller.ts");
const SAMPLE = path.join("config", "samples", "tenancy_v1_namespaceplus.yaml");
const ROLE = path.join("config", "rbac", "role.yaml");
const KEY = { name: "namespaceplus-sample", namespace: "" };
const NAMESPACE = { group: "", version: "v1", kind: "Namespace" };
const NAMESPACEPLUS = { group: "tenancy.demo", version: "v1", kind: "NamespacePlus" };

interface WithConditions extends KubernetesObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly reason: string }[] };
}

// The first hour of a user who forgot a marker; every test goes on where the one before it stopped.
describe("a permission that has no marker", { timeout: LIVENESS_MS }, () => {
  let project: ProjectCopy;
  let dev: DevProcess;
  let client: Client;
  let complete: string;

  beforeAll(async () => {
    project = copyExample("namespaceplus");
    complete = read(CONTROLLER);
    write(CONTROLLER, withoutNamespaces(complete));
    dev = new DevProcess(project.root);
    await dev.waitFor(/cannot list resource/u);
    client = createClient(await configOf(project.root));
  }, LIVENESS_MS);

  afterAll(async () => {
    await dev.end();
    project.remove();
  }, LIVENESS_MS);

  const read = (file: string): string => readFileSync(path.join(project.root, file), "utf8");
  const write = (file: string, text: string): void => writeFileSync(path.join(project.root, file), text);
  const reason = async (): Promise<string | undefined> => {
    const owner = await client.get<WithConditions>(NAMESPACEPLUS, KEY);
    return owner.status?.conditions?.find(({ type }) => type === "Ready")?.reason;
  };

  it("is named in the output of `scaffold dev`, with the user, the verb and the resource", async () => {
    expect(read(ROLE)).not.toContain("- namespaces\n");
    expect(dev.output.replaceAll("\\", "")).toContain(
      'namespaces is forbidden: User "system:serviceaccount:namespaceplus-system:namespaceplus-controller-manager" ' +
        'cannot list resource "namespaces" in API group "" at the cluster scope',
    );
    await client.create(readYaml(read(SAMPLE)) as KubernetesObject);
    await expect(client.get(NAMESPACE, KEY)).rejects.toSatisfy(isNotFound);
  });

  it("is there once the marker is, without anything else to be done", async () => {
    write(CONTROLLER, complete);
    await eventually(
      async () => ((await reason()) === "AsSpecified" ? true : undefined),
      () => `the NamespacePlus to be ready; the manager wrote:\n${dev.output}`,
    );
    expect(read(ROLE)).toContain("- namespaces\n");
    expect((await client.get(NAMESPACE, KEY)).metadata.labels).toMatchObject({ team: "harbour" });
  });

  it("lets the Namespace go with its NamespacePlus", async () => {
    await client.delete(await client.get(NAMESPACEPLUS, KEY));
    const isGone = async (): Promise<true | undefined> =>
      await client.get(NAMESPACE, KEY).then(
        () => undefined,
        (error: unknown) => (isNotFound(error) ? true : undefined),
      );
    expect(await eventually(isGone, () => "the Namespace to be gone")).toBe(true);
  });
});

function withoutNamespaces(source: string): string {
  return source.replace(/^.*\+kubebuilder:rbac:.*resources=namespaces,.*\n/mu, "");
}
