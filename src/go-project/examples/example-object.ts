import type { CrdFacts, Schema } from "@kubescaffold/generators/importer";
import { lineComment, quotedText, valueLiteral } from "@kubescaffold/generators/typescript";
import { type FieldError, fieldErrorToString } from "@kubescaffold/k8s";
import { asList, asRecord, isRecord } from "@kubescaffold/platform";

import { textOf } from "../manifest-facts.ts";
import { type CheckedExample, checkExample, type ExampleObject, OWN_FIELDS, repairExample } from "./example-search.ts";
import { propertiesOf, smallestValue } from "./example-values.ts";
import type { WebhookCalls } from "./webhook-calls.ts";

/** What a test creates of a kind. */
export interface Example {
  /** The name, where rules want another one than the test has. */
  readonly name: string | undefined;
  /** Members of the object in TypeScript beside its metadata; empty for none. */
  readonly members: string;
  /** Why no value is accepted. Then the members are the best ones that were found. */
  readonly problem: string | undefined;
}

const TEST_NAME = "test";

/**
 * Returns an object of a kind that its schema and its rules accept: the first valid one of the samples, as a server stores it, else one that is made of
 * the schema.
 */
export function exampleObject(crd: CrdFacts, version: string, samples: readonly unknown[]): Example {
  const schema = crd.versions.find(({ name }) => name === version)?.schema ?? {};
  const given = samples
    .filter((each) => isRecord(each))
    .filter((each) => Object.keys(asRecord(each["spec"])).length > 0 || !isRecord(propertiesOf(schema)["spec"]));
  const identity = { apiVersion: `${crd.group}/${version}`, kind: crd.kind };
  const named = (name: string, fields: Schema): ExampleObject => ({ ...fields, ...identity, metadata: { name } });
  const allowed = allowedNames(schema);
  for (const sample of given) {
    const fields = Object.fromEntries(Object.entries(sample).filter(([key]) => !OWN_FIELDS.has(key)));
    const own = textOf(asRecord(sample["metadata"])["name"]);
    for (const name of (allowed ?? [TEST_NAME, own]).filter(Boolean)) {
      const checked = checkExample(schema, named(name, fields));
      if (checked.errors.length === 0) return exampleOf(schema, checked, name);
    }
  }
  const smallest = smallestFields(schema);
  const names = allowed ?? [TEST_NAME, ...nameLiterals(schema)];
  let best: readonly [CheckedExample, string] | undefined;
  for (const name of names) {
    const found = repairExample(schema, named(name, smallest));
    if (best === undefined || found.errors.length < best[0].errors.length) best = [found, name];
    if (found.errors.length === 0) break;
  }
  return best === undefined ? { name: undefined, members: "", problem: undefined } : exampleOf(schema, ...best);
}

function exampleOf(schema: Schema, { object, errors }: CheckedExample, name: string): Example {
  const members = Object.entries(object)
    .filter(([key]) => !OWN_FIELDS.has(key))
    .map(([key, value]) => {
      const member = valueLiteral({ [key]: value })
        .slice(1, -1)
        .trim();
      return hasUntyped(asRecord(propertiesOf(schema)[key]), value) ? `${member} as never` : member;
    });
  const [first] = errors;
  return {
    name: name === TEST_NAME ? undefined : name,
    members: members.join(", "),
    problem: first === undefined ? undefined : problemOf(first),
  };
}

// Some errors have no details.
function problemOf(error: FieldError): string {
  return error.detail === "" ? fieldErrorToString(error) : `${error.field}: ${error.detail}`;
}

// A schema that preserves unknown fields may even require one: types have none but those of its properties.
function hasUntyped(schema: Schema, value: unknown): boolean {
  const waiting: (readonly [Schema, unknown])[] = [[schema, value]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [type, each] = next;
    const properties = propertiesOf(type);
    if (Array.isArray(each)) waiting.push(...each.map((item) => [asRecord(type["items"]), item] as const));
    if (!isRecord(each) || (Object.keys(properties).length === 0 && !isRecord(type["additionalProperties"]))) continue;
    for (const [key, member] of Object.entries(each)) {
      const found = properties[key] ?? type["additionalProperties"];
      if (found === undefined) return true;
      waiting.push([asRecord(found), member]);
    }
  }
  return false;
}

