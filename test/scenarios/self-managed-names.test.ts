import path from "node:path";

import { describe, expect, it } from "vitest";

import { HELM, render } from "../../plugins/helm/test/rendering.ts";
import { buildKustomization } from "../../src/kustomize/build.ts";
import { asText, listAt, type Manifest, nameOf, namespaceOf, textAt } from "../../src/kustomize/manifest.ts";
import { CREATE_API, CREATE_WEBHOOK, INIT, runCommands } from "../support/run-command.ts";
import { readFiles, temporaryFolder } from "../support/temporary-folder.ts";

const SELF_MANAGED = `${INIT} --certificates self-managed`;
const SECOND_VERSION = `${CREATE_API.replace("--version v1", "--version v2")} --controller=false`;
const CONVERSION = "create webhook --group webapp --version v1 --kind Guestbook --conversion --spoke v2 --make=false";
const POD = "create webhook --group core --version v1 --kind Pod --make=false";

const PROJECTS: readonly (readonly [string, readonly string[]])[] = [
  ["validating webhooks alone", [`${POD} --programmatic-validation`, "manifests"]],
  ["defaulting webhooks alone", [`${POD} --defaulting`, "manifests"]],
  ["conversions alone", [CREATE_API, SECOND_VERSION, CONVERSION, "manifests"]],
  ["webhooks of each type", [CREATE_API, SECOND_VERSION, CREATE_WEBHOOK, CONVERSION, "manifests"]],
  ["a manager of one namespace", ["edit --namespaced", CREATE_API, CREATE_WEBHOOK, "manifests"]],
];

async function filesOf(...lines: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const root = temporaryFolder();
  await runCommands(root, SELF_MANAGED, ...lines);
  return readFiles(root);
}

function build(files: Readonly<Record<string, string>>): readonly Manifest[] {
  return buildKustomization((file) => files[file], "config/default");
}

function container(objects: readonly Manifest[]): Manifest {
  const [first] = listAt(
    objects.find(({ kind }) => kind === "Deployment"),
    "spec",
    "template",
    "spec",
    "containers",
  );
  return first as unknown as Manifest;
}

function variables(objects: readonly Manifest[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    listAt(container(objects), "env").map((each) => [textAt(each, "name"), textAt(each, "value")]),
  );
}

const KIND_OF: Readonly<Record<string, string>> = {
  CERTIFICATES_SECRET: "Secret",
  WEBHOOK_SERVICE: "Service",
  METRICS_SERVICE: "Service",
  VALIDATING_WEBHOOK_CONFIGURATION: "ValidatingWebhookConfiguration",
  MUTATING_WEBHOOK_CONFIGURATION: "MutatingWebhookConfiguration",
  secrets: "Secret",
  validatingwebhookconfigurations: "ValidatingWebhookConfiguration",
  mutatingwebhookconfigurations: "MutatingWebhookConfiguration",
  customresourcedefinitions: "CustomResourceDefinition",
};

// `Kind name` of each object that the manager's variables, and the permissions with names, are about.
function named(objects: readonly Manifest[]): readonly string[] {
  const inVariables = Object.entries(variables(objects)).flatMap(([name, value]) =>
    KIND_OF[name] === undefined ? [] : [`${KIND_OF[name]} ${value}`],
  );
  const rules = objects.filter(({ kind }) => kind.endsWith("Role")).flatMap((each) => listAt(each, "rules"));
  const inRules = rules.flatMap((rule) =>
    listAt(rule, "resources").flatMap((resource) =>
      listAt(rule, "resourceNames").map((name) => `${KIND_OF[asText(resource)] ?? ""} ${asText(name)}`),
    ),
  );
  return [...new Set([...inVariables, ...inRules])].toSorted();
}

function expectNamesOfObjects(objects: readonly Manifest[]): void {
  const existing = objects.map((each) => `${each.kind} ${nameOf(each)}`);
  const names = named(objects);
  expect(names.filter((each) => !existing.includes(each))).toEqual([]);
  // Everything that has a CA bundle is named, too.
  const bundled = objects.filter(
    (each) =>
      each.kind.endsWith("WebhookConfiguration") ||
      (each.kind === "CustomResourceDefinition" && textAt(each, "spec", "conversion", "strategy") === "Webhook"),
  );
  expect(bundled.length).toBeGreaterThan(0);
  expect(names).toEqual(expect.arrayContaining(bundled.map((each) => `${each.kind} ${nameOf(each)}`)));
  expect(names.filter((each) => each.startsWith("Secret "))).toHaveLength(1);
}

// The permissions of the manager are those that are bound to its account.
function boundRoles(objects: readonly Manifest[]): readonly string[] {
  return objects
    .filter(({ kind }) => kind.endsWith("RoleBinding"))
    .map((each) => `${textAt(each, "roleRef", "kind")} ${textAt(each, "roleRef", "name")}`);
}

