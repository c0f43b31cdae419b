import { isMap, type JsonMap, mapAt, type Manifest } from "../manifest.ts";
import { entriesOf, type Kustomization } from "./kustomization.ts";
import { type Resource, visit } from "./resource.ts";

/** Adds the labels of a kustomization, to selectors and templates too where it says so. */
export function addLabels(kustomization: Kustomization, resources: readonly Resource[]): void {
  for (const entry of entriesOf(kustomization, "labels")) {
    const withSelectors = mapAt(entry)["includeSelectors"] === true;
    const withTemplates = withSelectors || mapAt(entry)["includeTemplates"] === true;
    add(resources, mapAt(entry, "pairs"), { withSelectors, withTemplates });
  }
  add(resources, mapAt(kustomization.content, "commonLabels"), { withSelectors: true, withTemplates: true });
}

function add(
  resources: readonly Resource[],
  pairs: JsonMap,
  { withSelectors, withTemplates }: { readonly withSelectors: boolean; readonly withTemplates: boolean },
): void {
  if (Object.keys(pairs).length === 0) return;
  for (const { manifest } of resources) {
    manifest.metadata["labels"] = { ...mapAt(manifest.metadata, "labels"), ...pairs };
    if (withTemplates) forTemplates(manifest, "labels", pairs);
    if (withSelectors) forSelectors(manifest, pairs);
  }
}

/** Adds the annotations of a kustomization, to templates too. */
export function addAnnotations({ content }: Kustomization, resources: readonly Resource[]): void {
  const pairs = mapAt(content, "commonAnnotations");
  if (Object.keys(pairs).length === 0) return;
  for (const { manifest } of resources) {
    manifest.metadata["annotations"] = { ...mapAt(manifest.metadata, "annotations"), ...pairs };
    forTemplates(manifest, "annotations", pairs);
  }
}

const WORKLOADS = new Set(["Deployment", "ReplicaSet", "DaemonSet", "StatefulSet", "Job"]);

function forTemplates(manifest: Manifest, field: string, pairs: JsonMap): void {
  if (!WORKLOADS.has(manifest.kind)) return;
  const template = mapAt(manifest, "spec", "template");
  const metadata = mapAt(template, "metadata");
  template["metadata"] = { ...metadata, [field]: { ...mapAt(metadata, field), ...pairs } };
}

function forSelectors(manifest: Manifest, pairs: JsonMap): void {
  const addTo = (holder: JsonMap, key: string): void => void (holder[key] = { ...mapAt(holder, key), ...pairs });
  if (manifest.kind === "Service") visit(manifest, ["spec", "selector"], addTo);
  if (WORKLOADS.has(manifest.kind) && manifest.kind !== "Job" && isMap(manifest["spec"])) {
    const selector = mapAt(manifest, "spec", "selector");
    manifest["spec"]["selector"] = { ...selector, matchLabels: { ...mapAt(selector, "matchLabels"), ...pairs } };
  }
  if (manifest.kind === "NetworkPolicy") visit(manifest, ["spec", "podSelector", "matchLabels"], addTo);
}