// The objects of tests have a spec even where it is optional.
function smallestFields(schema: Schema): Schema {
  const properties = propertiesOf(schema);
  const names = new Set([...asList(schema["required"]).map(String), ...(isRecord(properties["spec"]) ? ["spec"] : [])]);
  return Object.fromEntries(
    [...names]
      .filter((name) => !OWN_FIELDS.has(name))
      .map((name) => [name, smallestValue(asRecord(properties[name]))] as const),
  );
}

// A schema may list the names of the only objects.
function allowedNames(schema: Schema): readonly string[] | undefined {
  const metadata = asRecord(propertiesOf(schema)["metadata"]);
  const names = asList(asRecord(propertiesOf(metadata)["name"])["enum"]).filter((name) => typeof name === "string");
  return names.length === 0 ? undefined : names.slice(0, 10);
}

// A rule may demand the name of the only object.
function nameLiterals(schema: Schema): readonly string[] {
  return asList(schema["x-kubernetes-validations"])
    .map((rule) => String(asRecord(rule)["rule"]))
    .filter((rule) => rule.includes("metadata.name"))
    .flatMap((rule) => [...rule.matchAll(/'([^']+)'|"([^"]+)"/gu)].map((each) => each[1] ?? each[2] ?? ""))
    .slice(0, 10);
}

/** Puts an example into a test that a scaffold wrote. Without a valid one, the tests that create it are skipped, and say why. */
export function withExample(text: string, { name, members, problem }: Example): string {
  const filled = text.replaceAll(/, spec: \{\} \}\)/gu, () => {
    const all = members === "" ? "" : `, ${members}`;
    return problem === undefined ? `${all} })` : `${all} } as never)`;
  });
  const renamed =
    name === undefined
      ? filled
      : filled.replaceAll(/const key = \{ name: "[^"\n]*"/gu, () => `const key = { name: ${quotedText(name)}`);
  const why =
    "create an object that the CRD accepts, and remove .skip. No sample is valid, and neither is the object that was made of the schema:";
  return problem === undefined ? renamed : skipped(renamed, why, problem);
}

/**
 * Gives the object of a test of webhooks the labels that their selectors want, and the test the writes that call them. If no webhook is called for any
 * object, the tests are skipped.
 */
export function withCalls(text: string, { labels, operations, problem }: WebhookCalls): string {
  if (problem !== undefined)
    return skipped(text, "create an object that the webhooks are called for, and remove .skip:", problem);
  const labeled =
    Object.keys(labels).length === 0
      ? text
      : text.replace(
          /^(?<key> {2}const key = \{ .*) \};$/mu,
          (_, key: string) => `${key}, labels: ${valueLiteral(labels)} };`,
        );
  if (Object.keys(operations).length === 0) return labeled;
  return labeled.replace(
    /^(?<indent> +)object: sample,$/mu,
    (line, indent: string) => `${line}\n${indent}operations: ${valueLiteral(operations)},`,
  );
}

/** Skips the tests of a conversion that lacks the functions for structs that differ. */
export function withoutConversion(text: string): string {
  return skipped(text, "translate the conversion, and remove .skip.", "The schemas of the versions differ.");
}

const STATUS_TEST =
  / {2}\/\/ Requires the marker \+kubebuilder:subresource:status[^\n]*\n {2}it\("can update the status[^\n]*\n(?: {4}[^\n]*\n)* {2}\}\);\n\n/u;

/** Removes the test of the status of a kind without the status subresource. */
export function withoutStatusTest(text: string): string {
  return text.replace(STATUS_TEST, "");
}

function skipped(text: string, why: string, problem: string): string {
  const lines = `// TODO(user): ${why}\n// ${lineComment(oneLine(problem))}\n`;
  return text.replace(/^describe\(/mu, () => `${lines}describe.skip(`);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ");
}
