import { checkPermission } from "../pipeline/extension-points.ts";
import { forbidden, notFound } from "../request/failures.ts";
import type { RequestContext } from "../request/request-context.ts";
import { dedupeOwnerReferences, matchName, matchNamespace, requestKey } from "../resources/object-meta.ts";
import { groupResourceOf, type ResourceType } from "../resources/registry.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { createObject } from "./create.ts";
import { admissionOptions, parseWriteOptions, decodeObject, type HandlerEnvironment } from "./write-request.ts";
import { writeUpdate } from "./write-update.ts";

/** Outcome of an update. */
export interface UpdateResult {
  readonly object: ApiObject;
  readonly isCreated: boolean;
}

/** Replaces an object, or one subresource of it, by the body of a request. */
export async function handleUpdate(
  environment: HandlerEnvironment,
  { context, type }: { readonly context: RequestContext; readonly type: ResourceType },
): Promise<UpdateResult> {
  context.output();
  const options = parseWriteOptions(context.request.query, "UpdateOptions");
  const checkPresent = (): void => void mayCreate(environment, { context, type });
  const object = await decodeObject(context, { type, options, checkPresent });
  matchNamespace(object, type, context.info.namespace);
  matchName(object, context.info.name);
  dedupeOwnerReferences(object, { warnings: context.warnings, isAdmitted: false });
  if (mayCreate(environment, { context, type })) {
    await checkCreateAllowed(environment, { context, type });
    if (!options.isDryRun) delete object.metadata.resourceVersion;
    return { object: await createObject(environment, { context, type, options, object }), isCreated: true };
  }
  const updated = await writeUpdate(environment, {
    context,
    type,
    isDryRun: options.isDryRun,
    options: admissionOptions("UpdateOptions", options),
    retriesConflicts: false,
    // Called once, since nothing is retried.
    change: () => object,
  });
  return { object: updated, isCreated: false };
}

function mayCreate(
  environment: HandlerEnvironment,
  { context, type }: { readonly context: RequestContext; readonly type: ResourceType },
): boolean {
  const isPresent = environment.store.table(type.storedAs).get(requestKey(type, context.info)) !== undefined;
  if (isPresent) {
    return false;
  }
  // As in real servers, the status of a Service that does not exist creates it.
  if (type.strategy().allowsCreateOnUpdate) {
    return true;
  }
  throw notFound({ groupResource: groupResourceOf(type), name: context.info.name });
}

/** Checks that whoever may change objects may also make them. Fails: with 403 when not. */
export async function checkCreateAllowed(
  environment: HandlerEnvironment,
  { context, type }: { readonly context: RequestContext; readonly type: ResourceType },
): Promise<void> {
  const attributes = { ...context.info, verb: "create", user: context.user };
  const decision = await checkPermission(environment, attributes);
  if (!decision.allowed) {
    throw forbidden({ groupResource: groupResourceOf(type), name: context.info.name }, decision.reason);
  }
}
