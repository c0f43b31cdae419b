// Parts of Go projects that PROJECT lists otherwise than the manifests and the code have them, or not at all.
import path from "node:path";

import { readYaml } from "@kubescaffold/k8s/yaml";
import { describe, expect, it } from "vitest";

import { configuration, crd, ownRules, role, SIZE, webhook } from "../support/go-projects.ts";
import { runCommands } from "../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../support/temporary-folder.ts";
import { typeCheck } from "../support/type-check.ts";

type Files = Readonly<Record<string, string>>;

interface Imported {
  readonly made: Files;
  readonly resources: readonly Readonly<Record<string, unknown>>[];
  readonly page: string;
}

async function imported(go: Files): Promise<Imported> {
  const root = temporaryFolder();
  writeFiles(root, Object.fromEntries(Object.entries(go).map(([file, text]) => [`fleet/${file}`, text])));
  await runCommands(root, "import project fleet --output-dir ts --skip-install");
  const made = readFiles(path.join(root, "ts"));
  const project = readYaml(made["PROJECT"] ?? "") as { readonly resources?: Imported["resources"] };
  return { made, resources: project.resources ?? [], page: made["MIGRATION.md"] ?? "" };
}

function projectWith(resources: readonly string[], { domain = "sea.io", extra = "" } = {}): string {
  const listed = resources.map((each) => `- ${each}\n`).join("");
  return `domain: ${domain}\nlayout:\n- go.kubebuilder.io/v4\n${extra}projectName: fleet\nrepo: example.com/fleet\nresources:\n${listed}version: "3"\n`;
}

const api = (group: string, kind: string, more = ""): string =>
  `{api: {crdVersion: v1, namespaced: true}, domain: sea.io, group: ${group}, kind: ${kind}, version: v1${more}}`;

const definition = (group: string, kind: string, versions: Record<string, string> = { v1: SIZE }): Files => {
  const plural = `${kind.toLowerCase()}s`;
  return { [`config/crd/bases/${group}_${plural}.yaml`]: crd({ group, kind, plural, versions }) };
};

describe("two API groups in one folder of a Go project", () => {
  it("get a folder each, with their own group", async () => {
    const { made, resources, page } = await imported({
      PROJECT: projectWith([api("crew", "Captain", ", controller: true"), api("dock", "Pier", ", controller: true")]),
      ...definition("crew.sea.io", "Captain"),
      ...definition("dock.sea.io", "Pier"),
      "config/rbac/role.yaml": role(ownRules("crew.sea.io", ["captains"])),
    });
    expect(readYaml(made["PROJECT"] ?? "")).toMatchObject({ multigroup: true });
    expect(resources.map((each) => each["path"])).toEqual(["fleet/api/crew/v1", "fleet/api/dock/v1"]);
    expect(made["api/crew/v1/groupversion_info.ts"]).toContain("+groupName=crew.sea.io\n");
    expect(made["api/dock/v1/groupversion_info.ts"]).toContain("+groupName=dock.sea.io\n");
    expect(page).toContain("- a folder per group, since crew.sea.io and dock.sea.io have types of the same version: ");
    expect(page).toContain("- 2 of 2 CRD versions match the Go project\n");
    expect(typeCheck(made)).toEqual([]);
  });

  it("get a folder each if only the CRDs say so, or only the domains differ", async () => {
    const { made, page } = await imported({
      PROJECT: projectWith([api("crew", "Captain"), api("crew", "Pier"), api("crew", "Rope")]),
      ...definition("crew.sea.io", "Captain"),
      ...definition("crew.lake.io", "Pier"),
      ...definition("knots.io", "Rope"),
    });
    expect(Object.keys(made).filter((file) => file.endsWith("groupversion_info.ts"))).toEqual([
      "api/crew.lake.io/v1/groupversion_info.ts",
      "api/crew/v1/groupversion_info.ts",
      "api/knots.io/v1/groupversion_info.ts",
    ]);
    expect(page).toContain("- 3 of 3 CRD versions match the Go project\n");
    expect(typeCheck(made)).toEqual([]);
  });

  it("stay together if they are one group", async () => {
    const { made } = await imported({
      PROJECT: projectWith([api("crew", "Captain"), api("crew", "Pier")]),
      ...definition("crew.sea.io", "Captain"),
      ...definition("crew.sea.io", "Pier"),
    });
    expect(readYaml(made["PROJECT"] ?? "")).not.toHaveProperty("multigroup");
    expect(Object.keys(made)).toContain("api/v1/pier_types.ts");
  });
});

