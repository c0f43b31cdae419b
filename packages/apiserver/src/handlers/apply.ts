import { apiVersionOf, deepClone } from "@kubescaffold/k8s";
import { isJsonObject, type JsonObject } from "@kubescaffold/schema";

import { toTime } from "../clock/clock.ts";
import { parseYaml } from "../request/body.ts";
import { badRequest, notFound } from "../request/failures.ts";
import type { RequestContext } from "../request/request-context.ts";
import { matchName, matchNamespace, requestKey } from "../resources/object-meta.ts";
import { type ResourceType, groupResourceOf } from "../resources/registry.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { createObject } from "./create.ts";
import { applyToObject } from "./field-management/apply-object.ts";
import type { Manager } from "./field-management/managers.ts";
import { checkCreateAllowed, type UpdateResult } from "./update.ts";
import {
  parseApplyOptions,
  type ApplyOptions,
  admissionOptions,
  asApiObject,
  type HandlerEnvironment,
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
  const applied = await readApplied(context);
  const isPresent = environment.store.table(type.storedAs).get(requestKey(type, context.info)) !== undefined;
  const objectOf = (live: ApiObject | undefined): ApiObject =>
    appliedObject(environment, input, applied, options, live);
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
  { options, objectOf }: { readonly options: ApplyOptions; readonly objectOf: (live: undefined) => ApiObject },
): Promise<ApiObject> {
  if (context.info.subresource !== "")
    throw notFound({ groupResource: groupResourceOf(type), name: context.info.name });
  await checkCreateAllowed(environment, { context, type });
  const object = objectOf(undefined);
  const { managedFields } = object.metadata;
  return createObject(environment, { context, type, options, object, managedFields });
}

function appliedObject(
  environment: HandlerEnvironment,
  { context, type }: ApplyInput,
  applied: JsonObject,
  options: ApplyOptions,
  live: ApiObject | undefined,
): ApiObject {
  const manager: Manager = {
    manager: options.fieldManager,
    operation: "Apply",
    apiVersion: apiVersionOf(type),
    subresource: context.info.subresource,
  };
  const now = toTime(environment.clock.now());
  const merged = applyToObject({ type, live, applied, manager, force: options.force, now });
  const object = type.strategy().decode(asApiObject(type, deepClone(merged)), { unknownFields: [] });
  matchNamespace(object, type, context.info.namespace);
  matchName(object, context.info.name);
  return object;
}

/** Reads what is applied, which is YAML or JSON. */
export async function readApplied(context: RequestContext): Promise<JsonObject> {
  const text = await context.request.body();
  let value: unknown;
  try {
    value = await parseYaml(text);
  } catch (error) {
    throw badRequest(`error decoding YAML: error converting YAML to JSON: ${(error as Error).message}`);
  }
  const object = value as JsonObject;
  if (!isJsonObject(object)) throw badRequest("error decoding YAML: the body is no object");
  return object;
}

/** Reports whether what is applied holds for one version of the object alone. */
export function statesVersion({ metadata }: JsonObject): boolean {
  return (
    isJsonObject(metadata) && typeof metadata["resourceVersion"] === "string" && metadata["resourceVersion"] !== ""
  );
}
