import { readFileSync } from "node:fs";
import path from "node:path";

import type { OpenApiSchema } from "@kubescaffold/k8s/schemas";
import { expect, it } from "vitest";

import { loadRelease } from "../../packages/apiserver/src/release/release.ts";
import { ROOT } from "../architecture/source-files.ts";
import { typeCheck } from "../support/type-check.ts";

/** The version whose documents the types of the first release were made of. */
const FIRST_MINOR = "1.35";

/** Types to which a value was added that servers of all versions list: code that handles each of their values must handle one more. */
const GROWN = ["apps/v1.StatefulSetUpdateStrategy"];

const SETTINGS = readFileSync(path.join(ROOT, "templates", "init", "tsconfig.json.hbs"), "utf8");
const SCALARS: Readonly<Record<string, string>> = {
  Quantity: "K8s.Quantity",
  IntOrString: "K8s.IntOrString",
  RawExtension: "K8s.RawExtension",
};
// Written by hand, or of another form than their documents.
const OTHERS = /^meta\/|^apiextensions\/v1\.(?:JSON|CustomResource(?:Definition|Validation))/u;

type Definition = readonly [key: string, schema: OpenApiSchema];

it("every type of the first release can be written and read as with its documents", { timeout: 120_000 }, () => {
  const definitions = formerDefinitions();
  expect(definitions.length).toBeGreaterThan(400);
  const found = typeCheck({ "tsconfig.json": SETTINGS, "api/former.ts": sourceOf(definitions) });
  const keys = found.map((line) => lineOf(definitions, line));
  expect([...new Set(keys)].filter((key) => !GROWN.includes(key.slice(key.indexOf(" ") + 1)))).toEqual([]);
  expect(keys).toContain(`read ${GROWN[0] ?? ""}`);
});

function formerDefinitions(): readonly Definition[] {
  const api = loadRelease(FIRST_MINOR)?.api;
  if (api === undefined) throw new TypeError(`there are no tables of ${FIRST_MINOR}`);
  const places = [...new Set(api.resources.map((each) => api.definitionNameOf(each) ?? "").map(placeOf))];
  return places
    .flatMap((place) => Object.entries(api.definitionsOf(place)))
    .map(([name, schema]): Definition => [`${placeOf(name)}.${nameOf(name)}`, schema])
    .filter(([key, { properties }]) => properties !== undefined && !key.endsWith("List") && !OTHERS.test(key));
}

// The second and third line of each definition are its uses.
function sourceOf(definitions: readonly Definition[]): string {
  const places = [
    ...new Set([...definitions.map(([key]) => key.slice(0, key.indexOf("."))), "meta/v1", "apiextensions/v1"]),
  ];
  const imports = places.map((place) => `import type * as ${aliasOf(place)} from "@kubescaffold/k8s/${place}";`);
  const types = definitions.map(([key, schema]) => `export interface ${formerOf(key)} { ${fieldsOf(schema)} }`);
  const uses = definitions.flatMap(([key, schema]) => [
    `export const written${formerOf(key)} = (value: ${formerOf(key)}): ${presentOf(key, schema)} => value;`,
    `export const read${formerOf(key)} = (value: ${presentOf(key, schema)}): ${formerOf(key)} => value;`,
  ]);
  return ['import type * as K8s from "@kubescaffold/k8s";', ...imports, ...types, ...uses, ""].join("\n");
}

function lineOf(definitions: readonly Definition[], diagnostic: string): string {
  const line = Number(/^api\/former\.ts:(\d+) /u.exec(diagnostic)?.[1]);
  const text = sourceOf(definitions).split("\n")[line - 1] ?? "";
  const [, use = "", former = ""] = /^export const (written|read)(\w+)/u.exec(text) ?? [];
  const key = definitions.find(([each]) => formerOf(each) === former)?.[0];
  return key === undefined ? diagnostic : `${use} ${key}`;
}

function fieldsOf({ properties = {}, required = [], ...schema }: OpenApiSchema): string {
  const own = Object.entries(properties).filter(([name]) => !isKind(schema) || !IDENTITY.has(name));
  return own
    .map(([name, each]) => `${JSON.stringify(name)}${required.includes(name) ? "" : "?"}: ${typeOf(each)};`)
    .join(" ");
}

const IDENTITY: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

function isKind(schema: OpenApiSchema): boolean {
  return schema["x-kubernetes-group-version-kind"] !== undefined;
}

function typeOf(schema: OpenApiSchema): string {
  const reference = schema.$ref ?? schema.allOf?.[0]?.$ref;
  if (reference !== undefined) return referenceOf(reference);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.items !== undefined) return `(${typeOf(schema.items)})[]`;
  if (schema.type === "object")
    return `Record<string, ${schema.additionalProperties === undefined ? "unknown" : typeOf(schema.additionalProperties)}>`;
  return schema.type === "integer" ? "number" : (schema.type ?? "unknown");
}

// Other definitions are as they are now: each is compared on its own.
function referenceOf(reference: string): string {
  const name = nameOf(reference);
  return SCALARS[name] ?? `${aliasOf(placeOf(reference))}.${name}`;
}

function presentOf(key: string, schema: OpenApiSchema): string {
  const type = `${aliasOf(key.slice(0, key.indexOf(".")))}.${nameOf(key)}`;
  return isKind(schema) ? `Omit<${type}, "apiVersion" | "kind" | "metadata">` : type;
}

function formerOf(key: string): string {
  return `${aliasOf(key.slice(0, key.indexOf(".")))}_${nameOf(key)}`;
}

function aliasOf(place: string): string {
  return place.replaceAll("/", "_");
}

function placeOf(name: string): string {
  return name.split(".").slice(-3, -1).join("/");
}

function nameOf(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}
