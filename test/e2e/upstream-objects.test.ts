import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

import { resolveAsset } from "@kubescaffold/envtest";
import { readYamlDocuments } from "@kubescaffold/k8s/yaml";
import { describe, expect, it } from "vitest";

import { temporaryFolder } from "../support/temporary-folder.ts";
import { goldenProjects, projectForm } from "./golden-projects.ts";
import { withEverythingOn } from "./with-everything-on.ts";

interface Manifest {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: unknown;
  readonly rules?: unknown;
}

interface PolicyRule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

interface Facts {
  readonly commit: string;
  readonly projects: Readonly<
    Record<string, { readonly asScaffolded: readonly Manifest[]; readonly withAllOptions: readonly Manifest[] }>
  >;
}

const FACTS = JSON.parse(readFileSync(new URL("../golden/upstream-facts.json", import.meta.url), "utf8")) as Facts;
const PAGE = readFileSync(new URL("../../docs/verification/kubebuilder-differences.md", import.meta.url), "utf8");
const ROWS = [...PAGE.matchAll(/^\| `([a-z0-9-]+)` \|/gmu)].map(([, row = ""]) => row);
const kubectl = await resolveAsset("kubectl").catch(() => undefined);

// What a row of docs/verification/kubebuilder-differences.md makes of an object of upstream's; it changes the copy that it is given.
const DIFFERENCES: Readonly<Record<string, (manifest: Manifest) => void>> = {
  "manager-command": (manifest) => {
    for (const container of containersOf(manifest)) delete container["command"];
  },
  "manager-memory": (manifest) => {
    for (const container of containersOf(manifest)) {
      const resources = container["resources"] as Record<"limits" | "requests", { memory: string }>;
      resources.limits.memory = "512Mi";
      resources.requests.memory = "128Mi";
    }
  },
  "webhook-traffic": (manifest) => {
    if (!manifest.metadata.name.endsWith("-allow-webhook-traffic")) return;
    (manifest.spec as { ingress: unknown }).ingress = [{ ports: [{ port: 9443, protocol: "TCP" }] }];
  },
  "deploy-image-scale": (manifest) => {
    for (const { subresources } of deployedVersions(manifest)) subresources.scale = SCALE;
  },
  "deploy-image-columns": (manifest) => {
    for (const version of deployedVersions(manifest)) version.additionalPrinterColumns = COLUMNS;
  },
  "deploy-image-rules": (manifest) => {
    const rules = RULES[manifest.metadata.name];
    if (rules === undefined) return;
    const unneeded = new Set([
      ...rules.unneeded,
      ...rules.kinds.flatMap((kind) => [
        ...["create", "delete", "patch", "update"].map((verb) => `${kind}: ${verb}`),
        ...["get", "update"].map((verb) => `${kind.replace(".", "/status.")}: ${verb}`),
      ]),
    ]);
    const copy = manifest as { rules: unknown };
    const kept = permissionsOf(manifest).filter((permission) => !unneeded.has(permission));
    copy.rules = [...kept, ...rules.needed].toSorted();
  },
  "deploy-image-variable": (manifest) => {
    for (const { env = [] } of containersOf(manifest) as readonly {
      readonly env?: readonly { name: string; readonly value?: string }[];
    }[]) {
      for (const variable of env) {
        if (variable.name !== "BUOY_IMAGE") continue;
        variable.name = variable.value?.startsWith("busybox:") === true ? "FIZ_BUOY_IMAGE" : "CREW_BUOY_IMAGE";
      }
    }
  },
  "scope-variables": (manifest) => {
    if (manifest.metadata.name !== "lagoon-controller-manager") return;
    for (const container of containersOf(manifest)) {
      const env = container["env"] as { readonly name: string; readonly value?: string }[];
      env.push({ name: "MEMCACHED_IMAGE", value: "memcached:1.6.26-alpine3.19" });
    }
  },
  "multigroup-roles": (manifest) => {
    const { metadata } = manifest as { readonly metadata: { name: string } };
    metadata.name = metadata.name.replace(/^fleet-captain-/u, "fleet-crew-captain-");
  },
};

const READ_PODS = ["get", "list", "watch"].map((verb) => `pods: ${verb}`);
const WRITE_SERVICES = ["create", "get", "list", "update", "watch"].map((verb) => `services: ${verb}`);

// The roles of managers with kinds of the plugin deploy-image. Another controller of fleet has all permissions for Deployments.
const RULES: Readonly<
  Record<string, Readonly<Record<"kinds" | "unneeded" | "needed", readonly string[]>> | undefined>
> = {
  "lagoon-manager-role": {
    kinds: ["memcacheds.reef.example.com", "busyboxes.reef.example.com"],
    unneeded: [...READ_PODS, "deployments.apps: delete", "deployments.apps: patch"],
    needed: WRITE_SERVICES,
  },
  "fleet-manager-role": {
    kinds: ["buoys.crew.example.com", "buoys.fiz.example.com"],
    unneeded: READ_PODS,
    needed: WRITE_SERVICES,
  },
};
const DEPLOYED = new Set(Object.values(RULES).flatMap((rules) => rules?.kinds ?? []));
const COLUMNS = [
  { jsonPath: ".spec.size", name: "Size", type: "integer" },
  { jsonPath: ".status.conditions[?(@.type=='Available')].status", name: "Available", type: "string" },
  { jsonPath: ".metadata.creationTimestamp", name: "Age", type: "date" },
];
const SCALE = {
  labelSelectorPath: ".status.selector",
  specReplicasPath: ".spec.size",
  statusReplicasPath: ".status.replicas",
};

