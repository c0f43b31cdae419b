import path from "node:path";

import { Environment } from "@kubescaffold/envtest";
import { SubjectAccessReview } from "@kubescaffold/k8s/authorization/v1";
import { Namespace } from "@kubescaffold/k8s/core/v1";
import { createClient } from "@kubescaffold/runtime";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";

import { lastingFolder } from "../../plugins/helm/test/lasting-folder.ts";
import { byKey, KUBECTL, kustomize } from "../../plugins/helm/test/rendering.ts";
import { buildKustomization } from "../../src/kustomize/build.ts";
import { type Manifest, nameOf, namespaceOf } from "../../src/kustomize/manifest.ts";
import { readSource } from "../architecture/source-files.ts";
import { CREATE_API, runCommands } from "../support/run-command.ts";
import { readFiles, writeFiles } from "../support/temporary-folder.ts";

const LIVENESS_MS = 300_000;
const INIT = "init --domain demo --project-name guestbook --namespaced --skip-install";
const PAGE = readSource("docs/guides/several-namespaces.md");
const TEAMS = ["team-a", "team-b"];
const MANAGER = "system:serviceaccount:guestbook-system:guestbook-controller-manager";

const FILES = {
  controller: "internal/controller/guestbook_controller.ts",
  manager: "config/manager/manager.yaml",
  rbac: "config/rbac/kustomization.yaml",
  top: "config/default/kustomization.yaml",
};

/** Returns the block of code of the page that contains a text. */
function blockWith(text: string): string {
  const blocks = [...PAGE.matchAll(/^```\w*\n(?<code>.*?)^```$/gmsu)].map(({ groups }) => groups?.["code"] ?? "");
  const found = blocks.filter((block) => block.includes(text));
  expect(found, `blocks with ${text}`).toHaveLength(1);
  return found[0] ?? "";
}

function replaced(text: string, from: RegExp | string, to: string): string {
  expect(text).toMatch(from);
  return text.replace(from, () => to);
}

/** Changes a project as the page tells its readers. */
function followRecipe(root: string): void {
  const files = readFiles(root);
  const markers = blockWith("+kubebuilder:rbac").trimEnd().replaceAll(/^/gmu, "  ");
  const variable = blockWith("WATCH_NAMESPACE")
    .replace("env:\n", "")
    .replaceAll(/^(?=.)/gmu, "        ");
  writeFiles(root, {
    [FILES.controller]: replaced(
      files[FILES.controller] ?? "",
      /^ *\/\/ \+kubebuilder:rbac/mu,
      `${markers}\n  // +kubebuilder:rbac`,
    ),
    [FILES.manager]: replaced(
      files[FILES.manager] ?? "",
      /^ *- name: WATCH_NAMESPACE\n *valueFrom:\n *fieldRef:\n *fieldPath: metadata.namespace\n/mu,
      variable,
    ),
    [FILES.rbac]: replaced(
      files[FILES.rbac] ?? "",
      "- role_binding.yaml\n",
      "- role_binding.yaml\n- team_role_bindings.yaml\n",
    ),
    [FILES.top]: `${files[FILES.top] ?? ""}\n${blockWith("transformers:")}`,
    "config/rbac/team_role_bindings.yaml": blockWith("kind: RoleBinding\nmetadata"),
    "config/default/team_namespaces.yaml": blockWith("kind: PatchTransformer"),
  });
}

describe("the recipe of guides/several-namespaces.md", { timeout: LIVENESS_MS }, () => {
  let root: string;
  let built: readonly Manifest[];

  beforeAll(async () => {
    root = lastingFolder();
    await runCommands(root, INIT, CREATE_API);
    followRecipe(root);
    await runCommands(root, "manifests", "generate");
    const files = readFiles(root);
    built = buildKustomization((file) => files[file], "config/default");
  }, LIVENESS_MS);

  it("leaves each Role in its namespace, with a RoleBinding", () => {
    const placed = built
      .filter(({ kind }) => kind === "Role" || kind === "RoleBinding")
      .map((each) => `${each.kind} ${namespaceOf(each)}/${nameOf(each)}`);
    expect(placed).toEqual(expect.arrayContaining(["Role guestbook-system/guestbook-manager-role"]));
    for (const team of TEAMS) {
      expect(placed).toContain(`Role ${team}/guestbook-manager-role-${team}`);
      expect(placed).toContain(`RoleBinding ${team}/guestbook-manager-rolebinding-${team}`);
    }
  });

  it.skipIf(KUBECTL === undefined)("builds what kubectl builds", async () => {
    expect(byKey(built)).toEqual(byKey(await kustomize(root)));
  });

  it("lets the manager write the objects of its namespaces, and of no other one", async () => {
    const environment = new Environment({ crdDirectoryPaths: [path.join(root, "config/crd/bases")] });
    const client = createClient(await environment.start());
    onTestFinished(() => environment.stop());
    for (const name of [...TEAMS, "team-c"]) await client.create(Namespace.create({ metadata: { name } }));
    const others = built.filter(({ kind }) => kind !== "CustomResourceDefinition");
    // kubectl applies Namespaces first, too.
    for (const object of others.toSorted((a, b) => Number(b.kind === "Namespace") - Number(a.kind === "Namespace")))
      await client.create(structuredClone(object));
    const allowed = [];
    for (const namespace of [...TEAMS, "team-c"]) {
      const resourceAttributes = { namespace, verb: "patch", group: "webapp.demo", resource: "guestbooks" };
      const review = SubjectAccessReview.create({
        metadata: { name: "" },
        spec: { user: MANAGER, resourceAttributes },
      });
      const { status } = await client.create(review);
      if (status?.allowed === true) allowed.push(namespace);
    }
    expect(allowed).toEqual(TEAMS);
  });

  it("gives a chart all Roles and RoleBindings, in their namespaces", async () => {
    await runCommands(root, "edit --plugins=helm/v2-alpha");
    const files = readFiles(root);
    for (const team of TEAMS) {
      const [role, binding] = [`manager-role-${team}`, `manager-rolebinding-${team}`].map((part) => {
        const text = files[`dist/chart/templates/rbac/${part}-${team}.yaml`] ?? "";
        expect(text).toContain(`index (.Values.rbac.roleNamespaces | default dict) "${part}" | default "${team}"`);
        return text;
      });
      expect(/^metadata:\n(?:.*\n)*? {2}name: (?<name>.*)$/mu.exec(role ?? "")?.groups?.["name"]).toBe(
        /^roleRef:\n(?:.*\n)*? {2}name: (?<name>.*)$/mu.exec(binding ?? "")?.groups?.["name"],
      );
      expect(binding).toContain("serviceAccountName");
    }
  });
});
