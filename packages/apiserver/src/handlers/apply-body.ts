import { goQuote, goUnmarshalError, messageOf, printServerJson, ScaffoldError } from "@kubescaffold/k8s";
import { isJsonObject, type JsonObject } from "@kubescaffold/schema/values";

import type { CborLimits } from "../cbor/cbor-limits.ts";
import type { Release } from "../release/release.ts";
import { parseYaml, parseYamlAsJson } from "../request/body.ts";
import { badRequest } from "../request/failures.ts";
import type { RequestContext } from "../request/request-context.ts";
import { isCborApply } from "./write-request.ts";

/** The body of an apply. kube-apiserver decodes it after it has looked up the object. */
export interface ApplyBody {
  /** Returns the apply configuration. Fails: with 400 when the body is none. */
  readonly configuration: () => JsonObject;
  /** The keys that are stated twice, as go-yaml reports them. */
  readonly duplicates: readonly string[];
  /** Whether the apply holds for one version of the object alone. */
  readonly statesVersion: boolean;
}

/**
 * Reads the body of an apply, which is YAML, JSON, or CBOR.
 *
 * Fails: with 400 when kube-apiserver refuses it before it looks up the object, which it does since 1.37.
 */
export async function readApplyBody(context: RequestContext, release: Release): Promise<ApplyBody> {
  const read = isCborApply(context)
    ? await readCborText(await context.request.bytes(), context.cborLimits)
    : await readYamlText(await context.request.body());
  const noun = release.since("1.37") ? "patch" : "YAML";
  if (release.since("1.37") && read.transcodingProblem !== undefined) throw badRequest(read.transcodingProblem);
  if (read.problem === undefined) context.audit?.notePatch(() => printServerJson(read.value));
  return {
    configuration: () => configurationOf(read, noun),
    duplicates: read.duplicates ?? [],
    statesVersion: statesVersion(read.value),
  };
}

/** A body after decoding, or why it cannot be decoded. */
interface ReadBody {
  readonly value?: unknown;
  readonly duplicates?: readonly string[];
  readonly problem?: string;
  /** The message of servers that convert the body to JSON first, for the events of audits. */
  readonly transcodingProblem?: string | undefined;
  /** Describes why a value is no object. */
  readonly shapeProblem?: (value: unknown) => string;
}

// As in Go, null decodes to an object without fields.
function configurationOf({ value, problem, shapeProblem }: ReadBody, noun: string): JsonObject {
  if (problem !== undefined) throw badRequest(`error decoding ${noun}: ${problem}`);
  const configuration = value ?? {};
  if (isJsonObject(configuration)) return configuration;
  throw badRequest(`error decoding ${noun}: ${shapeProblem?.(value) ?? ""}`);
}

function statesVersion(value: unknown): boolean {
  if (!isJsonObject(value) || !isJsonObject(value["metadata"])) return false;
  const { resourceVersion } = value["metadata"];
  return typeof resourceVersion === "string" && resourceVersion !== "";
}

const MAP = "map[string]interface {}";

async function readCborText(bytes: Uint8Array, limits: CborLimits): Promise<ReadBody> {
  const [{ readCbor, typeOfItem, unmarshalError }, { HeadReader }] = await Promise.all([
    import("../cbor/read-cbor.ts"),
    import("../cbor/item-head.ts"),
  ]);
  try {
    return {
      value: readCbor(bytes, { limits }),
      shapeProblem: () => unmarshalError(typeOfItem(new HeadReader(bytes)), MAP).message,
    };
  } catch (error) {
    if (!(error instanceof ScaffoldError)) throw error;
    return { problem: error.message, transcodingProblem: `error decoding patch: ${error.message}` };
  }
}

// Keys that are stated twice are looked for only where there are some.
async function readYamlText(text: string): Promise<ReadBody> {
  const shapeProblem = (value: unknown): string =>
    `error unmarshaling JSON: while decoding JSON: ${goUnmarshalError(value, MAP)}`;
  try {
    return { value: parseYamlAsJson(text) ?? (await parseYaml(text)), shapeProblem };
  } catch {
    const read = await readLoosely(text);
    return { ...read, duplicates: read.problem === undefined ? await duplicateLines(text) : [], shapeProblem };
  }
}

async function readLoosely(text: string): Promise<ReadBody> {
  try {
    return { value: await parseYaml(text, { duplicateKeys: "last-wins" }) };
  } catch (error) {
    const problem = messageOf(error);
    return {
      problem: `error converting YAML to JSON: ${problem}`,
      // What starts like an object in JSON is taken for JSON.
      transcodingProblem: text.trimStart().startsWith("{") ? undefined : `error encoding patch: ${problem}`,
    };
  }
}

async function duplicateLines(text: string): Promise<readonly string[]> {
  const { duplicateYamlKeys } = await import("@kubescaffold/k8s/yaml");
  return duplicateYamlKeys(text).map(({ key, line }) => `line ${String(line)}: key ${goQuote(key)} already set in map`);
}
