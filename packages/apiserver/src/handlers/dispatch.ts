import type { RequestMetrics } from "../metrics/request-metrics.ts";
import { type EncodableList, encodeList, encodeLong, listObject } from "../output/encode-list.ts";
import { encodeShared, encodeWritten } from "../output/encode-object.ts";
import { createTransform } from "../output/transform.ts";
import { longTextAnswer, objectAnswer, PAGE_NOT_FOUND } from "../output/write-response.ts";
import type { PodStreams, VirtualResources } from "../pipeline/extension-points.ts";
import {
  methodNotAllowed,
  methodNotSupported,
  notFound,
  resourceNotFound,
  STREAMS,
  throwNoStream,
  throwNotBuilt,
} from "../request/failures.ts";
import { CBOR, isText, type RequestContext } from "../request/request-context.ts";
import type { ServerResponse } from "../request/server-request.ts";
import { groupResourceOf, type ResourceType } from "../resources/registry.ts";
import type { WatchRegistry } from "../resources/watch-registry.ts";
import type { ApiObject } from "../storage/api-object.ts";
import {
  type ControlPlaneComponent,
  componentStatus,
  isComponentStatus,
  listComponentStatuses,
} from "./component-statuses.ts";
import { admitConnect } from "./connect-admission.ts";
import { handleCreate } from "./create.ts";
import { handleDelete, handleDeleteCollection, type DeleteResult } from "./delete.ts";
import { handleGet } from "./get.ts";
import { handleList } from "./list.ts";
import { type ReadEnvironment, readsFromCache, type StaleReads } from "./stale-reads.ts";
import { handleUpdate } from "./update.ts";
import { handleVirtualCreate } from "./virtual-create.ts";
import { handleWatch } from "./watch.ts";
import { type HandlerEnvironment, isApply } from "./write-request.ts";

/** Dependencies of requests for resources. */
export interface DispatchEnvironment extends HandlerEnvironment {
  readonly watches: WatchRegistry;
  readonly metrics: RequestMetrics;
  readonly virtualResources: VirtualResources;
  /** Absent where pods have no containers. */
  readonly podStreams: PodStreams | undefined;
  /** The components that run beside the server. */
  readonly components: readonly ControlPlaneComponent[];
  /** The source of reads that a cache may answer, for a server that lags behind. Default: the store. */
  readonly staleReads?: StaleReads;
}

type DispatchReads = Omit<DispatchEnvironment, "store">;

interface Dispatch {
  readonly environment: DispatchEnvironment;
  readonly context: RequestContext;
  readonly type: ResourceType;
}

/** Handles a request for a resource. */
export async function dispatchResource(
  environment: DispatchEnvironment,
  context: RequestContext,
): Promise<ServerResponse> {
  const { info } = context;
  const type = environment.registry.find(info);
  if (type === undefined) {
    return unknownResource(environment, context);
  }
  if (context.request.method === "HEAD" && !isProxy(context)) {
    throw methodNotAllowed();
  }
  if (!isScopeRight(context, type)) {
    return wrongScope(context, type);
  }
  if (type.deprecationWarning !== undefined && hasRoute(context, type)) {
    context.warnings.push(type.deprecationWarning);
    context.audit?.annotate("k8s.io/deprecated", "true");
  }
  const dispatch = { environment, context, type };
  const virtual = info.verb === "create" ? environment.virtualResources.find(info) : undefined;
  if (virtual !== undefined) {
    return answer(dispatch, await handleVirtualCreate(environment, context, type, virtual), 201);
  }
  return info.subresource === "" ? dispatchVerb(dispatch) : dispatchSubresource(dispatch);
}

// A built-in kind warns about the paths that it has.
function hasRoute({ info }: RequestContext, { isCustom, subresourceTypes }: ResourceType): boolean {
  return isCustom || info.subresource === "" || subresourceTypes.some(({ name }) => name === info.subresource);
}

const NEEDS_NAME: ReadonlySet<string> = new Set(["get", "update", "patch", "delete"]);

