import { additionalSchemaOf, deepEqual, type JsonSchema } from "@kubescaffold/schema";

import type { ComparedNode } from "./compare-bounds.ts";
import type { SchemaPair } from "./compare-schemas.ts";
import type { SchemaDifference } from "./difference.ts";
import { memberSchema } from "./effective-schema.ts";

type Compare = (pair: SchemaPair) => readonly SchemaDifference[];

/** Finds fields that are gone or must be given now, and compares those that are in both. */
export function compareMembers(node: ComparedNode, name: string, compare: Compare): readonly SchemaDifference[] {
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
      ? "keep the field, marked as deprecated in its text, as long as a version with it is served"
      : `if it was renamed to ${renamed}, keep the old name beside the new one, or serve a new version with a conversion`;
  const message = `${name} is gone: servers prune its values from stored objects and refuse nothing`;
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
      ? `${below(member)} must be given now: it is required and has no default any more`
      : `${below(member)} must be given now: it is ${isNew ? "new" : "required"} and has no default`;
    const hint = "make it optional, or give it a default";
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
        message: `the values of ${node.name} could be anything, and have a type now`,
        hint: "allow any value again",
        path,
      },
    ];
  }
  if (now === true || current.own["x-kubernetes-preserve-unknown-fields"] === true) return [];
  const message = `${node.name} had keys of any name, and keeps only those that are declared`;
  return [{ code: "COMPAT_FIELD_REMOVED", message, hint: "keep Record<string, T>, or serve a new version", path }];
}
