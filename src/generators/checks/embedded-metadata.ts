import type { SourceLocation } from "../../loader/type-model.ts";
import type { SchemaNode } from "../crd/schema-node.ts";
import { findingOf, versionsOf, type CrdView, type VersionView } from "./crd-view.ts";
import type { Finding } from "./finding.ts";

/**
 * Finds metadata inside objects that servers would empty: without a schema of their own, labels, annotations and names there are pruned.
 *
 * What the sources declare is an error, since the property can hold nothing; inside a built-in struct such as PodTemplateSpec it is a warning.
 */
export function checkEmbeddedMetadata(view: CrdView): readonly Finding[] {
  return versionsOf(view).flatMap((version) => findInVersion(version));
}

function findInVersion({ node, location }: VersionView): readonly Finding[] {
  const findings: Finding[] = [];
  walk(node, { owners: [node.origin ?? location], isWhole: true, name: "", findings });
  return findings;
}

interface MetadataStep {
  /** From the kind down. */
  readonly owners: readonly SourceLocation[];
  /** Whether servers know the metadata of this object. */
  readonly isWhole: boolean;
  /** The name of the nearest property. */
  readonly name: string;
  readonly findings: Finding[];
}

function walk(node: SchemaNode, step: MetadataStep): void {
  const isWhole = step.isWhole || node["x-kubernetes-embedded-resource"] === true;
  const inStruct = structMetadata(node, isWhole);
  if (inStruct !== undefined) step.findings.push(findingForStruct(inStruct, step));
  const { properties, items, additionalProperties } = node;
  for (const name in properties) {
    const child = properties[name] ?? {};
    if (Object.isFrozen(child)) continue;
    if (name !== "metadata" || !isEmptyObject(child))
      walk(child, { ...step, owners: ownersOf(child, step), isWhole: false, name });
    else if (!isWhole && child.origin !== undefined) step.findings.push(findingForMetadata(child, step));
  }
  if (items !== undefined && !Object.isFrozen(items)) walk(items, { ...step, isWhole: false });
  if (typeof additionalProperties === "object" && !Object.isFrozen(additionalProperties))
    walk(additionalProperties, { ...step, isWhole: false });
}

// A use of a struct has its members, which are the struct's own objects; what lies deeper than a template is rarely written.
function structMetadata(node: SchemaNode, isWhole: boolean): string | undefined {
  const { properties, items, additionalProperties } = node;
  for (const name in properties) {
    const child = properties[name] ?? {};
    if (name === "metadata" && !isWhole && child.origin === undefined && isEmptyObject(child)) return "metadata";
    const below = Object.isFrozen(child) ? metadataPath(child) : undefined;
    if (below !== undefined) return `${name}${below}`;
  }
  const inItems = items !== undefined && Object.isFrozen(items) ? metadataPath(items) : undefined;
  if (inItems !== undefined) return `[]${inItems}`;
  const values = typeof additionalProperties === "object" ? additionalProperties : undefined;
  const inValues = values !== undefined && Object.isFrozen(values) ? metadataPath(values) : undefined;
  return inValues === undefined ? undefined : `[*]${inValues}`;
}

function isEmptyObject(node: SchemaNode): boolean {
  return (
    node.type === "object" &&
    node.properties === undefined &&
    node.additionalProperties === undefined &&
    node["x-kubernetes-preserve-unknown-fields"] !== true
  );
}

function ownersOf({ origin }: SchemaNode, { owners }: MetadataStep): readonly SourceLocation[] {
  return origin === undefined ? owners : [...owners, origin];
}

// Says where in a struct there is metadata: in itself, or in its items or values.
function metadataPath({ properties = {}, items, additionalProperties }: SchemaNode): string | undefined {
  if (properties["metadata"] !== undefined && isEmptyObject(properties["metadata"])) return ".metadata";
  const inItems = items === undefined ? undefined : metadataPath(items);
  if (inItems !== undefined) return `[]${inItems}`;
  const inValues = typeof additionalProperties === "object" ? metadataPath(additionalProperties) : undefined;
  return inValues === undefined ? undefined : `[*]${inValues}`;
}

const NOWHERE: SourceLocation = { file: "", line: 0, column: 0, length: 0 };

const HINT =
  "crd:generateEmbeddedObjectMeta=true gives it labels, annotations, finalizers, name and namespace; or declare the fields that you need in a type of your own";

function findingForMetadata(node: SchemaNode, { owners }: MetadataStep): Finding {
  const location = node.origin ?? NOWHERE;
  const message = "servers drop everything inside this metadata: its type gives it no fields";
  return findingOf("CRD_EMBEDDED_METADATA", { message, hint: HINT }, { location, owners: [...owners, location] });
}

function findingForStruct(path: string, { owners, name }: Pick<MetadataStep, "owners" | "name">): Finding {
  const location = owners.at(-1) ?? NOWHERE;
  const message = `servers drop everything inside ${path} of ${name}: labels, annotations and names there are lost`;
  const finding = findingOf("CRD_EMBEDDED_METADATA", { message, hint: HINT }, { location, owners });
  return { ...finding, severity: "warning" };
}