async function dispatchVerb(dispatch: Dispatch): Promise<ServerResponse> {
  const { environment, context, type } = dispatch;
  if (type.isVirtual === true) {
    return throwNotBuilt("virtual-resource");
  }
  const { verb, name } = context.info;
  const isServed = type.verbs.includes(verb) || type.unlistedVerbs?.includes(verb) === true;
  if (!isServed || (NEEDS_NAME.has(verb) && name === "")) {
    throw type.isCustom ? methodNotSupported(groupResourceOf(type), verb) : methodNotAllowed();
  }
  switch (context.info.verb) {
    case "get":
      context.output();
      return answer(
        dispatch,
        isComponentStatus(type)
          ? componentStatus(environment.components, context)
          : await handleGet(readsOf(dispatch), dispatch),
      );
    case "list":
      context.output();
      if (isComponentStatus(type))
        return listAnswer(dispatch, listComponentStatuses(environment.components, context, type));
      return listAnswer(dispatch, await handleList(readsOf(dispatch), dispatch));
    case "watch":
      return handleWatch(readsOf(dispatch), dispatch);
    case "create":
      if (context.info.name !== "") {
        throw methodNotAllowed();
      }
      return answer(dispatch, await handleCreate(environment, dispatch), 201);
    case "update":
      return updateAnswer(dispatch);
    case "patch":
      return patchAnswer(dispatch);
    case "delete":
      return deleteAnswer(dispatch, await handleDelete(environment, dispatch));
    case "deletecollection":
      return listAnswer(dispatch, await handleDeleteCollection(environment, dispatch));
    default:
      throw methodNotAllowed();
  }
}

function readsOf({ environment, context, type }: Dispatch): ReadEnvironment & DispatchReads {
  const { staleReads } = environment;
  if (staleReads === undefined) return environment;
  const { verb } = context.info;
  if (readsFromCache(verb, context.request.query)) return { ...environment, store: staleReads.of(type.storedAs) };
  return verb === "watch" ? { ...environment, store: staleReads.fromPresent(type.storedAs) } : environment;
}

async function dispatchSubresource(dispatch: Dispatch): Promise<ServerResponse> {
  const { environment, context, type } = dispatch;
  const { subresource, verb, name } = context.info;
  const entry = type.subresourceTypes.find((candidate) => candidate.name === subresource);
  if (entry === undefined) {
    if (!type.isCustom) {
      throw resourceNotFound();
    }
    throw notFound({ groupResource: groupResourceOf(type), name });
  }
  // A program behind a proxy knows methods that the API does not have.
  if (!entry.verbs.includes(verb) && !isProxy(context)) {
    throw type.isCustom ? methodNotSupported(groupResourceOf(type), verb) : methodNotAllowed();
  }
  if (entry.kind === "Scale") {
    return dispatchScale(dispatch);
  }
  if (isStream(context)) {
    if (subresource !== "log") await admitConnect(environment, { context, type, optionsKind: entry.kind });
    const isServed = context.info.resource !== "nodes";
    return isServed && environment.podStreams !== undefined
      ? await environment.podStreams.serve(context)
      : throwNoStream(subresource);
  }
  if (entry.kind !== type.kind) return throwNotBuilt("virtual-resource");
  switch (verb) {
    case "get":
      return answer(dispatch, await handleGet(readsOf(dispatch), dispatch));
    case "update":
      return updateAnswer(dispatch);
    case "patch":
      return patchAnswer(dispatch);
    default:
      throw methodNotAllowed();
  }
}

function isProxy({ info }: Pick<RequestContext, "info">): boolean {
  return info.group === "" && info.subresource === "proxy";
}

/** Reports whether a request is for a stream of a container or a node, which clients may upgrade to another protocol. */
function isStream({ info }: Pick<RequestContext, "info">): boolean {
  return info.group === "" && STREAMS.has(info.subresource);
}

