import { deepEqual, type JsonSchema } from "@kubescaffold/schema";

import { compareBounds, type ComparedNode } from "./compare-bounds.ts";
import { compareMembers } from "./compare-members.ts";
import { compareTopology } from "./compare-topology.ts";
import { compareType } from "./compare-type.ts";
import type { SchemaDifference } from "./difference.ts";
import { effectiveSchema, itemSchema } from "./effective-schema.ts";

/** The same place in two schemas. */
export interface SchemaPair {
  readonly former: JsonSchema;
  readonly current: JsonSchema;
  readonly path: string;
  readonly name: string;
}

/** Finds what of a schema breaks objects that the former schema allowed, or clients that counted on it; what allows more is left out. */
export function compareSchemas(pair: SchemaPair): readonly SchemaDifference[] {
  if (pair.former === pair.current) return [];
  const node: ComparedNode = {
    former: effectiveSchema(pair.former),
    current: effectiveSchema(pair.current),
    path: pair.path,
    name: pair.name === "" ? "the object" : pair.name,
  };
  const ofType = compareType(node);
  // Below another type everything differs.
  if (ofType.length > 0) return ofType;
  return [
    ...compareBounds(node),
    ...compareNullable(node),
    ...compareDefault(node),
    ...compareRules(node),
    ...compareTopology(node),
    ...comparePruning(node),
    ...compareMembers(node, pair.name, compareSchemas),
    ...compareItems(node, pair.name),
  ];
}

function compareItems(node: ComparedNode, name: string): readonly SchemaDifference[] {
  const former = itemSchema(node.former);
  const current = itemSchema(node.current);
  if (former === undefined || current === undefined) return [];
  return compareSchemas({ former, current, path: `${node.path}.items`, name: `${name}[]` });
}

function compareNullable({ former, current, path, name }: ComparedNode): readonly SchemaDifference[] {
  if (former.own.nullable !== true || current.own.nullable === true || isFree(current.own)) return [];
  const message = `${name} may not be null any more`;
  return [
    {
      code: "COMPAT_NULLABLE_REMOVED",
      message,
      hint: "allow null again, or give the field a default, which takes the place of null",
      path: `${path}.nullable`,
      markers: ["nullable"],
    },
  ];
}

function compareDefault({ former, current, path, name }: ComparedNode): readonly SchemaDifference[] {
  const before = former.own.default;
  const now = current.own.default;
  if (before === undefined || before === null || deepEqual(before, now)) return [];
  const message =
    now === undefined
      ? `${name} has no default any more, and had ${JSON.stringify(before)}`
      : `the default of ${name} is ${JSON.stringify(now)}, and was ${JSON.stringify(before)}`;
  return [
    {
      code: "COMPAT_DEFAULT_CHANGED",
      message,
      hint: "objects that leave the field out change their meaning; keep the default, or change it with a new version",
      path: `${path}.default`,
      markers: ["default"],
    },
  ];
}

function compareRules({ former, current, path, name }: ComparedNode): readonly SchemaDifference[] {
  const known = new Set(former.rules.map(({ rule }) => rule.trim()));
  return current.rules
    .filter(({ rule }) => !known.has(rule.trim()))
    .map(({ rule }) => {
      const isTransition = /\boldSelf\b/u.test(rule);
      const effect = isTransition
        ? "changes that were allowed may be refused"
        : "objects that were allowed may be refused";
      return {
        code: "COMPAT_RULE_ADDED",
        message: `${name} has the new rule ${rule}: ${effect}`,
        hint: "leave the rule out, or serve a new version; servers from 1.33 do not apply it to values that an update leaves as they are",
        path: `${path}.x-kubernetes-validations`,
        markers: ["XValidation", "AtMostOneOf", "ExactlyOneOf", "AtLeastOneOf", "immutable"],
      } as const;
    });
}

function comparePruning({ former, current, path, name }: ComparedNode): readonly SchemaDifference[] {
  const markers = ["pruning:PreserveUnknownFields", "XPreserveUnknownFields", "EmbeddedResource", "XEmbeddedResource"];
  const hint = "keep +kubebuilder:pruning:PreserveUnknownFields, or declare every field that objects have";
  if (isFree(former.own) && !isFree(current.own))
    return [{ code: "COMPAT_PRUNING", message: `unknown fields of ${name} are pruned now`, hint, path, markers }];
  const before = former.own["x-kubernetes-embedded-resource"] === true;
  const now = current.own["x-kubernetes-embedded-resource"] === true;
  if (before === now || isFree(current.own)) return [];
  const message = now
    ? `${name} must be a whole object with apiVersion and kind now`
    : `${name} is no whole object any more, so that its metadata is pruned`;
  return [{ code: now ? "COMPAT_VALIDATION_TIGHTENED" : "COMPAT_PRUNING", message, hint, path, markers }];
}

function isFree(schema: JsonSchema): boolean {
  return schema["x-kubernetes-preserve-unknown-fields"] === true;
}
