// Builds what a Go project and the project that was imported from it deploy, and applies it to embedded servers.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/**
 * Returns the objects that the original deploys: those of its kustomization, as kubectl builds it, and its CRDs if that has none.
 *
 * Throws an error with kubectl's reason if the kustomization cannot be built.
 */
export async function originalOf(folder, { base, crds }) {
  const { resolveAsset } = await import("@kubescaffold/envtest");
  const { readYamlDocuments } = await import("@kubescaffold/k8s/yaml");
  const kubectl = await resolveAsset("kubectl").catch(() => "kubectl");
  const place = path.join(folder, base);
  const { status, stdout, stderr } = spawnSync(kubectl, ["kustomize", place], { encoding: "utf8", maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`kubectl cannot build ${place}: ${stderr}`);
  const objects = readYamlDocuments(stdout, { file: place });
  const hasDefinitions = objects.some(({ kind }) => kind === "CustomResourceDefinition");
  return hasDefinitions ? objects : [...objects, ...(await definitionsBelow(folder, crds))];
}

async function definitionsBelow(folder, crds) {
  const { readYamlDocuments } = await import("@kubescaffold/k8s/yaml");
  const { findManifests } = await import("../../src/go-project/manifest-places.ts");
  const paths = readdirSync(folder, { recursive: true }).map((each) => each.split(path.sep).join("/"));
  const places = findManifests({ paths, ...(crds === undefined ? {} : { crds: `${crds}/` }) });
  return paths
    .filter((each) => each.startsWith(places.crds) && /\.ya?ml$/u.test(each))
    .flatMap((file) => readYamlDocuments(readFileSync(path.join(folder, file), "utf8"), { file }))
    .filter((each) => each?.kind === "CustomResourceDefinition");
}

/** Returns the objects of `config/default` of a project of this repository's. */
export async function builtOf(project) {
  const { buildKustomization } = await import("../../src/kustomize/build.ts");
  return buildKustomization((file) => textOf(path.join(project, file)), "config/default");
}

// kustomizations refer to folders, too.
function textOf(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

// Objects of cert-manager and of Prometheus need definitions that neither project has.
const BUILT_IN = /^(?:v1|[a-z]+\/v\w+|(?:[\w.-]+\.)?k8s\.io\/v\w+)$/u;

/** Applies objects to a new server; returns what it stores, and what it refuses. */
export async function deploy(objects) {
  const { Environment } = await import("@kubescaffold/envtest");
  const { createClient } = await import("@kubescaffold/runtime");
  const environment = new Environment({});
  try {
    const client = createClient(await environment.start());
    /** @type {any[]} */
    const stored = [];
    /** @type {string[]} */
    const refused = [];
    const placed = objects.filter(({ apiVersion }) => BUILT_IN.test(apiVersion)).map((each) => withNamespace(each));
    for (const object of [...missingNamespaces(placed), ...inOrder(placed)]) {
      try {
        stored.push(await client.create(structuredClone(object)));
      } catch (error) {
        refused.push(`${object.kind} ${object.metadata.name}: ${error.message}`);
      }
    }
    return { stored, refused };
  } finally {
    await environment.stop();
  }
}

const FIRST = ["Namespace", "CustomResourceDefinition"];

// Webhooks come last: nothing serves them here.
function inOrder(objects) {
  const rank = ({ kind }) =>
    kind.endsWith("WebhookConfiguration")
      ? FIRST.length + 1
      : FIRST.includes(kind)
        ? FIRST.indexOf(kind)
        : FIRST.length;
  return objects.toSorted((one, other) => rank(one) - rank(other));
}

const NAMESPACED = new Set([
  "ConfigMap",
  "Deployment",
  "NetworkPolicy",
  "Role",
  "RoleBinding",
  "Secret",
  "Service",
  "ServiceAccount",
]);

// Kustomizations may leave the namespace to kubectl.
function withNamespace(object) {
  if (!NAMESPACED.has(object.kind) || object.metadata.namespace !== undefined) return object;
  return { ...object, metadata: { ...object.metadata, namespace: "default" } };
}

// Kustomizations may expect a namespace that exists.
function missingNamespaces(objects) {
  const known = new Set(objects.filter(({ kind }) => kind === "Namespace").map(({ metadata }) => metadata.name));
  const used = new Set(objects.filter(({ kind }) => NAMESPACED.has(kind)).map(({ metadata }) => metadata.namespace));
  return [...used]
    .filter((name) => !known.has(name) && !["default", "kube-system"].includes(name))
    .map((name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } }));
}
