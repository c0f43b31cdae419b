import {
  followSelectablePath,
  isMetadataPath,
  isScalePath,
  isSelectableType,
  type JsonPathStep,
  MOST_SELECTABLE_FIELDS,
  parseJsonPath,
  PRINTER_COLUMN_FORMATS,
  PRINTER_COLUMN_TYPES,
  SCALE_PATH_ROOTS,
} from "@kubescaffold/schema";

import type { SchemaNode } from "../crd/model/schema-node.ts";
import type { SourceLocation } from "../loader/type-model.ts";
import type { MarkerValue } from "../markers/definitions/marker-definition.ts";
import type { CheckCodeName } from "./check-codes.ts";
import { type CrdView, findingOf, versionsOf, type VersionView } from "./crd-view.ts";
import type { Finding } from "./finding.ts";
import { placeOfArgument } from "./marker-argument.ts";
import type { WrittenMarker } from "./source-index.ts";

/** Finds printer columns, selectable fields and paths of the scale subresource that servers reject or that lead nowhere. */
export function checkPaths(view: CrdView): readonly Finding[] {
  return versionsOf(view).flatMap((version) => {
    const { columns, selectableFields, subresources } = version.version;
    const reports = [
      ...columns.flatMap((column) => judgeColumn(column, version)),
      ...judgeSelectableFields(selectableFields, version),
      ...(subresources?.scale === undefined ? [] : judgeScale(subresources.scale, version)),
    ];
    return reports.map((report) => locate(report, version, view));
  });
}

interface PathReport {
  readonly code: CheckCodeName;
  readonly message: string;
  readonly hint: string;
  readonly marker: string;
  readonly argument: string;
  readonly fits: (value: Readonly<Record<string, MarkerValue>>) => boolean;
}

function locate(report: PathReport, { location }: VersionView, view: CrdView): Finding {
  const place = view.index().placeAt(location);
  const markers = place === undefined ? [] : view.index().markersFor(place);
  const marker = markers.find(({ use }) => use.name === report.marker && report.fits(argumentsOf(use.value)));
  return findingOf(report.code, report, { location: placeOf(marker, report.argument) ?? location, owners: [location] });
}

function placeOf(marker: WrittenMarker | undefined, argument: string): SourceLocation | undefined {
  return marker === undefined ? undefined : placeOfArgument(marker.comment, argument);
}

function judgeColumn(column: Readonly<Record<string, MarkerValue>>, { node }: VersionView): readonly PathReport[] {
  const { name = "", type = "", format = "", jsonPath = "" } = column as Readonly<Record<string, string>>;
  const common = {
    code: "CRD_COLUMN_INVALID",
    marker: "kubebuilder:printcolumn",
    fits: (value) => value["name"] === name && value["JSONPath"] === jsonPath,
  } as const satisfies Partial<PathReport>;
  const reports: PathReport[] = [];
  if (name === "")
    reports.push({ ...common, message: "a column has no name", hint: 'write name="…"', argument: "name" });
  if (!PRINTER_COLUMN_TYPES.includes(type)) {
    const message = `the column ${name} has the type ${JSON.stringify(type)}, which API servers reject`;
    reports.push({ ...common, message, hint: `types are ${PRINTER_COLUMN_TYPES.join(", ")}`, argument: "type" });
  }
  if (format !== "" && !PRINTER_COLUMN_FORMATS.includes(format)) {
    const message = `the column ${name} has the format ${JSON.stringify(format)}, which API servers reject`;
    reports.push({ ...common, message, hint: `formats are ${PRINTER_COLUMN_FORMATS.join(", ")}`, argument: "format" });
  }
  return [...reports, ...judgeColumnPath({ name, jsonPath, node, common })];
}

interface ColumnPath {
  readonly name: string;
  readonly jsonPath: string;
  readonly node: VersionView["node"];
  readonly common: Pick<PathReport, "code" | "marker" | "fits">;
}

function judgeColumnPath({ name, jsonPath, node, common }: ColumnPath): readonly PathReport[] {
  const argument = "JSONPath";
  if (!jsonPath.startsWith(".")) {
    const message = `the path ${JSON.stringify(jsonPath)} of the column ${name} does not start with a dot, so API servers reject it`;
    return [{ ...common, message, hint: `write JSONPath=.${jsonPath.replace(/^\$?\.?/u, "")}`, argument }];
  }
  if (!isBalanced(jsonPath)) {
    const message = `the path ${JSON.stringify(jsonPath)} of the column ${name} has an unclosed bracket; API servers then print no columns`;
    return [{ ...common, message, hint: "close the bracket", argument }];
  }
  const target = followJsonPath(node, jsonPath);
  if (target.kind !== "missing") return [];
  const message = `the column ${name} refers to ${jsonPath}, but the schema has no ${target.name} there, so it is always empty`;
  return [{ ...common, code: "CRD_COLUMN_UNKNOWN", message, hint: "fix the path, or add the property", argument }];
}