describe("the names in a project with self-managed certificates", () => {
  it.each(PROJECTS)("are those of its objects, with %s", async (_, lines) => {
    const objects = build(await filesOf(...lines));
    expectNamesOfObjects(objects);
    for (const kind of ["Role", "ClusterRole"]) {
      const roles = objects.filter((each) => each.kind === kind && nameOf(each).includes("certificates"));
      expect(roles).toHaveLength(1);
      expect(boundRoles(objects)).toContain(`${kind} ${nameOf(roles[0] as Manifest)}`);
    }
    expect(JSON.stringify(objects)).not.toContain("cert-manager");
  });

  it("grants nothing on other Secrets and on other objects with a CA bundle", async () => {
    const objects = build(await filesOf(...(PROJECTS[3]?.[1] ?? [])));
    const rules = objects.filter(({ kind }) => kind.endsWith("Role")).flatMap((each) => listAt(each, "rules"));
    const limited = rules.filter((rule) =>
      listAt(rule, "resources").some((each) => asText(each) in KIND_OF || each === "*"),
    );
    expect(limited).toHaveLength(4);
    for (const rule of limited) {
      expect(listAt(rule, "resourceNames")).toHaveLength(1);
      expect(listAt(rule, "verbs")).not.toContain("create");
    }
  });

  it("are different in two installations, but for those of definitions", async () => {
    const files = await filesOf(...(PROJECTS[3]?.[1] ?? []));
    const other = {
      ...files,
      "config/default/kustomization.yaml": (files["config/default/kustomization.yaml"] ?? "")
        .replace("namespace: guestbook-system", "namespace: second-system")
        .replace("namePrefix: guestbook-", "namePrefix: second-"),
    };
    const [first, second] = [build(files), build(other)];
    expectNamesOfObjects(second);
    const shared = named(first).filter((each) => named(second).includes(each));
    expect(shared).toEqual(["CustomResourceDefinition guestbooks.webapp.demo"]);
  });

  it("are the same with a prefix and a suffix that a user adds above config/default", async () => {
    const files = await filesOf(...(PROJECTS[3]?.[1] ?? []));
    const overlay = {
      "config/overlay/kustomization.yaml": "namePrefix: a-\nnameSuffix: -z\nresources: [../default]\n",
    };
    const objects = buildKustomization((file) => ({ ...files, ...overlay })[file], "config/overlay");
    expectNamesOfObjects(objects);
    expect(named(objects)).toContain("Secret a-guestbook-webhook-certificates-z");
  });
});

// Needs the helm that `node scripts/pinned-go-tool.mjs helm` builds.
describe.skipIf(HELM === undefined)("the chart of a project with self-managed certificates", () => {
  async function chart(): Promise<string> {
    const root = temporaryFolder();
    await runCommands(root, SELF_MANAGED, ...(PROJECTS[3]?.[1] ?? []), "edit --plugins=helm/v2-alpha --make=false");
    return path.join(root, "dist", "chart");
  }

  it("names the objects of the release, whatever its name", async () => {
    const folder = await chart();
    const releases = await Promise.all(
      [
        { release: "guestbook", namespace: "guestbook-system" },
        { release: "second", namespace: "second-system" },
        { release: "third", namespace: "third-system", set: ["fullnameOverride=short", "serviceAccount.name=mine"] },
      ].map(async (each) => await render(folder, each)),
    );
    for (const { status, output, objects } of releases) {
      expect({ status, output: status === 0 ? "" : output }).toEqual({ status: 0, output: "" });
      expectNamesOfObjects(objects);
      expect(JSON.stringify(objects)).not.toContain("caBundle");
    }
    const [first, second] = releases.map(({ objects }) => named(objects));
    expect(first?.filter((each) => second?.includes(each))).toEqual([
      "CustomResourceDefinition guestbooks.webapp.demo",
    ]);
  });

  it("has nothing of certificates without webhooks", async () => {
    const { objects } = await render(await chart(), { set: ["webhook.enabled=false"] });
    expect(Object.keys(variables(objects))).toEqual(["ENABLE_WEBHOOKS"]);
    expect(objects.filter((each) => nameOf(each).includes("certificates"))).toEqual([]);
  });

  it("names no Service of metrics without metrics, and lets variables be overridden", async () => {
    const { objects } = await render(await chart(), {
      set: ["metrics.enabled=false", "manager.envOverrides.CERTIFICATES_SECRET=mine"],
    });
    expect(variables(objects)).not.toHaveProperty("METRICS_SERVICE");
    expect(variables(objects)).toMatchObject({ CERTIFICATES_SECRET: "mine" });
  });

  it("keeps permissions for objects of the cluster in a ClusterRole", async () => {
    const { objects } = await render(await chart(), { set: ["rbac.namespaced=true"] });
    const [role] = objects.filter((each) => nameOf(each).endsWith("certificates-injector-role"));
    expect(role?.kind).toBe("ClusterRole");
    expect(namespaceOf(role as Manifest)).toBe("");
  });
});
