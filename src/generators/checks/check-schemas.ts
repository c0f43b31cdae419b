import type { FieldError } from "@kubescaffold/k8s";
import type { StructuralOptions } from "@kubescaffold/schema";

import type { SchemaNode } from "../crd/schema-node.ts";
import { findingOf, versionsOf, type CrdView, type VersionView } from "./crd-view.ts";
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

// Whether the rules themselves are sound is a check of its own.
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

// Rules have a check of their own.
function isAboutRule({ field }: FieldError): boolean {
  return /\.x-kubernetes-validations\[\d+\]/u.test(field);
}

const UNKNOWN_FIELDS = "must not have unknown fields";

function ownerOfDefault(field: string): string | undefined {
  return /^(.*?\.default)(?:[.[]|$)/u.exec(field)?.[1];
}

const HINT_FOR_STRUCTS =
  "the type is Kubernetes' own and cannot stand in a CRD as it is: declare the fields that you need in a type of your own";

function findingFor(error: FieldError, { node, location }: VersionView, view: CrdView): Finding {
  const trail = followPath(node, error.field.slice(ROOT.length));
  const { code, message, hint, above = 0, ...search } = judgeRefusal(error, trail, subjectOf(trail, view));
  const place = findPlace(view.index(), { trail: climb(trail, above), fallback: location, ...search });
  return findingOf(code, { message, hint: Object.isFrozen(lastOf(trail)) ? HINT_FOR_STRUCTS : hint }, place);
}

// Findings about a type that several kinds share are one, so the place is called by its own name only.
function subjectOf({ name }: SchemaTrail, { crd }: CrdView): string {
  if (name === "") return crd.draft.kind;
  const last = name.slice(name.lastIndexOf(".") + 1);
  const items = last.replace(/(?:\[\]|\[\*\])+$/u, "");
  return items === last ? last : `an item of ${items}`;
}

function climb(trail: SchemaTrail, above: number): SchemaTrail {
  return above === 0 ? trail : { ...trail, nodes: trail.nodes.slice(0, -above), hops: 0 };
}