function judgeSelectableFields(
  fields: readonly { readonly jsonPath: string }[],
  { node }: VersionView,
): readonly PathReport[] {
  return fields.flatMap(({ jsonPath }, index) => {
    const problem =
      selectableProblem(node, jsonPath) ??
      (fields.findIndex((each) => each.jsonPath === jsonPath) < index ? "is specified twice" : undefined) ??
      (index === MOST_SELECTABLE_FIELDS ? `exceeds the limit of ${MOST_SELECTABLE_FIELDS}` : undefined);
    if (problem === undefined) return [];
    return [
      {
        code: "CRD_SELECTABLE_FIELD",
        message: `servers reject the selectable field ${jsonPath}: it ${problem}`,
        hint: "specify a string, boolean, or integer by a dotted path, such as .spec.color",
        marker: "kubebuilder:selectablefield",
        argument: "JSONPath",
        fits: (value) => value["JSONPath"] === jsonPath,
      },
    ];
  });
}

function selectableProblem(root: VersionView["node"], path: string): string | undefined {
  if (path === "") return "is empty";
  const target = followSelectablePath(root, path);
  switch (target.kind) {
    case "noDot":
      return path.startsWith(".") ? "has brackets" : "does not start with a dot";
    case "unfinished":
      return "ends with a dot";
    case "unknown":
      return `does not match the schema at ${JSON.stringify(target.name)}`;
    case "field": {
      const { type } = target.schema;
      if (isMetadataPath(path)) return "is in metadata";
      return isSelectableType(type) ? undefined : `refers to ${type ?? "a value of several types"}`;
    }
  }
}

const SCALE_PATHS = [
  ["specReplicasPath", "specpath"],
  ["statusReplicasPath", "statuspath"],
  ["labelSelectorPath", "selectorpath"],
] as const;

function judgeScale(scale: Readonly<Record<string, string>>, { node }: VersionView): readonly PathReport[] {
  return SCALE_PATHS.flatMap(([key, argument]): readonly PathReport[] => {
    const path = scale[key];
    if (path === undefined || (path === "" && key === "labelSelectorPath")) return [];
    const common = { marker: "kubebuilder:subresource:scale", argument, fits: () => true };
    if (!isScalePath(key, path)) {
      const places = SCALE_PATH_ROOTS[key].join(" or ");
      const message = `servers reject the path ${JSON.stringify(path)} of the scale subresource`;
      return [{ ...common, code: "CRD_SCALE_PATH", message, hint: `use a path below ${places}, without brackets` }];
    }
    const target = followJsonPath(node, path);
    if (target.kind !== "missing") return [];
    const message = `the scale subresource reads ${path}, but the schema has no ${target.name} there`;
    return [{ ...common, code: "CRD_SCALE_UNKNOWN", message, hint: "fix the path, or add the property" }];
  });
}

function argumentsOf(value: MarkerValue): Readonly<Record<string, MarkerValue>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, MarkerValue>>)
    : {};
}

/** Where a path leads in a schema. */
type PathTarget =
  | { readonly kind: "found"; readonly node: SchemaNode }
  /** The schema does not say what is there: it is free-form, of the server, or the path cannot be followed. */
  | { readonly kind: "open" }
  | { readonly kind: "missing"; readonly name: string };

/** Follows a JSONPath through a schema, as far as the path is simple. */
export function followJsonPath(root: SchemaNode, path: string): PathTarget {
  const steps = parseJsonPath(path);
  if (steps === undefined) return { kind: "open" };
  let node = root;
  for (const [depth, step] of steps.entries()) {
    if (depth === 0 && step.kind === "member" && ROOT_MEMBERS.has(step.name)) return { kind: "open" };
    const next = takeStep(node, step);
    if (next.kind !== "found") return next;
    ({ node } = next);
  }
  return { kind: "found", node };
}

/** Reports whether every bracket of a path is closed, without which servers show none of the columns. */
export function isBalanced(path: string): boolean {
  let depth = 0;
  for (const character of path.replaceAll(/(?<!\\)(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")/gu, "")) {
    if (character === "[") depth += 1;
    if (character === "]") depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

const ROOT_MEMBERS = new Set(["metadata", "apiVersion", "kind"]);

function takeStep(node: SchemaNode, step: JsonPathStep): PathTarget {
  const { properties, items, additionalProperties } = node;
  const isFree = node["x-kubernetes-preserve-unknown-fields"] === true || additionalProperties === true;
  if (step.kind === "selection") {
    if (items !== undefined) return { kind: "found", node: items };
    return { kind: "open" };
  }
  const own = Object.hasOwn(properties ?? {}, step.name) ? properties?.[step.name] : undefined;
  if (own !== undefined) return { kind: "found", node: own };
  if (typeof additionalProperties === "object") return { kind: "found", node: additionalProperties };
  // An object without any schema of its members may be filled in elsewhere, so only what has members can lack one.
  return isFree ||
    (properties === undefined && node.type !== "string" && node.type !== "integer" && node.type !== "boolean")
    ? { kind: "open" }
    : { kind: "missing", name: step.name };
}
