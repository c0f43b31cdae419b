import type { SchemaNode } from "../crd/model/schema-node.ts";
import type { CheckCodeName } from "./check-codes.ts";
import { type CrdView, findingOf, versionsOf, type VersionView } from "./crd-view.ts";
import { findPlace } from "./finding-places.ts";
import type { Finding } from "./finding.ts";
import { followPath } from "./schema-trail.ts";
import type { WrittenMarker } from "./source-index.ts";

/**
 * Finds bounds and enums that no value meets: servers accept the CRD, and refuse every object that sets the property.
 *
 * Guarantees: schemas of built-in structs are not walked.
 */
export function checkValues(view: CrdView): readonly Finding[] {
  return versionsOf(view).flatMap((version) =>
    nodesIn(version.node).flatMap(({ node, path }) => [
      ...BOUNDS.flatMap((keyword) => boundFindings(view, version, { node, path, keyword })),
      ...enumFindings(view, version, { node, path }),
    ]),
  );
}

interface PlacedNode {
  readonly node: SchemaNode;
  /** As servers name it, from the root of the schema. */
  readonly path: string;
}

function nodesIn(root: SchemaNode): readonly PlacedNode[] {
  const found: PlacedNode[] = [];
  const waiting: PlacedNode[] = [{ node: root, path: "" }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, path } = next;
    if (Object.isFrozen(node)) continue;
    found.push(next);
    const { properties = {}, items, additionalProperties } = node;
    for (const [name, child] of Object.entries(properties))
      waiting.push({ node: child, path: `${path}.properties[${name}]` });
    if (items !== undefined) waiting.push({ node: items, path: `${path}.items` });
    if (typeof additionalProperties === "object")
      waiting.push({ node: additionalProperties, path: `${path}.additionalProperties` });
  }
  return found;
}

const BOUNDS = ["maximum", "multipleOf"] as const;

function boundFindings(
  view: CrdView,
  version: VersionView,
  { node, path, keyword }: PlacedNode & { readonly keyword: (typeof BOUNDS)[number] },
): readonly Finding[] {
  const bound = node[keyword];
  if (bound === undefined || node.type !== "integer" || isInt64(Number(bound))) return [];
  const code: CheckCodeName = "CRD_BOUND_OUT_OF_RANGE";
  const marker = keyword.charAt(0).toUpperCase() + keyword.slice(1);
  const { name, place } = placeOf(view, version, { path, keyword, markers: [marker, keyword] });
  const written = place.marker?.comment.text.split("=").slice(1).join("=") ?? String(bound);
  return [
    findingOf(
      code,
      {
        message: `API servers refuse every value of ${name}: its ${keyword} ${written} is not within 64 bits`,
        hint: "remove the marker: integers have this limit anyway",
      },
      place,
    ),
  ];
}

// Servers know bounds as floating-point numbers: the largest integer of 64 bits is one too large, and becomes the smallest one. A minimum only loses
// its effect.
function isInt64(bound: number): boolean {
  return Number.isInteger(bound) && bound >= -(2 ** 63) && bound < 2 ** 63;
}

function enumFindings(view: CrdView, version: VersionView, { node, path }: PlacedNode): readonly Finding[] {
  const { type, nullable } = node;
  const other = node.enum?.filter((each) => !(each === null && nullable === true) && !isOfType(each, type)) ?? [];
  if (other.length === 0) return [];
  const { name, place } = placeOf(view, version, { path, keyword: "enum", markers: ["Enum"] });
  return [
    findingOf(
      "CRD_ENUM_TYPE",
      {
        message: `API servers refuse ${other.map((each) => JSON.stringify(each)).join(", ")} as ${name}: it is ${article(type)}`,
        hint: type === "string" ? quotedHint(place.marker) : `use values that are ${type ?? ""}s`,
      },
      place,
    ),
  ];
}

function isOfType(value: unknown, type: string | undefined): boolean {
  switch (type) {
    case "string":
    case "boolean":
      return typeof value === type;
    case "integer":
      return typeof value === "bigint" || Number.isInteger(value);
    case "number":
      return typeof value === "number" || typeof value === "bigint";
    default:
      return true;
  }
}

function article(type: string | undefined): string {
  return type === "integer" ? "an integer" : `a ${type ?? "value"}`;
}

// The user's text has what numbers lose, such as the last digit of 1.30.
function quotedHint(marker: WrittenMarker | undefined): string {
  if (marker === undefined) return "use strings";
  const { text } = marker.comment;
  const start = text.indexOf("=") + 1;
  const values = text.slice(start).replace(/^\{(?<inner>.*)\}$/u, "$<inner>");
  const quoted = values
    .split(/[;,]/u)
    .map((each) => (/^["'`]/u.test(each.trim()) ? each.trim() : `"${each.trim()}"`))
    .join(";");
  return `quote the values: ${text.slice(0, start)}${quoted}`;
}

interface Placing {
  readonly path: string;
  readonly keyword: string;
  readonly markers: readonly string[];
}

function placeOf(
  view: CrdView,
  { node, location }: VersionView,
  { path, keyword, markers }: Placing,
): { readonly name: string; readonly place: ReturnType<typeof findPlace> } {
  const trail = followPath(node, `${path}.${keyword}`);
  const place = findPlace(view.index(), { trail, fallback: location, markers });
  return { name: trail.name === "" ? view.crd.draft.kind : trail.name.slice(trail.name.lastIndexOf(".") + 1), place };
}
