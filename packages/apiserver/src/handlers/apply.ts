import { apiVersionOf, deepClone, goQuote, parseApiVersion, printServerJson, toTime } from "@kubescaffold/k8s";
import { isJsonObject, type JsonObject } from "@kubescaffold/schema/values";

import { parseYaml, parseYamlAsJson } from "../request/body.ts";
import { badRequest, notFound } from "../request/failures.ts";
import type { RequestContext } from "../request/request-context.ts";
import { matchName, matchNamespace, requestKey } from "../resources/object-meta.ts";
import { type ResourceType, groupResourceOf } from "../resources/registry.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { createObject } from "./create.ts";
import { applyInAllVersions, type ApplyVersions } from "./field-management/apply-object.ts";
import type { Manager } from "./field-management/managers.ts";
import { noteEmptyFields } from "./field-management/track-write.ts";
import { isCborApply } from "./patch.ts";
import { checkCreateAllowed, type UpdateResult } from "./update.ts";
import {
  parseApplyOptions,
  type ApplyOptions,
  admissionOptions,
  asApiObject,
  type HandlerEnvironment,
  reportStrictProblems,
} from "./write-request.ts";
import { writeUpdate } from "./write-update.ts";

interface ApplyInput {
  readonly context: RequestContext;
  readonly type: ResourceType;
}

/** Applies an apply configuration to an object or its subresource (server-side apply); makes the object where there is none. */
export async function handleApply(environment: HandlerEnvironment, input: ApplyInput): Promise<UpdateResult> {
  const { context, type } = input;
  context.output();
  const options = parseApplyOptions(context.request.query);
  const { applied, duplicates } = await readBody(context);
  const isPresent = environment.store.table(type.storedAs).get(requestKey(type, context.info)) !== undefined;
  const objectOf = async (live: ApiObject | undefined): Promise<ApiObject> => {
    const object = await appliedObject(environment, input, applied, options, live);
    reportStrictProblems({
      problems: duplicates,
      options,
      context,
      refuse: () => {
        const lines = duplicates.map((line) => `\n  ${line}`).join("");
        const read = type.release.since("1.37") ? "patch" : "YAML";
        return badRequest(
          `error strict decoding ${read}: error converting YAML to JSON: yaml: unmarshal errors:${lines}`,
        );
      },
    });
    return object;
  };
  if (!isPresent) return { object: await createApplied(environment, input, { options, objectOf }), isCreated: true };
  const object = await writeUpdate(environment, {
    context,
    type,
    isDryRun: options.isDryRun,
    options: admissionOptions("UpdateOptions", options),
    retriesConflicts: !statesVersion(applied),
    isApply: true,
    change: objectOf,
  });
  return { object, isCreated: false };
}

async function createApplied(
  environment: HandlerEnvironment,
  { context, type }: ApplyInput,
  { options, objectOf }: { readonly options: ApplyOptions; readonly objectOf: (live: undefined) => Promise<ApiObject> },
): Promise<ApiObject> {
  if (context.info.subresource !== "")
    throw notFound({ groupResource: groupResourceOf(type), name: context.info.name });
  await checkCreateAllowed(environment, { context, type });
  const object = await objectOf(undefined);
  const { managedFields } = object.metadata;
  return createObject(environment, { context, type, options, object, managedFields });
}

async function appliedObject(
  environment: HandlerEnvironment,
  { context, type }: ApplyInput,
  applied: JsonObject,
  options: ApplyOptions,
  live: ApiObject | undefined,
): Promise<ApiObject> {
  const manager: Manager = {
    manager: options.fieldManager,
    operation: "Apply",
    apiVersion: apiVersionOf(type),
    subresource: context.info.subresource,
  };
  const now = toTime(environment.clock.now());
  const apply = { type, live, applied, manager, force: options.force, now };
  const merged = await applyInAllVersions(apply, versionsOf(environment, type));
  const decoding = { unknownFields: [], isMerged: true, stated: applied };
  const object = type.strategy().decode(asApiObject(type, deepClone(merged)), decoding);
  matchNamespace(object, type, context.info.namespace);
  matchName(object, context.info.name);
  // Subresources keep the metadata that is stored.
  if (type.isCustom && context.info.subresource === "") noteEmptyFields(object, merged);
  return object;
}

function versionsOf({ registry, versions }: HandlerEnvironment, type: ResourceType): ApplyVersions {
  const typeOf = (apiVersion: string): ResourceType | undefined => {
    const other = registry.findByKind({ ...parseApiVersion(apiVersion), kind: type.kind });
    // Built-in kinds without the version forget its owners; for a definition without it, the apply fails.
    if (other !== undefined || !type.isCustom) return other;
    throw new Error(`request to convert CR to an invalid group/version: ${apiVersion}`);
  };
  return {
    typeOf,
    convert: async (object, { from, to }) => {
      const [own, other] = [typeOf(from), typeOf(to)];
      return own === undefined || other === undefined
        ? object
        : await versions.convert(object, { from: own, to: other });
    },
  };
}

/** Reads what is applied, which is YAML or JSON. */
export async function readApplied(context: RequestContext): Promise<JsonObject> {
  const { applied } = await readBody(context);
  return applied;
}

async function readBody(
  context: RequestContext,
): Promise<{ readonly applied: JsonObject; readonly duplicates: readonly string[] }> {
  const { value, duplicates } = await readConfiguration(context);
  const applied = value as JsonObject;
  if (!isJsonObject(applied)) throw badRequest("error decoding YAML: the body is no object");
  context.audit?.notePatch(() => printServerJson(applied));
  return { applied, duplicates };
}

async function readConfiguration(context: RequestContext): ReturnType<typeof readText> {
  if (!isCborApply(context)) return await readText(await context.request.body());
  const { readCborConfiguration } = await import("../request/cbor-body.ts");
  return { value: readCborConfiguration(await context.request.bytes()), duplicates: [] };
}

// Keys that are stated twice are looked for only where there are some.
async function readText(text: string): Promise<{ readonly value: unknown; readonly duplicates: readonly string[] }> {
  try {
    return { value: parseYamlAsJson(text) ?? (await parseYaml(text)), duplicates: [] };
  } catch {
    return { value: await readLoosely(text), duplicates: await duplicateLines(text) };
  }
}

async function readLoosely(text: string): Promise<unknown> {
  try {
    return await parseYaml(text, { duplicateKeys: "last-wins" });
  } catch (error) {
    throw badRequest(`error decoding YAML: error converting YAML to JSON: ${(error as Error).message}`);
  }
}

// Returns what go-yaml says about keys that are stated twice.
async function duplicateLines(text: string): Promise<readonly string[]> {
  const { duplicateYamlKeys } = await import("@kubescaffold/k8s/yaml");
  return duplicateYamlKeys(text).map(({ key, line }) => `line ${String(line)}: key ${goQuote(key)} already set in map`);
}

/** Reports whether what is applied holds for one version of the object alone. */
export function statesVersion({ metadata }: JsonObject): boolean {
  return (
    isJsonObject(metadata) && typeof metadata["resourceVersion"] === "string" && metadata["resourceVersion"] !== ""
  );
}