describe("a group that PROJECT records otherwise than the CRDs", () => {
  it.each([
    ["the group is the domain", "{domain: sea.io, group: sea.io, "],
    ["the group is missing", "{domain: sea.io, "],
    ["the domain is in the group, too", "{domain: sea.io, group: sea, "],
    ["the group is another one", "{domain: sea.io, group: ocean, "],
  ])("is that of the CRDs if %s", async (_, start) => {
    const path_ = "/mutate-sea-io-v1-captain";
    const { made, resources, page } = await imported({
      PROJECT: projectWith([
        `${start}api: {crdVersion: v1, namespaced: true}, controller: true, kind: Captain, version: v1, webhooks: {defaulting: true, webhookVersion: v1}}`,
      ]),
      ...definition("sea.io", "Captain"),
      "config/rbac/role.yaml": role(ownRules("sea.io", ["captains"])),
      "config/webhook/manifests.yaml": configuration("mutating", [
        webhook("mcaptain.kb.io", { path: path_, group: "sea.io", resource: "captains" }),
      ]),
    });
    expect(resources).toHaveLength(1);
    expect(Object.keys(made).filter((file) => file.startsWith("config/crd/bases/"))).toEqual([
      "config/crd/bases/sea.io_captains.yaml",
    ]);
    expect(page).toContain("- 1 of 1 CRD versions match the Go project\n");
    expect(page).toContain("- 1 of 1 webhooks match the Go project\n");
    expect(page).not.toContain("the Go project does not have it");
  });
});

describe("kinds that PROJECT does not list", () => {
  it("are listed with their versions and controllers, and installed", async () => {
    const { made, resources, page } = await imported({
      PROJECT: projectWith([api("crew", "Captain", ", controller: true")]),
      ...definition("crew.sea.io", "Captain", { v1: SIZE, v2: SIZE }),
      ...definition("dock.sea.io", "TugBoat"),
      "pkg/controllers/tug_boat_controller.go": "package controllers\n",
      "internal/controller/captain_controller.go": "package controller\n",
    });
    expect(resources).toMatchObject([
      { kind: "Captain", version: "v1", controller: true },
      { kind: "Captain", version: "v2" },
      { kind: "TugBoat", group: "dock", version: "v1", controller: true },
    ]);
    expect(resources[1]).not.toHaveProperty("controller");
    expect(made["config/crd/kustomization.yaml"]).toContain("- bases/dock.sea.io_tugboats.yaml\n");
    expect(page).toContain("- TugBoat v1, which PROJECT does not list: `config/crd/bases/dock.sea.io_tugboats.yaml`");
    expect(page).toContain("- 3 of 3 CRD versions match the Go project\n");
    expect(typeCheck(made)).toEqual([]);
  });

  it("are removed if the code has them no longer, or as the type of a configuration", async () => {
    const go = "package v1\n\ntype Captain struct {\n\tmetav1.TypeMeta\n\tmetav1.ObjectMeta\n}\n";
    const config = "package v1\n\ntype Config struct {\n\tmetav1.TypeMeta\n\tSize int\n}\n";
    const { resources, page } = await imported({
      PROJECT: projectWith([api("crew", "Captain"), api("crew", "Config"), api("crew", "Ghost")]),
      ...definition("crew.sea.io", "Captain"),
      "api/v1/captain_types.go": go,
      "api/v1/config_types.go": config,
    });
    expect(resources.map((each) => each["kind"])).toEqual(["Captain"]);
    expect(page).toContain("- no API Config v1: its type has no metadata: `api/v1/config_types.go`");
    expect(page).toContain("- no API Ghost v1: no type of its version has this name: `api/v1/captain_types.go`");
  });
});

const MANIFESTS = "config/webhook/manifests.yaml";

