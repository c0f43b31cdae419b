import path from "node:path";

import { readYaml } from "@kubescaffold/k8s/yaml";
import { describe, expect, it } from "vitest";

import { buildKustomization } from "../../src/kustomize/build.ts";
import { nameOf } from "../../src/kustomize/manifest.ts";
import { SINGLE_GROUP } from "../support/go-projects.ts";
import { runCommands } from "../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../support/temporary-folder.ts";

type Files = Readonly<Record<string, string>>;

async function imported(changes: Files): Promise<Files> {
  const root = temporaryFolder();
  const go = { ...SINGLE_GROUP, ...changes };
  writeFiles(root, Object.fromEntries(Object.entries(go).map(([file, text]) => [`go/${file}`, text])));
  await runCommands(root, "import project go --output-dir ts --skip-install");
  return readFiles(path.join(root, "ts"));
}

const list = (...names: readonly string[]): string => `resources:\n${names.map((name) => `- ${name}\n`).join("")}`;
const role = (name: string, resource: string, kind = "ClusterRole"): string =>
  `# of people\napiVersion: rbac.authorization.k8s.io/v1\nkind: ${kind}\nmetadata:\n  name: ${name}\nrules:\n- {apiGroups: [""], resources: [${resource}], verbs: [get]}\n`;
const binding = (name: string, to: string, account: string, kind = "ClusterRole"): string =>
  `apiVersion: rbac.authorization.k8s.io/v1\nkind: ${kind}Binding\nmetadata:\n  name: ${name}\nroleRef:\n  apiGroup: rbac.authorization.k8s.io\n  kind: ${kind}\n  name: ${to}\nsubjects:\n- {kind: ServiceAccount, name: ${account}, namespace: fleet}\n`;
const manager = (account: string): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: m}\nspec: {template: {spec: {serviceAccountName: ${account}}}}\n`;

describe("roles of a Go project that no generator made", () => {
  it("come along with their bindings, to the account of the new manager", async () => {
    const made = await imported({
      "config/manager/manager.yaml": manager("captain-bot"),
      "config/rbac/kustomization.yaml": list("role.yaml", "view.yaml", "extra.yaml", "extra_binding.yaml", "bot.yaml"),
      "config/rbac/view.yaml": role("view", "pods"),
      "config/rbac/extra.yaml": role("extra", "nodes", "Role"),
      "config/rbac/extra_binding.yaml": binding("extra", "extra", "captain-bot", "Role"),
      "config/rbac/bot.yaml": "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: captain-bot}\n",
      "config/rbac/unlisted.yaml": role("unlisted", "pods"),
    });
    expect(made["config/rbac/view.yaml"]).toBe(role("view", "pods"));
    expect(Object.keys(made).filter((file) => /rbac\/(?:bot|unlisted)\.yaml$/u.test(file))).toEqual([]);
    const built = buildKustomization((file) => made[file], "config/default");
    const found = built.filter(({ kind }) => kind.includes("Role")).map((each) => `${each.kind} ${nameOf(each)}`);
    expect(found).toEqual(
      expect.arrayContaining(["ClusterRole fleet-view", "Role fleet-extra", "RoleBinding fleet-extra"]),
    );
    expect(built.find((each) => each.kind === "RoleBinding" && nameOf(each) === "fleet-extra")).toMatchObject({
      subjects: [{ name: "fleet-controller-manager", namespace: "boats" }],
    });
  });

  it("are bound to the new manager if its Deployment names the account with the prefix", async () => {
    const made = await imported({
      "config/default/kustomization.yaml": "namePrefix: fleet-\nresources:\n- ../rbac\n- ../manager\n",
      "config/manager/manager.yaml": manager("fleet-bot"),
      "config/rbac/kustomization.yaml": list("role.yaml", "extra.yaml", "extra_binding.yaml", "bot.yaml"),
      "config/rbac/extra.yaml": role("extra", "nodes"),
      "config/rbac/extra_binding.yaml": binding("extra", "extra", "bot"),
      "config/rbac/bot.yaml": "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: bot}\n",
    });
    expect(made["config/rbac/bot.yaml"]).toBeUndefined();
    const built = buildKustomization((file) => made[file], "config/default");
    expect(built.find((each) => each.kind === "ClusterRoleBinding" && nameOf(each) === "fleet-extra")).toMatchObject({
      subjects: [{ name: "fleet-controller-manager" }],
    });
  });

  it("replace the scaffolded roles of users, under whatever file name", async () => {
    const own = role("captain-viewer-role", "secrets");
    const made = await imported({ "config/rbac/captains_viewer.yaml": own });
    expect(made["config/rbac/captain_viewer_role.yaml"]).toBe(own);
    expect(Object.keys(made)).not.toContain("config/rbac/captains_viewer.yaml");
  });

  it("are left out if the scaffold has them, or if a binding binds a role that nobody has", async () => {
    const made = await imported({
      "config/rbac/kustomization.yaml": list("again.yaml", "lost.yaml", "auth_proxy_role.yaml", "odd.yaml"),
      "config/rbac/again.yaml": binding("again", "manager-role", "controller-manager"),
      "config/rbac/lost.yaml": binding("lost", "nobody", "default"),
      "config/rbac/auth_proxy_role.yaml": role("proxy-role", "pods"),
      "config/rbac/odd.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: odd}\n",
    });
    expect(Object.keys(made).filter((file) => /rbac\/(?:again|lost|auth_proxy_role|odd)\.yaml$/u.test(file))).toEqual(
      [],
    );
    expect(made["MIGRATION.md"]).toContain("- config/rbac/lost.yaml: it binds ClusterRole nobody, which");
  });

  it("are bound by the scaffolded binding if the markers give the generated role another name", async () => {
    const text = (SINGLE_GROUP["config/rbac/role.yaml"] ?? "").replace("name: manager-role", "name: fleet-bot");
    const made = await imported({ "config/rbac/role.yaml": text });
    expect(readYaml(made["config/rbac/role_binding.yaml"] ?? "")).toMatchObject({ roleRef: { name: "fleet-bot" } });
    const built = buildKustomization((file) => made[file], "config/default");
    const names = built.filter(({ kind }) => kind === "ClusterRole").map((each) => nameOf(each));
    for (const each of built.filter(({ kind }) => kind === "ClusterRoleBinding"))
      expect(names).toContain((each["roleRef"] as { readonly name: string }).name);
  });

  it("add to the role for leader election what the scaffold's does not grant", async () => {
    const rules = `rules:
- {apiGroups: [coordination.k8s.io], resources: [leases], verbs: [get, list]}
- {apiGroups: ["", events.k8s.io], resources: [events], verbs: [create, patch]}
- {apiGroups: [""], resources: [configmaps/status], verbs: [get]}
`;
    const head = "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: leader-election-role}\n";
    const made = await imported({ "config/rbac/leader_election_role.yaml": head + rules });
    const { rules: found } = readYaml(made["config/rbac/leader_election_role.yaml"] ?? "") as {
      readonly rules: readonly { readonly resources: readonly string[] }[];
    };
    expect(found.map(({ resources }) => resources.join())).toEqual([
      "configmaps",
      "leases",
      "events",
      "events",
      "configmaps/status",
    ]);
    expect(found[3]).toMatchObject({ apiGroups: ["", "events.k8s.io"] });
    const same = await imported({ "config/rbac/leader_election_role.yaml": `${head}rules: []\n` });
    const plain = await imported({});
    expect(same["config/rbac/leader_election_role.yaml"]).toBe(plain["config/rbac/leader_election_role.yaml"]);
  });

  it("come along from the folder of the webhooks, whose own Deployment is part of the manager", async () => {
    const made = await imported({
      "config/webhook/kustomization.yaml": list(
        "manifests.yaml",
        "deployment.yaml",
        "role.yaml",
        "binding.yaml",
        "bot.yaml",
      ),
      "config/webhook/deployment.yaml": manager("hook-bot"),
      "config/webhook/role.yaml": role("hooks", "secrets", "Role"),
      "config/webhook/binding.yaml": binding("hooks", "hooks", "hook-bot", "Role"),
      "config/webhook/bot.yaml": "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: hook-bot}\n",
    });
    expect(Object.keys(made).filter((file) => file.startsWith("config/rbac/webhook_"))).toEqual([
      "config/rbac/webhook_binding.yaml",
      "config/rbac/webhook_role.yaml",
    ]);
    const built = buildKustomization((file) => made[file], "config/default");
    expect(built.find((each) => each.kind === "RoleBinding" && nameOf(each) === "fleet-hooks")).toMatchObject({
      roleRef: { kind: "Role", name: "fleet-hooks" },
      subjects: [{ name: "fleet-controller-manager", namespace: "boats" }],
    });
  });
});

describe("the role of a project without config/rbac/role.yaml", () => {
  const { "config/rbac/role.yaml": _, ...others } = SINGLE_GROUP;
  const text = role("fleet-bot", "pods");

  async function markersOf(go: Files): Promise<string> {
    const root = temporaryFolder();
    writeFiles(
      root,
      Object.fromEntries(Object.entries({ ...others, ...go }).map(([file, own]) => [`go/${file}`, own])),
    );
    await runCommands(root, "import project go --output-dir ts --skip-install");
    return readFiles(path.join(root, "ts"))["config/rbac/role.yaml"] ?? "";
  }

  it("is the only one in a folder of roles", async () => {
    const found = await markersOf({ "manifests/components/rbac/clusterrole.yaml": text });
    expect(readYaml(found)).toMatchObject({ metadata: { name: "fleet-bot" }, rules: [{ resources: ["pods"] }] });
  });

  it("is none of several, nor of an example or a chart", async () => {
    const several = { "manifests/a/rbac/role.yaml": text, "manifests/b/rbac/role.yaml": text };
    expect(await markersOf(several)).not.toContain("fleet-bot");
    expect(await markersOf({ "charts/fleet/rbac/role.yaml": text })).not.toContain("fleet-bot");
  });
});