interface CrdVersion {
  additionalPrinterColumns?: readonly object[];
  readonly subresources: { scale?: object };
}

function deployedVersions(manifest: Manifest): readonly CrdVersion[] {
  return DEPLOYED.has(manifest.metadata.name)
    ? (manifest.spec as { readonly versions: readonly CrdVersion[] }).versions
    : [];
}

function containersOf(manifest: Manifest): readonly Record<string, unknown>[] {
  if (manifest.kind !== "Deployment") return [];
  return (manifest.spec as { template: { spec: { containers: Record<string, unknown>[] } } }).template.spec.containers;
}

// How generators put permissions together into rules has its own tests.
function permissionsOf({ rules }: Manifest): readonly string[] {
  return (rules as readonly (PolicyRule | string)[])
    .flatMap((rule) => (typeof rule === "string" ? [rule] : permissionsOfRule(rule)))
    .toSorted();
}

function permissionsOfRule({
  apiGroups = [],
  resources = [],
  nonResourceURLs = [],
  verbs,
  ...rest
}: PolicyRule): readonly string[] {
  expect(rest).toEqual({});
  const named = apiGroups.flatMap((group) => resources.map((each) => (group === "" ? each : `${each}.${group}`)));
  return [...named, ...nonResourceURLs].flatMap((target) => verbs.map((verb) => `${target}: ${verb}`));
}

function asOurs(upstream: Manifest): Manifest {
  const copy = factsOf(upstream);
  for (const differ of Object.values(DIFFERENCES)) differ(copy);
  return factsOf(copy);
}

// The facts have no schemas, which generators write, and no version of the generator. The order of variables and of rules means nothing.
function factsOf(original: Manifest): Manifest {
  const manifest = structuredClone(original);
  for (const container of containersOf(manifest)) {
    const { env } = container as { readonly env?: { readonly name: string }[] };
    env?.sort((left, right) => (left.name < right.name ? -1 : 1));
  }
  const { annotations: { "kubescaffold.dev/version": _version, ...annotations } = {}, ...metadata } = manifest.metadata;
  const kept = Object.keys(annotations).length === 0 ? metadata : { ...metadata, annotations };
  if (manifest.rules !== undefined) return { ...manifest, metadata: kept, rules: permissionsOf(manifest) };
  if (manifest.kind !== "CustomResourceDefinition") return { ...manifest, metadata: kept };
  const { versions, ...spec } = manifest.spec as { readonly versions: readonly Readonly<Record<string, unknown>>[] };
  const bare = versions.map(({ schema: _schema, ...version }) => version);
  return { ...manifest, metadata: kept, spec: { ...spec, versions: bare } };
}

function keyOf({ kind, metadata: { namespace = "", name } }: Manifest): string {
  return `${kind} ${namespace}/${name}`;
}

function build(files: Readonly<Record<string, string>>): Readonly<Record<string, Manifest>> {
  const root = temporaryFolder(files);
  const built = spawnSync(kubectl ?? "kubectl", ["kustomize", path.join(root, "config", "default")], {
    encoding: "utf8",
    env: { ...process.env, HOME: root },
  });
  expect(built).toMatchObject({ status: 0, stderr: "" });
  const manifests = readYamlDocuments(built.stdout, { file: "built" }) as unknown as readonly Manifest[];
  return byKey(manifests.map((manifest) => factsOf(manifest)));
}

function byKey(manifests: readonly Manifest[]): Readonly<Record<string, Manifest>> {
  return Object.fromEntries(manifests.map((manifest) => [keyOf(manifest), manifest]));
}

describe("the table of differences", () => {
  it("has a row for each that is accepted, and each changes an object", () => {
    expect(Object.keys(DIFFERENCES)).toEqual(ROWS);
    const objects = Object.values(FACTS.projects).flatMap(({ asScaffolded, withAllOptions }) => [
      ...asScaffolded,
      ...withAllOptions,
    ]);
    for (const differ of Object.values(DIFFERENCES)) {
      const changed = objects.filter((object) => {
        const copy = structuredClone(object);
        differ(copy);
        return JSON.stringify(copy) !== JSON.stringify(object);
      });
      expect(changed.length).toBeGreaterThan(0);
    }
  });

  it("names the commit that the facts are of", () => {
    expect(FACTS.commit).toMatch(/^[0-9a-f]{40}$/u);
    expect(PAGE).toContain(FACTS.commit.slice(0, 8));
  });
});

// Kubebuilder has no certificates without cert-manager.
const COMPARED = goldenProjects().filter(({ name }) => name !== "self-managed");

// Needs the kubectl of the control plane that `npm run test:control-plane` builds.
describe.skipIf(kubectl === undefined).each(COMPARED)("kubectl kustomize of $name", (project) => {
  const { asScaffolded = [], withAllOptions = [] } = FACTS.projects[project.name] ?? {};
  const files = projectForm(project);

  it("builds what kubebuilder's project builds", () => {
    expect(build(files)).toEqual(byKey(asScaffolded.map((manifest) => asOurs(manifest))));
  });

  it("builds what kubebuilder's project builds with everything switched on", () => {
    const expected = { ...byKey(asScaffolded), ...byKey(withAllOptions) };
    expect(build(withEverythingOn(files))).toEqual(byKey(Object.values(expected).map((manifest) => asOurs(manifest))));
  });
});