describe("webhooks that PROJECT does not list", () => {
  const pods = webhook("pods.kb.io", { path: "/mutate--v1-pod", group: "", resource: "pods" });

  it("are scaffolded for kinds of the project and of Kubernetes, with their paths", async () => {
    const { made, resources, page } = await imported({
      PROJECT: projectWith([api("crew", "Captain")]),
      ...definition("crew.sea.io", "Captain"),
      [MANIFESTS]:
        configuration("mutating", [
          webhook("mcaptain.kb.io", { path: "/fill-in", group: "crew.sea.io", resource: "captains" }),
          pods,
        ]) +
        configuration("validating", [
          webhook("every.kb.io", { path: "/validate-all", group: "*", resource: "'*'" }),
          webhook("scale.kb.io", { path: "/validate-scale", group: "apps", resource: "deployments/scale" }),
        ]),
    });
    expect(resources).toMatchObject([
      { kind: "Captain", webhooks: { defaulting: true, defaultingPath: "/fill-in" } },
      { kind: "Pod", core: true, group: "core", webhooks: { defaulting: true } },
    ]);
    expect(made["internal/webhook/v1/pod_webhook.ts"]).toContain("name=pods.kb.io");
    expect(made["cmd/main.ts"]).toContain("setupPodWebhookWithManager");
    expect(page).toContain("- 4 of 4 webhooks match the Go project\n");
    expect(page).toContain("- webhook every.kb.io: PROJECT has no entry for it");
    expect(page).toContain("- webhook scale.kb.io: PROJECT has no entry for it");
    expect(typeCheck(made)).toEqual([]);
  });

  it("are those of the markers in Go files if there are no manifests", async () => {
    const marker =
      "// +kubebuilder:webhook:path=/validate-crew-sea-io-v1-captain,mutating=false,failurePolicy=ignore,sideEffects=None,groups=crew.sea.io,resources=captains,verbs=create;update,versions=v1,name=vcaptain.kb.io,admissionReviewVersions=v1";
    const { made, resources, page } = await imported({
      PROJECT: projectWith([api("crew", "Captain")]),
      ...definition("crew.sea.io", "Captain"),
      "internal/hooks/captain.go": `package hooks\n\n${marker}\nfunc f() {}\n`,
      "internal/hooks/broken.go": "// +kubebuilder:webhook:path=,name=\n// +kubebuilder:webhook:{\n",
    });
    expect(resources).toMatchObject([{ kind: "Captain", webhooks: { validation: true } }]);
    expect(made["internal/webhook/v1/captain_webhook.ts"]).toContain("failurePolicy=ignore");
    expect(made[MANIFESTS]).toContain("name: vcaptain.kb.io\n");
    expect(page).toContain("- validating webhook of Captain v1: `internal/hooks/captain.go`");
    expect(page).toContain("- 1 of 1 webhooks match the Go project\n");
  });

  it("are removed from PROJECT if the manifests have others, but not those", async () => {
    const { made, resources, page } = await imported({
      PROJECT: projectWith([
        api("crew", "Captain", ", webhooks: {defaulting: true, validation: true, webhookVersion: v1}"),
      ]),
      ...definition("crew.sea.io", "Captain"),
      [MANIFESTS]: configuration("mutating", [pods]),
    });
    expect(resources[0]).not.toHaveProperty("webhooks");
    expect(made[MANIFESTS]).not.toContain("captain");
    expect(page).toContain("- no defaulting webhook of Captain v1: the manifests have none: `config/webhook/manifests");
    expect(page).toContain("- 1 of 1 webhooks match the Go project\n");
  });
});

describe("a controller of a kind of Kubernetes", () => {
  it.each([
    ["with its own path", "domain: sea.io, group: core, kind: Pod, path: k8s.io/api/core/v1, version: v1", "core"],
    ["in the domain of the project", "domain: sea.io, group: apps, kind: Deployment, version: v1", "apps"],
    ["in the group of the project", "domain: sea.io, group: crew, kind: Pod, version: v1", "core"],
    ["in a group with a suffix", "domain: sea.io, group: networking, kind: Ingress, version: v1", "networking"],
  ])("%s is one of that kind", async (_, entry, group) => {
    const { made, resources } = await imported({
      PROJECT: projectWith([api("crew", "Captain"), `{controller: true, ${entry}}`]),
      ...definition("crew.sea.io", "Captain"),
    });
    expect(resources[1]).toMatchObject({ core: true, controller: true, group });
    expect(resources[1]).not.toHaveProperty("external");
    expect(typeCheck(made)).toEqual([]);
  });

  it("that PROJECT calls external in the domain of the project has its types where code imports them", async () => {
    const { made } = await imported({
      PROJECT: projectWith([
        api("crew", "Captain"),
        "{controller: true, domain: sea.io, external: true, group: dock, kind: Pier, path: example.com/dock/api/v1, version: v1}",
      ]),
      ...definition("crew.sea.io", "Captain"),
    });
    expect(Object.keys(made)).toContain("api/dock.sea.io/v1/pier_types.ts");
    expect(typeCheck(made)).toEqual([]);
  });
});

describe("controllers with names of their own", () => {
  it("have a file each, and the Go files of any form of their names lead to them", async () => {
    const { made, page } = await imported({
      PROJECT: projectWith([api("crew", "Captain", ", controllers: [{name: captain}, {name: old-rank-controller}]")]),
      ...definition("crew.sea.io", "Captain"),
      "internal/controller/captain_controller.go": "package controller\n",
      "internal/controller/old_rank_controller.go": "package controller\n",
    });
    const file = "internal/controller/old_rank_controller_controller.ts";
    expect(Object.keys(made)).toContain(file);
    expect(page).toContain(`- [ ] \`internal/controller/old_rank_controller.go\` → \`${file}\``);
    expect(typeCheck(made)).toEqual([]);
  });
});
