import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

import { resolveAsset } from "@kubescaffold/envtest";
import { readYamlDocuments } from "@kubescaffold/k8s/yaml";
import { describe, expect, it } from "vitest";

import { CREATE_API, CREATE_WEBHOOK, INIT, runCommands } from "../../../test/support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../../../test/support/temporary-folder.ts";

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: unknown };
  readonly [field: string]: unknown;
}

// What kubebuilder makes of the same three commands with everything switched on, built by kustomize: facts to compare with. CRD, role and webhook
// configurations are omitted, since generators write them.
const UPSTREAM = JSON.parse(
  readFileSync(new URL("recorded/upstream-objects.json", import.meta.url), "utf8"),
) as readonly Manifest[];
const GENERATED = new Set([
  "CustomResourceDefinition",
  "MutatingWebhookConfiguration",
  "ValidatingWebhookConfiguration",
]);
const kubectl = await resolveAsset("kubectl").catch(() => undefined);

const DEFAULT = "config/default/kustomization.yaml";
const OPTIONS: Readonly<Record<string, (files: Readonly<Record<string, string>>) => Readonly<Record<string, string>>>> =
  {
    prometheus: (files) => edited(files, DEFAULT, "#- ../prometheus"),
    "network policies": (files) => edited(files, DEFAULT, "#- ../network-policy"),
    "metrics with certificates": (files) => ({
      [DEFAULT]: metricsCertificates(files[DEFAULT] ?? ""),
    }),
    "prometheus with certificates": (files) => ({
      "config/prometheus/kustomization.yaml": (files["config/prometheus/kustomization.yaml"] ?? "").replaceAll(
        /^#(?=patches| {2})/gmu,
        "",
      ),
    }),
  };

function edited(files: Readonly<Record<string, string>>, file: string, line: string): Readonly<Record<string, string>> {
  return { [file]: (files[file] ?? "").replace(line, line.slice(1)) };
}

// The patch, and the blocks below the two headings.
function metricsCertificates(text: string): string {
  let isOn = false;
  return text
    .split("\n")
    .map((line) => {
      if (line.startsWith("# [METRICS-WITH-CERTS]")) isOn = true;
      else if (!/^#(?:- | {2})/u.test(line)) isOn = false;
      return isOn && /^#(?:- | {2})/u.test(line) ? line.slice(1) : line.replace(/^#replacements:/u, "replacements:");
    })
    .join("\n");
}

async function project(options: readonly string[], ...lines: readonly string[]): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, INIT, ...lines);
  for (const option of options) writeFiles(root, OPTIONS[option]?.(readFiles(root)) ?? {});
  return root;
}

