import { deepEqual } from "@kubescaffold/schema";

import type { SchemaDifference } from "./difference.ts";
import { strictest, type EffectiveSchema } from "./effective-schema.ts";

/** A place in both schemas. */
export interface ComparedNode {
  readonly former: EffectiveSchema;
  readonly current: EffectiveSchema;
  /** As servers write it, such as `.properties[spec]`. */
  readonly path: string;
  /** As users read it, such as `spec.ports[].name`. */
  readonly name: string;
}

/** Finds where bounds, lengths, patterns, formats, enums and combinations allow less than before. */
export function compareBounds(node: ComparedNode): readonly SchemaDifference[] {
  return [
    ...LIMITS.flatMap((limit) => compareLimit(limit, node)),
    ...compareExclusive(node),
    ...compareMultiple(node),
    ...comparePatterns(node),
    ...compareFormat(node),
    ...compareEnum(node),
    ...compareUnique(node),
    ...compareCombinations(node),
  ];
}

const RATCHETING =
  "loosen it, or serve a new version; API servers from 1.33 accept unchanged old values, but reject them in new objects";

const LIMITS = [
  ["maximum", ["Maximum", "maximum"]],
  ["minimum", ["Minimum", "minimum"]],
  ["maxLength", ["MaxLength"]],
  ["minLength", ["MinLength", "required"]],
  ["maxItems", ["MaxItems", "maxItems"]],
  ["minItems", ["MinItems", "required"]],
  ["maxProperties", ["MaxProperties"]],
  ["minProperties", ["MinProperties", "required"]],
] as const;

function compareLimit(
  [key, markers]: (typeof LIMITS)[number],
  { former, current, path, name }: ComparedNode,
): readonly SchemaDifference[] {
  const before = strictest(former, key);
  const now = strictest(current, key);
  if (now === undefined || before === now || (key.startsWith("min") && key !== "minimum" && now === 0)) return [];
  if (before !== undefined && (key.startsWith("max") ? now > before : now < before)) return [];
  const message =
    before === undefined ? `${key} ${now} was added to ${name}` : `${key} of ${name} changed from ${before} to ${now}`;
  return [tightened({ message, path: `${path}.${key}`, markers })];
}

function compareExclusive({ former, current, path, name }: ComparedNode): readonly SchemaDifference[] {
  return (["exclusiveMaximum", "exclusiveMinimum"] as const).flatMap((key) => {
    const bound = key === "exclusiveMaximum" ? "maximum" : "minimum";
    const isNew = current.own[key] === true && former.own[key] !== true;
    // Another bound is reported, or wider, by itself.
    if (!isNew || strictest(former, bound) !== strictest(current, bound)) return [];
    const message = `${name} can no longer equal its ${bound}`;
    const markers = [key === "exclusiveMaximum" ? "ExclusiveMaximum" : "ExclusiveMinimum"];
    return [tightened({ message, path: `${path}.${key}`, markers })];
  });
}

function compareMultiple({ former, current, path, name }: ComparedNode): readonly SchemaDifference[] {
  const before = former.own.multipleOf;
  const now = current.own.multipleOf;
  if (now === undefined || now === before || (before !== undefined && Number.isInteger(before / now))) return [];
  return [
    tightened({ message: `${name} must be a multiple of ${now}`, path: `${path}.multipleOf`, markers: ["MultipleOf"] }),
  ];
}

function comparePatterns({ former, current, path, name }: ComparedNode): readonly SchemaDifference[] {
  const added = [...current.patterns].filter((pattern) => !former.patterns.has(pattern));
  return added.map((pattern) =>
    tightened({
      message: `${name} must match ${pattern}${former.patterns.size === 0 ? "" : `, and previously had to match ${[...former.patterns].join(" and ")}`}`,
      path: `${path}.pattern`,
      markers: ["Pattern"],
    }),
  );
}

// The formats that servers check, as far as they restrict anything.
const CHECKED_FORMATS = new Set(
  "bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 isbn isbn10 isbn13 creditcard ssn hexcolor rgbcolor byte date duration datetime date-time int32 int64 k8s-short-name k8s-long-name".split(
    " ",
  ),
);

function compareFormat({ former, current, path, name }: ComparedNode): readonly SchemaDifference[] {
  const before = former.own.format ?? "";
  const now = current.own.format ?? "";
  const isWider = now === "int64" && (before === "int32" || before === "");
  if (now === before || !CHECKED_FORMATS.has(now) || isWider || WIDER.get(before) === now) return [];
  const message =
    before === "" ? `the format ${now} was added to ${name}` : `the format of ${name} changed from ${before} to ${now}`;
  return [tightened({ message, path: `${path}.format`, markers: ["Format"] })];
}

const WIDER: ReadonlyMap<string, string> = new Map([
  ["uuid3", "uuid"],
  ["uuid4", "uuid"],
  ["uuid5", "uuid"],
  ["isbn10", "isbn"],
  ["isbn13", "isbn"],
  ["date-time", "datetime"],
  ["datetime", "date-time"],
]);

function compareEnum({ former, current, path, name }: ComparedNode): readonly SchemaDifference[] {
  if (current.allowed === undefined) return [];
  const { allowed } = current;
  const gone = former.allowed?.filter((value) => !allowed.some((each) => deepEqual(each, value)));
  if (gone?.length === 0) return [];
  const shown = (gone ?? allowed).map((value) => JSON.stringify(value)).join(", ");
  const message =
    gone === undefined
      ? `${name} previously allowed any value, and now only ${shown}`
      : `${name} can no longer be ${shown}`;
  return [{ code: "COMPAT_ENUM_NARROWED", message, hint: RATCHETING, path: `${path}.enum`, markers: ["Enum", "enum"] }];
}

function compareUnique({ former, current, path, name }: ComparedNode): readonly SchemaDifference[] {
  if (current.own.uniqueItems !== true || former.own.uniqueItems === true) return [];
  return [
    tightened({
      message: `the items of ${name} must now be unique`,
      path: `${path}.uniqueItems`,
      markers: ["UniqueItems"],
    }),
  ];
}

// Whether one combination allows less than another cannot be determined in general, so any change of one counts.
function compareCombinations({ former, current, path, name }: ComparedNode): readonly SchemaDifference[] {
  if (current.own["x-kubernetes-int-or-string"] === true) return [];
  return (["anyOf", "oneOf", "not"] as const).flatMap((key) => {
    const now = current.branches.map((each) => each[key]).filter((each) => each !== undefined);
    const before = former.branches.map((each) => each[key]);
    const added = now.filter((each) => !before.some((other) => deepEqual(plain(each), plain(other))));
    if (added.length === 0) return [];
    return [
      tightened({
        message: `the ${key} of ${name} changed, and may reject stored values`,
        path: `${path}.${key}`,
        markers: [],
      }),
    ];
  });
}

function plain(value: unknown): never {
  return value as never;
}

function tightened(rest: Omit<SchemaDifference, "code" | "hint">): SchemaDifference {
  return { code: "COMPAT_VALIDATION_TIGHTENED", hint: RATCHETING, ...rest };
}
