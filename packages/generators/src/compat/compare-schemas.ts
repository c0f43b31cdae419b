import { additionalSchemaOf, deepEqual, type JsonSchema } from "@kubescaffold/schema";

import { compareBounds, type ComparedNode } from "./compare-bounds.ts";
import type { SchemaDifference } from "./difference.ts";
import { effectiveSchema, itemSchema, memberSchema } from "./effective-schema.ts";

/** The same place in two schemas. */
interface SchemaPair {
  readonly former: JsonSchema;
  readonly current: JsonSchema;
  readonly path: string;
  readonly name: string;
}

/** Finds what of a schema breaks objects that the former schema allowed, or clients that counted on it; what allows more is omitted. */
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
  const message = `${name} can no longer be null`;
  return [
    {
      code: "COMPAT_NULLABLE_REMOVED",
      message,
      hint: "allow null, or add a default, which replaces null",
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
      ? `the default ${JSON.stringify(before)} of ${name} was removed`
      : `the default of ${name} changed from ${JSON.stringify(before)} to ${JSON.stringify(now)}`;
  return [
    {
      code: "COMPAT_DEFAULT_CHANGED",
      message,
      hint: "the meaning of objects without the field changes; keep the default, or change it in a new version",
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
      const effect = isTransition ? "valid updates may be rejected" : "valid objects may be rejected";
      return {
        code: "COMPAT_RULE_ADDED",
        message: `${name} has the new rule ${rule}: ${effect}`,
        hint: "remove the rule, or serve a new version; API servers from 1.33 do not apply it to values that an update does not change",
        path: `${path}.x-kubernetes-validations`,
        markers: ["XValidation", "AtMostOneOf", "ExactlyOneOf", "AtLeastOneOf", "immutable"],
      } as const;
    });
}

function comparePruning({ former, current, path, name }: ComparedNode): readonly SchemaDifference[] {
  const markers = ["pruning:PreserveUnknownFields", "XPreserveUnknownFields", "EmbeddedResource", "XEmbeddedResource"];
  const hint = "keep +kubebuilder:pruning:PreserveUnknownFields, or declare every field of the objects";
  if (isFree(former.own) && !isFree(current.own))
    return [{ code: "COMPAT_PRUNING", message: `unknown fields of ${name} are now pruned`, hint, path, markers }];
  const before = former.own["x-kubernetes-embedded-resource"] === true;
  const now = current.own["x-kubernetes-embedded-resource"] === true;
  if (before === now || isFree(current.own)) return [];
  const message = now
    ? `${name} must now be a complete object with apiVersion and kind`
    : `${name} is no longer a complete object, so its metadata is pruned`;
  return [{ code: now ? "COMPAT_VALIDATION_TIGHTENED" : "COMPAT_PRUNING", message, hint, path, markers }];
}

function isFree(schema: JsonSchema): boolean {
  return schema["x-kubernetes-preserve-unknown-fields"] === true;
}

type Compare = (pair: SchemaPair) => readonly SchemaDifference[];

/** Finds fields that are gone or must be given now, and compares those that are in both. */
function compareMembers(node: ComparedNode, name: string, compare: Compare): readonly SchemaDifference[] {
  const before = Object.keys(node.former.own.properties ?? {});
  const below = (member: string): string => (name === "" ? member : `${name}.${member}`);
  const kept = before.flatMap((member) => {
    const former = memberSchema(node.former, member);
    const current = memberSchema(node.current, member);
    if (former === undefined) return [];
    if (current !== undefined)
      return compare({ former, current, path: `${node.path}.properties[${member}]`, name: below(member) });
    return compareUndeclared({ node, name: below(member), member, former, compare });
  });
  return [...kept, ...compareRequired(node, below), ...compareValues(node, name, compare)];
}

interface UndeclaredMember {
  readonly node: ComparedNode;
  readonly name: string;
  readonly member: string;
  readonly former: JsonSchema;
  readonly compare: Compare;
}

// A field that is not declared any more may still be a key of a map, or be kept as it is.
function compareUndeclared({ node, name, member, former, compare }: UndeclaredMember): readonly SchemaDifference[] {
  const { current, path } = node;
  const values = additionalSchemaOf(current.own);
  if (values !== undefined) return compare({ former, current: values, path: `${path}.additionalProperties`, name });
  if (current.own.additionalProperties === true || current.own["x-kubernetes-preserve-unknown-fields"] === true)
    return [];
  const renamed = newNameOf(node, member, former);
  const hint =
    renamed === undefined
      ? "keep the field, with a deprecation in its description, while a version with it is served"
      : `if it was renamed to ${renamed}, keep the old name beside the new one, or serve a new version with a conversion`;
  const message = `${name} was removed: API servers prune its values from stored objects without an error`;
  return [{ code: "COMPAT_FIELD_REMOVED", message, hint, path }];
}

function newNameOf({ former, current }: ComparedNode, member: string, schema: JsonSchema): string | undefined {
  const added = Object.keys(current.own.properties ?? {}).filter((name) => former.own.properties?.[name] === undefined);
  const alike = added.filter((name) => deepEqual(textless(current.own.properties?.[name]), textless(schema)));
  return alike.find((name) => name.toLowerCase() === member.toLowerCase()) ?? alike[0];
}

function textless(schema: JsonSchema | undefined): never {
  const { description: _description, title: _title, ...rest } = schema ?? {};
  return rest as never;
}

function compareRequired(
  { former, current, path }: ComparedNode,
  below: (member: string) => string,
): readonly SchemaDifference[] {
  return [...current.required].flatMap((member) => {
    const schema = memberSchema(current, member);
    const hasDefault = schema?.default !== undefined && schema.default !== null;
    const wasThere = former.required.has(member) && !hadDefault(former.own, member);
    if (hasDefault || wasThere) return [];
    const isNew = former.own.properties?.[member] === undefined;
    const message = former.required.has(member)
      ? `${below(member)} is now required: it no longer has a default`
      : `${below(member)} is now required: it ${isNew ? "is new and " : ""}has no default`;
    const hint = "make it optional, or add a default";
    const at = schema === undefined ? path : `${path}.properties[${member}]`;
    return [{ code: "COMPAT_REQUIRED_ADDED", message, hint, path: at, markers: ["required", "Required"] }] as const;
  });
}

function hadDefault({ properties }: JsonSchema, member: string): boolean {
  const value = properties?.[member]?.default;
  return value !== undefined && value !== null;
}

function compareValues(node: ComparedNode, name: string, compare: Compare): readonly SchemaDifference[] {
  const { former, current, path } = node;
  const { additionalProperties: before } = former.own;
  const { additionalProperties: now } = current.own;
  if (before === undefined || before === false) return [];
  if (typeof now === "object") {
    if (typeof before === "object")
      return compare({ former: before, current: now, path: `${path}.additionalProperties`, name: `${name}[*]` });
    return [
      {
        code: "COMPAT_TYPE_CHANGED",
        message: `the values of ${node.name} previously allowed any type, and are now restricted`,
        hint: "allow any value",
        path,
      },
    ];
  }
  if (now === true || current.own["x-kubernetes-preserve-unknown-fields"] === true) return [];
  const message = `${node.name} allowed any key, and now prunes undeclared keys`;
  return [{ code: "COMPAT_FIELD_REMOVED", message, hint: "keep Record<string, T>, or serve a new version", path }];
}

/** Finds lists and objects whose parts are distinguished or merged in another way. */
function compareTopology(node: ComparedNode): readonly SchemaDifference[] {
  const { former, current, path, name } = node;
  if (current.own.type === "array") return compareList(node);
  const before = former.own["x-kubernetes-map-type"] ?? "granular";
  const now = current.own["x-kubernetes-map-type"] ?? "granular";
  if (current.own.type !== "object" || before === now) return [];
  const at = { path: `${path}.x-kubernetes-map-type`, markers: ["mapType", "structType"] };
  return [{ code: "COMPAT_MERGE_CHANGED", message: `${name} changed from ${before} to ${now}`, hint: HINT, ...at }];
}

const HINT = "keep the type, unless you intend to change field ownership in server-side apply";
const MARKERS = ["listType", "listMapKey"];

function compareList({ former, current, path, name }: ComparedNode): readonly SchemaDifference[] {
  const before = former.own["x-kubernetes-list-type"] ?? "atomic";
  const now = current.own["x-kubernetes-list-type"] ?? "atomic";
  const at = { path: `${path}.x-kubernetes-list-type`, markers: MARKERS };
  if (before !== now) {
    const message = `the list type of ${name} changed from ${before} to ${now}`;
    if (now === "atomic") return [{ code: "COMPAT_MERGE_CHANGED", message, hint: HINT, ...at }];
    const hint =
      "stored lists may have duplicate items or keys, which are then rejected; keep the type, or serve a new version";
    return [{ code: "COMPAT_LIST_TYPE_CHANGED", message, hint, ...at }];
  }
  const oldKeys = former.own["x-kubernetes-list-map-keys"] ?? [];
  const keys = current.own["x-kubernetes-list-map-keys"] ?? [];
  if (keys.toSorted().join("\n") === oldKeys.toSorted().join("\n")) return [];
  return [
    {
      code: "COMPAT_LIST_TYPE_CHANGED",
      message: `the list keys of ${name} changed from ${oldKeys.join(" and ")} to ${keys.join(" and ")}`,
      hint: "stored items may have duplicate new keys, which are then rejected; keep the keys, or serve a new version",
      path: `${path}.x-kubernetes-list-map-keys`,
      markers: ["listMapKey"],
    },
  ];
}

/** Finds a type that not all former values have. */
function compareType({ former, current, path, name }: ComparedNode): readonly SchemaDifference[] {
  const before = typeOf(former.own);
  const now = typeOf(current.own);
  if (before === now || now === ANYTHING || (WIDER.get(before) ?? []).includes(now)) return [];
  return [
    {
      code: "COMPAT_TYPE_CHANGED",
      message: `${name} changed from ${before} to ${now}`,
      hint: "keep the type and add a new field beside it, or serve a new version with a conversion",
      path,
      markers: ["Type", "XIntOrString"],
    },
  ];
}

const ANYTHING = "any value";
const INT_OR_STRING = "an integer or a string";

const WIDER: ReadonlyMap<string, readonly string[]> = new Map([
  ["integer", ["number", INT_OR_STRING]],
  ["string", [INT_OR_STRING]],
]);

function typeOf(schema: JsonSchema): string {
  if (schema["x-kubernetes-int-or-string"] === true) return INT_OR_STRING;
  return schema.type === undefined || schema.type === "" ? ANYTHING : schema.type;
}
