import { notFound } from "../request/failures.ts";
import type { RequestContext } from "../request/request-context.ts";
import { requestKey } from "../resources/object-meta.ts";
import { groupResourceOf, type ResourceType } from "../resources/registry.ts";
import { placedView } from "../resources/undecodable-objects.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { checkNotFuture, exactVersion, parseGetVersion } from "./list-options.ts";
import type { ReadEnvironment } from "./stale-reads.ts";
import { storedView, wholeView } from "./write-request.ts";

/** Returns the object that a request names. */
export async function handleGet(
  environment: ReadEnvironment,
  { context, type }: { readonly context: RequestContext; readonly type: ResourceType },
): Promise<ApiObject> {
  parseGetVersion(context.request.query);
  checkNotFuture(exactVersion(context.request.query), environment.store.revision);
  const stored = environment.store.table(type.storedAs).get(requestKey(type, context.info));
  if (stored === undefined) {
    throw notFound({ groupResource: groupResourceOf(type), name: context.info.name });
  }
  const view = context.info.subresource === "status" ? wholeView(type, stored) : storedView(type, stored);
  return placedView(type, view);
}
