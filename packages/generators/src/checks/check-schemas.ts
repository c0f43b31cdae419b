import type { FieldError } from "@kubescaffold/k8s";
import type { StructuralOptions } from "@kubescaffold/schema";

import type { SchemaNode } from "../crd/model/schema-node.ts";
import { NO_LOCATION, type SourceLocation } from "../loader/type-model.ts";
import { type CrdView, findingOf, versionsOf, type VersionView } from "./crd-view.ts";
import { findPlace } from "./finding-places.ts";
import type { Finding } from "./finding.ts";
import { hasRules } from "./has-rules.ts";
import { judgeRefusal } from "./schema-findings.ts";
import { followPath, lastOf, type SchemaTrail } from "./schema-trail.ts";
import { toServerSchema, toWholeServerSchema } from "./server-schema.ts";

/** Finds what a server would refuse in the schemas of a CRD, with the code that servers themselves run here. */
export async function checkSchemas(view: CrdView): Promise<readonly Finding[]> {
  const versions = versionsOf(view).filter(({ node }) => appliesRules(node) || toServerSchema(node) !== undefined);
  if (versions.length === 0) return [];
  const { checkStructural, compilePattern } = await import("@kubescaffold/schema");
  const isSoundPattern = (pattern: string): boolean => compilePattern(pattern).kind === "pattern";
  const rules = versions.some(({ node }) => appliesRules(node)) ? await rulesForDefaults() : undefined;
  return versions.flatMap((each) => {
    const isWhole = appliesRules(each.node);
    const schema = isWhole ? toWholeServerSchema(each.node) : toServerSchema(each.node, isSoundPattern);
    if (schema === undefined) return [];
    const hasStatus = each.version.subresources?.status !== undefined;
    const errors = checkStructural(schema, {
      path: ROOT,
      hasStatus,
      ...(isWhole && rules !== undefined ? { rules } : {}),
    });
    return errors
      .filter((error) => !isRepeated(error, errors) && !isAboutRule(error))
      .map((error) => findingFor(error, each, view));
  });
}

// What a rule says of a default shows only in all of the schema.
function appliesRules(node: SchemaNode): boolean {
  return hasRules(node) && hasDefaults(node);
}

// Whether the rules themselves are sound is its own check.
async function rulesForDefaults(): Promise<StructuralOptions["rules"]> {
  const { ruleChecks } = await import("@kubescaffold/schema/cel");
  return { checkDefault: ruleChecks.checkDefault, checkExpressions: () => [] };
}

function hasDefaults(node: SchemaNode): boolean {
  if (Object.isFrozen(node)) return false;
  if (node.default !== undefined) return true;
  const { properties, items, additionalProperties } = node;
  for (const name in properties) if (hasDefaults(properties[name] ?? {})) return true;
  return (
    (items !== undefined && hasDefaults(items)) ||
    (typeof additionalProperties === "object" && hasDefaults(additionalProperties))
  );
}

const ROOT = "schema";

// One finding for each default is enough; of another type, it has fields that are unknown as well.
function isRepeated(error: FieldError, errors: readonly FieldError[]): boolean {
  const owner = ownerOfDefault(error.field);
  if (owner === undefined) return false;
  const others = errors.filter((each) => ownerOfDefault(each.field) === owner);
  return (others.find((each) => each.detail !== UNKNOWN_FIELDS) ?? others[0]) !== error;
}

// Rules have their own check.
function isAboutRule({ field }: FieldError): boolean {
  return /\.x-kubernetes-validations\[\d+\]/u.test(field);
}

const UNKNOWN_FIELDS = "must not have unknown fields";

function ownerOfDefault(field: string): string | undefined {
  return /^(.*?\.default)(?:[.[]|$)/u.exec(field)?.[1];
}

const HINT_FOR_STRUCTS =
  "the type is internal to Kubernetes and cannot be used in a CRD: declare the required fields in your own type";

function findingFor(error: FieldError, { node, location }: VersionView, view: CrdView): Finding {
  const trail = followPath(node, error.field.slice(ROOT.length));
  const verdict = judgeRefusal(error, trail, subjectOf(trail, view));
  const { code, message, above = 0, unquoted, ...search } = verdict;
  const place = findPlace(view.index(), { trail: climb(trail, above), fallback: location, ...search });
  const hint = unquoted === undefined ? verdict.hint : quotingHint(place.marker?.comment.text ?? "", unquoted);
  return findingOf(code, { message, hint: Object.isFrozen(lastOf(trail)) ? HINT_FOR_STRUCTS : hint }, place);
}

// Numbers lose how they were written: 12e4 is not 120000 once it is a string.
function quotingHint(marker: string, value: string): string {
  const written = /=\s*(?<value>[\w.+-]+)\s*$/u.exec(marker)?.groups?.["value"];
  return `quote it, so that it is a string: "${written ?? value}"`;
}

// Findings about a type that several kinds share are one, so the place is called by its own name only.
function subjectOf({ name }: SchemaTrail, { crd }: CrdView): string {
  if (name === "") return crd.draft.kind;
  const last = name.slice(name.lastIndexOf(".") + 1);
  const items = last.replace(/(?<!\[\*?\])(?:\[\*?\])+$/u, "");
  return items === last ? last : `an item of ${items}`;
}

function climb(trail: SchemaTrail, above: number): SchemaTrail {
  return above === 0 ? trail : { ...trail, nodes: trail.nodes.slice(0, -above), hops: 0 };
}

/**
 * Finds metadata inside objects that servers would empty: without their own schema, labels, annotations and names there are pruned.
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
    if ((name !== "metadata" && child.isMetadata !== true) || !isEmptyObject(child))
      walk(child, { ...step, owners: ownersOf(child, step), isWhole: false, name });
    else if (!(isWhole && name === "metadata") && child.origin !== undefined)
      step.findings.push(findingForMetadata(child, step));
  }
  for (const child of [items, additionalProperties]) {
    if (typeof child !== "object" || Object.isFrozen(child)) continue;
    if (child.isMetadata === true && isEmptyObject(child)) step.findings.push(findingForMetadata(child, step));
    else walk(child, { ...step, isWhole: false });
  }
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

const HINT =
  "crd:generateEmbeddedObjectMeta=true adds labels, annotations, finalizers, name, and namespace; or declare the required fields in your own type";

function findingForMetadata(node: SchemaNode, { owners }: MetadataStep): Finding {
  const location = node.origin ?? NO_LOCATION;
  const message = "API servers prune all fields of this metadata: its type has no fields";
  return findingOf("CRD_EMBEDDED_METADATA", { message, hint: HINT }, { location, owners: [...owners, location] });
}

function findingForStruct(path: string, { owners, name }: Pick<MetadataStep, "owners" | "name">): Finding {
  const location = owners.at(-1) ?? NO_LOCATION;
  const message = `API servers prune all fields in ${path} of ${name}, including labels, annotations, and names`;
  const finding = findingOf("CRD_EMBEDDED_METADATA", { message, hint: HINT }, { location, owners });
  return { ...finding, severity: "warning" };
}
