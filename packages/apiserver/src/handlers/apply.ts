import { apiVersionOf, deepClone, parseApiVersion, toTime } from "@kubescaffold/k8s";
import type { JsonObject } from "@kubescaffold/schema/values";

import { badRequest, notFound } from "../request/failures.ts";
import type { RequestContext } from "../request/request-context.ts";
import { matchName, matchNamespace, requestKey } from "../resources/object-meta.ts";
import { type ResourceType, groupResourceOf } from "../resources/registry.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { readApplyBody } from "./apply-body.ts";
import { createObject } from "./create.ts";
import { applyInAllVersions, type ApplyVersions } from "./field-management/apply-object.ts";
import type { Manager } from "./field-management/managers.ts";
import { noteEmptyFields } from "./field-management/track-write.ts";
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
  const body = await readApplyBody(context, type.release);
  const { duplicates } = body;
  const isPresent = environment.store.table(type.storedAs).get(requestKey(type, context.info)) !== undefined;
  const objectOf = async (live: ApiObject | undefined): Promise<ApiObject> => {
    const object = await appliedObject(environment, input, body.configuration(), options, live);
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
    retriesConflicts: !body.statesVersion,
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