function build(root: string): readonly Manifest[] {
  const { stdout, stderr, status } = spawnSync(
    kubectl ?? "kubectl",
    ["kustomize", path.join(root, "config", "default")],
    { encoding: "utf8" },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return readYamlDocuments(stdout, { file: "built" }) as unknown as readonly Manifest[];
}

function keyOf({ kind, metadata }: Manifest): string {
  return `${kind}/${metadata.name}`;
}

// Where ours differ on purpose: the image's own entry point starts the manager, Node needs more memory, and traffic to webhooks comes from the API
// server, which has no namespace, to the Pod's port.
function withoutAccepted(manifest: Manifest): Manifest {
  if (keyOf(manifest) === "NetworkPolicy/guestbook-allow-webhook-traffic")
    return { ...manifest, spec: { ...(manifest["spec"] as object), ingress: [] } };
  if (manifest.kind !== "Deployment") return manifest;
  const copy = structuredClone(manifest) as {
    spec: { template: { spec: { containers: Record<string, unknown>[] } } };
  } & Manifest;
  for (const container of copy.spec.template.spec.containers) {
    delete container["command"];
    delete container["resources"];
  }
  return copy;
}

const isWritten = (manifest: Manifest): boolean =>
  !GENERATED.has(manifest.kind) && keyOf(manifest) !== "ClusterRole/guestbook-manager-role";
const FULL = ["manifests"];
const WITH_WEBHOOKS = [CREATE_API, CREATE_WEBHOOK, ...FULL];

describe("the manifests as they are written", () => {
  it("are upstream's, object by object, apart from what patches and replacements do to them", async () => {
    const root = await project([], CREATE_API, CREATE_WEBHOOK);
    const written = Object.entries(readFiles(root))
      .filter(([name]) => /^config\/.*\.yaml$/u.test(name) && !/kustomiz|_patch\.yaml$|samples/u.test(name))
      .flatMap(([file, text]) => readYamlDocuments(text, { file }) as unknown as readonly Manifest[])
      .filter((manifest) => keyOf(manifest) !== "ClusterRole/manager-role");
    const upstream = new Map(UPSTREAM.map((manifest) => [keyOf(manifest), manifest]));
    expect(written.map((manifest) => builtKey(manifest)).toSorted()).toEqual([...upstream.keys()].toSorted());
    const facts = written.map((manifest) => upstream.get(builtKey(manifest)));
    expect(written.map((manifest) => manifest.metadata.labels)).toEqual(facts.map((fact) => fact?.metadata.labels));
    const isPlain = (manifest: Manifest | undefined): boolean =>
      ["Role", "ClusterRole", "Service"].includes(manifest?.kind ?? "");
    const content = (manifest: Manifest | undefined): unknown => [
      manifest?.kind,
      manifest?.["rules"],
      manifest?.["spec"],
    ];
    expect(written.filter(isPlain).map(content)).toEqual(facts.filter(isPlain).map(content));
  });

  it("have blocks that every command finds in them", async () => {
    const text = readFiles(await project([], CREATE_API, CREATE_WEBHOOK))[DEFAULT] ?? "";
    const [document] = readYamlDocuments(text, { file: DEFAULT }) as unknown as readonly {
      readonly resources: unknown;
      readonly replacements: readonly unknown[];
    }[];
    expect(document?.resources).toEqual([
      "../crd",
      "../rbac",
      "../manager",
      "../webhook",
      "../certmanager",
      "metrics_service.yaml",
    ]);
    expect(document?.replacements).toHaveLength(6);
  });
});

// Needs the kubectl of the control plane that `npm run test:control-plane` builds.
describe.skipIf(kubectl === undefined)("kubectl kustomize config/default", () => {
  it.each([
    ["nothing but init", [], []],
    ["an API", [], [CREATE_API, ...FULL]],
    ["webhooks", [], WITH_WEBHOOKS],
    ["webhooks and prometheus", ["prometheus"], WITH_WEBHOOKS],
    ["network policies without webhooks", ["network policies"], [CREATE_API, ...FULL]],
    ["webhooks and network policies", ["network policies"], WITH_WEBHOOKS],
    ["everything", Object.keys(OPTIONS), WITH_WEBHOOKS],
  ] as const)("builds with %s, and every object is upstream's", async (_, options, lines) => {
    const built = build(await project(options, ...lines)).filter(isWritten);
    const upstream = new Map(UPSTREAM.map((manifest) => [keyOf(manifest), withoutAccepted(manifest)]));
    const isComplete = options.length === Object.keys(OPTIONS).length;
    // Only with everything switched on are arguments, ports and names of the rest what the facts say.
    const compared = built.filter((manifest) => isComplete || SIMPLE_KINDS.has(manifest.kind));
    expect(compared.map(withoutAccepted)).toEqual(compared.map((manifest) => upstream.get(keyOf(manifest))));
    expect(built.filter((manifest) => !upstream.has(keyOf(manifest)))).toEqual([]);
    expect(isComplete ? built.length : UPSTREAM.length).toBe(UPSTREAM.length);
  });
});

const SIMPLE_KINDS = new Set(["Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding", "Service", "ServiceAccount"]);

function builtKey({ kind, metadata }: Manifest): string {
  return kind === "Namespace" ? `Namespace/guestbook-${metadata.name}` : `${kind}/guestbook-${metadata.name}`;
}
