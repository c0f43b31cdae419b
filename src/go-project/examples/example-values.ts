import type { Schema } from "@kubescaffold/generators/importer";
import { asList, asRecord, isRecord } from "@kubescaffold/platform";
import { compilePattern } from "@kubescaffold/schema";

import { textForPattern } from "./pattern-text.ts";

/** Returns a value that has what a schema requires, as small as it may be; no rules are considered. */
export function smallestValue(schema: Schema): unknown {
  return smallestAt(schema, 0, { items: MOST_ITEMS });
}

// No example needs more. A definition may ask for billions, or for lists of lists of lists; there is no example for it then.
const MOST_ITEMS = 1000;
const MOST_CHARACTERS = 4096;

/** The items of all lists and maps that a value may still get. */
interface Budget {
  items: number;
}

function take(budget: Budget, wanted: number): number {
  const taken = Math.min(wanted, budget.items);
  budget.items -= taken;
  return taken;
}

// Items of sets and of maps by key differ by their index.
function smallestAt(schema: Schema, index: number, budget: Budget): unknown {
  if (schema["default"] !== undefined && index === 0) return schema["default"];
  const allowed = asList(schema["enum"]);
  if (allowed.length > 0) return allowed[index % allowed.length];
  switch (schema["type"]) {
    case "object":
      return smallestObject(schema, index, budget);
    case "array":
      return Array.from({ length: take(budget, numberOf(schema["minItems"])) }, (_, each) =>
        smallestAt(asRecord(schema["items"]), each, budget),
      );
    case "boolean":
      return false;
    case "integer":
    case "number":
      return smallestNumber(schema) + index;
    case "string":
      return textCandidates(schema, index)[0] ?? "";
    default:
      return schema["x-kubernetes-int-or-string"] === true ? index : {};
  }
}

// Servers require both of each object in an object, whatever its schema says.
const EMBEDDED: Readonly<Record<string, string>> = { apiVersion: "v1", kind: "ConfigMap" };

function smallestObject(schema: Schema, index: number, budget: Budget): unknown {
  const properties = propertiesOf(schema);
  const required = asList(schema["required"]).map(String);
  const found: [string, unknown][] = required.map((name) => [
    name,
    smallestAt(asRecord(properties[name]), index, budget),
  ]);
  const isEmbedded = schema["x-kubernetes-embedded-resource"] === true;
  for (const [name, usual] of isEmbedded ? Object.entries(EMBEDDED) : []) {
    const own = name in properties ? smallestAt(asRecord(properties[name]), index, budget) : "";
    found.push([name, own === "" ? usual : own]);
  }
  if (isRecord(schema["additionalProperties"])) {
    const each = schema["additionalProperties"];
    const missing = take(budget, Math.max(numberOf(schema["minProperties"]) - found.length, 0));
    for (let added = 0; added < missing; added += 1)
      found.push([`key${found.length}`, smallestAt(each, found.length, budget)]);
  }
  return Object.fromEntries(found);
}

function smallestNumber(schema: Schema): number {
  const least = typeof schema["minimum"] === "number" ? schema["minimum"] : undefined;
  const most = typeof schema["maximum"] === "number" ? schema["maximum"] : undefined;
  const factor = typeof schema["multipleOf"] === "number" ? schema["multipleOf"] : 1;
  const from = Math.max(least ?? 0, 0) + (schema["exclusiveMinimum"] === true ? factor : 0);
  const rounded = Math.ceil(from / factor) * factor;
  return most !== undefined && rounded > most ? most - (schema["exclusiveMaximum"] === true ? factor : 0) : rounded;
}

const FORMATS: Readonly<Record<string, string>> = {
  bsonobjectid: "507f1f77bcf86cd799439011",
  byte: "YQ==",
  cidr: "192.0.2.0/24",
  creditcard: "4111111111111111",
  date: "2026-01-01",
  datetime: "2026-01-01T00:00:00Z",
  duration: "1h",
  email: "a@example.com",
  hexcolor: "#000000",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  isbn: "0321751043",
  isbn10: "0321751043",
  isbn13: "9780321751041",
  mac: "02:00:00:00:00:01",
  rgbcolor: "rgb(0,0,0)",
  ssn: "123-45-6789",
  uri: "https://example.com",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
  uuid3: "123e4567-e89b-32d3-a456-426614174000",
  uuid4: "123e4567-e89b-42d3-a456-426614174000",
  uuid5: "123e4567-e89b-52d3-a456-426614174000",
};

// What fields of operators often hold.
const USUAL = [
  "a",
  "example.com",
  "https://example.com",
  "1h",
  "1Gi",
  "/a",
  "a/b",
  "a:b",
  "192.0.2.1",
  "192.0.2.0/24",
  "v1",
  "v1.0.0",
  "1",
  "registry.example.com/a:v1",
  "* * * * *",
];
const MOST_REPETITIONS = 64;

/** Returns texts that a schema of strings accepts, by its lengths and its pattern, the shortest one first. */
function textCandidates(schema: Schema, index = 0, more: readonly string[] = []): readonly string[] {
  const { format, pattern } = schema;
  const [least, most] = [numberOf(schema["minLength"]), schema["maxLength"]];
  const ofFormat = typeof format === "string" ? FORMATS[format.replaceAll("-", "")] : undefined;
  const ofPattern = typeof pattern === "string" ? patternTexts(pattern, least) : [];
  const plain =
    "x".repeat(Math.min(Math.max(least, index > 0 ? 1 : 0), MOST_CHARACTERS)) + (index > 0 ? String(index) : "");
  const matches = typeof pattern === "string" ? compilePattern(pattern) : undefined;
  const isAccepted = (text: string): boolean =>
    text.length >= least &&
    (typeof most !== "number" || text.length <= most) &&
    (matches === undefined || matches.kind === "invalid" || matches.matches(text));
  const all = [...(ofFormat === undefined ? [] : [ofFormat]), plain, ...ofPattern, ...more, ...USUAL];
  return [...new Set(all)].filter((text) => isAccepted(text));
}

function patternTexts(pattern: string, least: number): readonly string[] {
  const lengths = [0, 1, 2, 3, Math.min(least, MOST_REPETITIONS)];
  return lengths.flatMap((more) => textForPattern(pattern, more) ?? []);
}

/** Returns values that a schema of a scalar accepts, for a rule that refuses another one. */
export function alternatives(schema: Schema, { texts, numbers }: Literals): readonly unknown[] {
  const allowed = asList(schema["enum"]);
  if (allowed.length > 0) return allowed;
  switch (schema["type"]) {
    case "boolean":
      return [true, false];
    case "integer":
    case "number":
      return [...new Set([smallestNumber(schema), schema["maximum"], 1, 2, 10, ...numbers])].filter(
        (each) => typeof each === "number",
      );
    case "string":
      return textCandidates(schema, 0, texts);
    case "array":
      return [[smallestValue(asRecord(schema["items"]))]];
    default:
      return schema["x-kubernetes-int-or-string"] === true ? [0, 1, ...texts] : [];
  }
}

/** The literals in rules, which often are the values that they want. */
export interface Literals {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
}

/** Returns the properties of a schema. */
export function propertiesOf(schema: Schema): Schema {
  return asRecord(schema["properties"]);
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