async function dispatchScale(dispatch: Dispatch): Promise<ServerResponse> {
  const { environment, type, context } = dispatch;
  const { scale } = type.strategy();
  if (scale === undefined) {
    throw resourceNotFound();
  }
  const input = { ...dispatch, scale };
  scales ??= await import("./scale.ts");
  switch (context.info.verb) {
    case "get":
      return answer(dispatch, await scales.handleGetScale(environment, input));
    case "update":
      return answer(dispatch, await scales.handleUpdateScale(environment, input));
    default: {
      const handle = isApply(context) ? scales.handleApplyScale : scales.handlePatchScale;
      return answer(dispatch, await handle(environment, input));
    }
  }
}

async function updateAnswer(dispatch: Dispatch): Promise<ServerResponse> {
  const { object, isCreated } = await handleUpdate(dispatch.environment, dispatch);
  return answer(dispatch, object, isCreated ? 201 : 200);
}

async function patchAnswer(dispatch: Dispatch): Promise<ServerResponse> {
  if (!isApply(dispatch.context)) {
    patches ??= await import("./patch.ts");
    return answer(dispatch, await patches.handlePatch(dispatch.environment, dispatch));
  }
  applies ??= await import("./apply.ts");
  const { object, isCreated } = await applies.handleApply(dispatch.environment, dispatch);
  return answer(dispatch, object, isCreated ? 201 : 200);
}

// Most requests are none of these, and what changes an object by a patch is a third of the code.
let patches: typeof import("./patch.ts") | undefined;
let applies: typeof import("./apply.ts") | undefined;
let scales: typeof import("./scale.ts") | undefined;

async function answer(
  { environment, context, type }: Dispatch,
  object: ApiObject,
  code: number = 200,
): Promise<ServerResponse> {
  const output = context.output();
  const transform = await createTransform({ output, type, query: context.request.query, clock: environment.clock });
  const encode = context.info.verb === "get" ? encodeShared : encodeWritten;
  return transform === undefined
    ? objectAnswer({ code, object, encode: () => encode(object), output })
    : objectAnswer({ code, object: transform.one(object), output });
}

async function listAnswer({ environment, context, type }: Dispatch, list: EncodableList): Promise<ServerResponse> {
  const output = context.output();
  const transform = await createTransform({ output, type, query: context.request.query, clock: environment.clock });
  if (transform !== undefined) {
    const long = await transform.list(list);
    if (isText(output.mediaType)) return longTextAnswer(await encodeLong(long), output);
    return objectAnswer({ code: 200, object: { ...long.head, [long.member]: long.parts }, output });
  }
  if (isText(output.mediaType)) return longTextAnswer(await encodeList(type, list), output);
  const statesKinds = output.mediaType !== CBOR || type.isCustom;
  return objectAnswer({ code: 200, object: listObject(type, list, { statesKinds }), output });
}

async function deleteAnswer(dispatch: Dispatch, result: DeleteResult): Promise<ServerResponse> {
  const { context, type } = dispatch;
  const { object, isGone, isAccepted } = result;
  if (!isGone || type.strategy().returnsDeletedObject) {
    return answer(dispatch, object, isAccepted && !isGone ? 202 : 200);
  }
  const { name, uid } = object.metadata;
  const status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: { name, ...(type.group === "" ? {} : { group: type.group }), kind: type.resource, uid },
  };
  const output = context.output();
  const mediaType = isText(output.mediaType) ? "application/json" : output.mediaType;
  return objectAnswer({ code: 200, object: status, output: { ...output, mediaType } });
}

function isScopeRight({ info }: RequestContext, type: ResourceType): boolean {
  if (!type.isNamespaced) {
    return info.namespace === "" || (info.resource === "namespaces" && info.namespace === info.name);
  }
  const isAcrossNamespaces = info.namespace === "" && (info.verb === "list" || info.verb === "watch");
  return info.namespace !== "" || isAcrossNamespaces;
}

function wrongScope({ info }: RequestContext, type: ResourceType): ServerResponse {
  if (type.isCustom) {
    return PAGE_NOT_FOUND;
  }
  throw type.isNamespaced && info.name === "" ? methodNotAllowed() : resourceNotFound();
}

function unknownResource({ registry }: DispatchEnvironment, { info }: RequestContext): ServerResponse {
  if (registry.hasBuiltInGroup(info.group)) {
    throw resourceNotFound();
  }
  return PAGE_NOT_FOUND;
}
