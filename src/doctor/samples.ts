import { fieldErrorToString, type JSONValue } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";

import type { FileTree } from "../machinery/file-tree.ts";
import { type DefinedVersion, type Definition, definitionsIn, readableDocuments } from "./definitions.ts";
import type { Finding } from "./project-files.ts";

/** A project, and what its sources generate, which counts for more than what was generated before. */
interface SampledProject {
  readonly tree: FileTree;
  readonly generated: readonly { readonly path: string; readonly content: string }[];
}

const SAMPLES = "config/samples";
const CRDS = "config/crd/bases";

/** Lists the samples of a project. */
export function samplesOf(tree: FileTree): readonly string[] {
  return tree
    .filesBelow(SAMPLES)
    .filter((file) => /\.(?:ya?ml|json)$/u.test(file) && !/\/kustomization\.ya?ml$/u.test(file));
}

/** Returns why an API server would refuse samples, by the definitions of their kinds; each finding has the line and the field. */
export async function diagnoseSamples({ tree, generated }: SampledProject): Promise<readonly Finding[]> {
  const objects = samplesOf(tree).flatMap((path) => objectsIn(path, tree.read(path) ?? ""));
  const definitions = objects.length === 0 ? [] : readDefinitions(tree, generated);
  const checked = objects.flatMap((sample) => {
    const ofGroup = definitions.filter(({ group }) => group === sample.group);
    return ofGroup.length === 0 || isUnwritten(sample) ? [] : [{ sample, ofGroup }];
  });
  if (checked.length === 0) return [];
  const { createLineFinder } = await import("../project/yaml-places.ts");
  const found = await Promise.all(checked.map(({ sample, ofGroup }) => problemsOf(sample, ofGroup)));
  return found.flatMap((problems, index) => {
    const sample = checked[index]?.sample;
    if (sample === undefined || problems.length === 0) return [];
    const lineOf = createLineFinder(sample.text);
    const findings = problems.map(({ field, message, hint }) => ({
      severity: isTodo(sample) ? ("note" as const) : ("error" as const),
      path: sample.path,
      line: lineOf(sample.index, field),
      message: `an API server rejects ${sample.kind} ${nameOf(sample)}: ${message}`,
      hint,
    }));
    return findings.toSorted((left, right) => left.line - right.line);
  });
}

interface Sample {
  readonly path: string;
  readonly text: string;
  /** The number of the object among those of its file. */
  readonly index: number;
  readonly object: Readonly<Record<string, JSONValue>>;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

// What is no object is a finding of kustomize.
function objectsIn(path: string, text: string): readonly Sample[] {
  return readableDocuments(text).flatMap((document, index) => {
    if (!isRecord(document)) return [];
    const { apiVersion, kind } = document;
    if (typeof apiVersion !== "string" || typeof kind !== "string" || !apiVersion.includes("/")) return [];
    const [group = "", version = ""] = apiVersion.split("/");
    const object = document as Readonly<Record<string, JSONValue>>;
    return [{ path, text, index, object, group, version, kind }];
  });
}

function isTodo({ text }: Sample): boolean {
  return text.includes("TODO(user)");
}

function isUnwritten(sample: Sample): boolean {
  return isTodo(sample) && (sample.object["spec"] ?? null) === null;
}

function nameOf({ object: { metadata } }: Sample): string {
  const name = isRecord(metadata) ? (metadata["name"] ?? metadata["generateName"]) : undefined;
  return typeof name === "string" ? name : "without a name";
}

function readDefinitions(tree: FileTree, generated: SampledProject["generated"]): readonly Definition[] {
  const present = tree.filesBelow(CRDS).map((path) => [path, tree.read(path) ?? ""] as const);
  const made = generated
    .filter(({ path }) => path.startsWith(`${CRDS}/`))
    .map((each) => [each.path, each.content] as const);
  return [...new Map([...present, ...made]).values()].flatMap((text) => definitionsIn(text));
}

interface Problem {
  readonly field: string;
  readonly message: string;
  readonly hint: string;
}

async function problemsOf(sample: Sample, ofGroup: readonly Definition[]): Promise<readonly Problem[]> {
  const { group, version, kind } = sample;
  const definition = ofGroup.find((each) => each.kind === kind);
  if (definition === undefined) {
    const kinds = ofGroup.map((each) => each.kind).toSorted();
    return [
      {
        field: "kind",
        message: `${CRDS} defines no kind ${kind} in ${group}`,
        hint: `correct it to one of ${[...new Set(kinds)].join(", ")}, or delete the sample and its line in ${SAMPLES}/kustomization.yaml`,
      },
    ];
  }
  const served = definition.versions.filter((each) => each.served);
  const chosen = served.find((each) => each.name === version);
  if (chosen !== undefined) return refusals(sample, definition, chosen);
  const isKnown = definition.versions.some((each) => each.name === version);
  return [
    {
      field: "apiVersion",
      message: isKnown ? `${version} of ${kind} is not served` : `${kind} has no version ${version}`,
      hint: `change apiVersion to a served version: ${served.map((each) => `${group}/${each.name}`).join(", ")}`,
    },
  ];
}

// In the order of a server: what it does not know, its defaults, its rules.
async function refusals(
  { object }: Sample,
  { scope }: Definition,
  { schema: given, subresources }: DefinedVersion,
): Promise<readonly Problem[]> {
  const { containsRules, defineSchema, objectMetaTypeProblem, unknownFieldMessage, unknownObjectMetaFields } =
    await import("@kubescaffold/schema");
  const { openAPIV3Schema: schema } = given ?? {};
  if (schema === undefined) return [];
  const metadata = object["metadata"] ?? {};
  const misread = objectMetaTypeProblem(metadata);
  if (misread !== undefined)
    return [
      {
        field: "metadata",
        message: misread,
        hint: "fix the type of the value: quote strings that look like numbers",
      },
    ];
  const rules = containsRules(schema) ? (await import("@kubescaffold/schema/cel")).validateRules : undefined;
  const typed = defineSchema<JSONValue>({ scope, ...(rules === undefined ? {} : { rules }) }, () => schema);
  const { value, unknownFields } = typed.prune(object);
  const unknown = [...unknownObjectMetaFields(metadata).map((field) => `metadata.${field}`), ...unknownFields];
  const defaulted = typed.applyDefaults(value) as Readonly<Record<string, JSONValue>>;
  const { status: _, ...withoutStatus } = defaulted;
  // What is sent of a status that is written apart is not looked at.
  const created = subresources?.status === undefined ? defaulted : withoutStatus;
  return [
    ...unknown.map((field) => ({
      field,
      message: unknownFieldMessage(field),
      hint: "remove it or fix its name; if the type has it, run npm run manifests",
    })),
    ...typed
      .validate(created)
      .filter(({ field }) => field !== "<nil>")
      .map((error) => ({
        field: error.field,
        message: fieldErrorToString(error),
        hint: "fix the sample, or fix the markers of the type and run npm run manifests",
      })),
  ];
}
