import { randomUUID } from "node:crypto";

import { apiVersionOf, deepClone, gvkOf, randomString, toTime } from "@kubescaffold/k8s";
import { type Clock, OwnTurns, realClock, TurnShare } from "@kubescaffold/platform/clock";

import { createNamespaceLifecycle, createAdmissionChain } from "../admission/admission-chain.ts";
import { RequestLog } from "../audit/request-log.ts";
import { SERVER_VERSION } from "../discovery/server-version.ts";
import type { DispatchEnvironment } from "../handlers/dispatch.ts";
import { createInProcessTransport } from "../http/plain-exchange.ts";
import { RequestMetrics } from "../metrics/request-metrics.ts";
import type { MetricSources, ServedMetrics } from "../metrics/server-metrics.ts";
import { type Authorizer, createVirtualResources } from "../pipeline/extension-points.ts";
import type { InProcessController, InternalClient, ServerContext } from "../pipeline/server-context.ts";
import { KUBELET_PREFIX } from "../request/kubelet-names.ts";
import { API_SERVER, type UserInfo } from "../request/request-context.ts";
import type { ServerRequest } from "../request/server-request.ts";
import { builtInTypes } from "../resources/built-in/built-in-types.ts";
import { CustomResources } from "../resources/custom/custom-resources.ts";
import { createObjectVersions } from "../resources/object-versions.ts";
import { Registry } from "../resources/registry.ts";
import type { PortRange } from "../resources/strategy.ts";
import { WatchRegistry } from "../resources/watch-registry.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { keyOf } from "../storage/object-key.ts";
import type { ObjectReader } from "../storage/object-reader.ts";
import { loadState, PersistentState } from "../storage/persistence/persistent-state.ts";
import { type HistoryLimits, Store } from "../storage/store.ts";
import type { ApiServer, ApiServerOptions } from "./api-server.ts";
import { storeFirstObjects } from "./bootstrap.ts";
import { createInternalClient, sharingClient } from "./create-internal-client.ts";
import { FaultInjector } from "./fault-injector.ts";
import { listExpiry } from "./list-expiry.ts";
import { createMetaEndpoints } from "./meta-endpoints.ts";
import { ObjectHistory } from "./object-history.ts";
import {
  AuditLog,
  alwaysAllow,
  createRequestHandler,
  handleInternal,
  type RequestHandlerParts,
} from "./request-handler.ts";
import { Deadlines, RequestsInFlight } from "./request-limits.ts";
import { RunningServer } from "./running-server.ts";
import { seedObjects } from "./seed-objects.ts";
import { readServiceRanges } from "./service-ranges.ts";

const HISTORY_LIMIT = 10_000;
const HISTORY_LIMIT_BYTES = 64 * 1024 * 1024;
const REQUEST_TIMEOUT_MS = 60_000;
const BOOKMARK_INTERVAL_MS = 60_000;
const DEFAULT_NODE_PORTS: PortRange = { first: 30_000, last: 32_767 };

/**
 * Creates an API server; {@link ApiServer.handle} works immediately.
 *
 * Fails: with the error of a factory of the options, of the folder to persist in or to restore from (`StateLockedError`, `CorruptStateError`), or of `serviceRanges` (`ServiceRangeError`).
 */
export function createApiServer(options: ApiServerOptions = {}): ApiServer {
  const store = new Store(historyLimitsOf(options));
  const persistentState = options.persist === undefined ? undefined : new PersistentState(options.persist, store);
  try {
    const isRestored =
      persistentState === undefined
        ? options.restoreFrom !== undefined && loadState(options.restoreFrom, store)
        : persistentState.isRestored;
    return assemble(options, { store, persistentState, isRestored });
  } catch (error) {
    void persistentState?.close();
    throw error;
  }
}

interface LoadedState {
  readonly store: Store;
  readonly persistentState: PersistentState | undefined;
  readonly isRestored: boolean;
}

function assemble(options: ApiServerOptions, { store, persistentState, isRestored }: LoadedState): ApiServer {
  const clock = options.clock ?? realClock;
  const watches = new WatchRegistry();
  const registry = new Registry(builtInTypes(options.gatedVersions));
  const audit = new AuditLog();
  const holder: { parts?: RequestHandlerParts; authorizer: Authorizer } = { authorizer: alwaysAllow };
  const context: ServerContext = {
    clock,
    objects: store,
    resources: registry,
    versions: createObjectVersions(registry),
    // Seen through the holder, since the authorizer itself is made with the context.
    authorizer: { authorize: (attributes) => holder.authorizer.authorize(attributes) },
    permissions: audit,
    clientFor: (user) => internalClient(holder, user),
    changeStored: (...change) => changeStored(store, ...change),
    turns: new OwnTurns(new TurnShare()),
    newUid: () => randomUUID(),
  };
  holder.authorizer = options.authorizer?.(context) ?? alwaysAllow;
  const customResources = customResourcesOf(options, { store, registry, watches, context });
  const metrics = new RequestMetrics();
  const environment: DispatchEnvironment = {
    store,
    metrics,
    clock,
    registry,
    versions: context.versions,
    watches,
    authorizer: holder.authorizer,
    permissions: audit,
    admission: createAdmissionChain([
      createNamespaceLifecycle(context),
      ...(options.admission ?? []).map((factory) => factory(context)),
    ]),
    virtualResources: createVirtualResources((options.virtualResources ?? []).flatMap((factory) => factory(context))),
    podStreams: options.podStreams?.(context),
    components: options.components ?? [],
    newUid: context.newUid,
    nameSuffix: () => randomString(5),
    bookmarkIntervalMs: options.bookmarkIntervalMs ?? BOOKMARK_INTERVAL_MS,
    serviceRanges: readServiceRanges(options.serviceRanges),
    nodePortRange: options.nodePortRange ?? DEFAULT_NODE_PORTS,
  };
  const faults = new FaultInjector({ clock, store, watches });
  const history = historyOf(options, clock);
  const requestLog = options.audit === undefined ? undefined : new RequestLog(clock, options.audit);
  holder.parts = {
    environment,
    faults,
    audit,
    requestLog,
    history,
    authenticators: (options.authenticators ?? []).map((factory) => factory(context)),
    allowAnonymous: options.allowAnonymous ?? true,
    metrics,
    metaEndpoints: createMetaEndpoints(registry, options, async () => await metricsOf(holder, options)),
    aggregator: options.aggregator?.(context),
    classifier: options.classifier?.(context),
    hasCbor: options.featureGates?.CBORServingAndStorage ?? false,
    ...limitsOf(clock, options),
  };
  fillStore({ options, environment, isRestored });
  if (isRestored) customResources.reload();
  history?.follow(store);
  const handler = createRequestHandler(holder.parts);
  return new RunningServer({
    context,
    faults,
    audit,
    requestLog,
    history,
    handler,
    handle: createInProcessTransport(handler),
    store,
    watches,
    customResources,
    persistentState,
    controllers: [listExpiry(clock, store), ...controllersOf(options, context)],
  });
}

function controllersOf({ controllers = [] }: ApiServerOptions, context: ServerContext): readonly InProcessController[] {
  const share = new TurnShare();
  return controllers.map((factory) => {
    const turns = new OwnTurns(share);
    const { clientFor, objects } = context;
    return factory({
      ...context,
      turns,
      clientFor: (user) => sharingClient(clientFor(user), turns),
      objects: chargingReader(objects, turns),
    });
  });
}

function chargingReader(objects: ObjectReader, turns: OwnTurns): ObjectReader {
  return {
    get: (...target) => objects.get(...target),
    observe: (...listener) => objects.observe(...listener),
    list: (...target) => {
      const listed = objects.list(...target);
      turns.charge(listed.length);
      return listed;
    },
  };
}

function customResourcesOf(
  options: ApiServerOptions,
  parts: Pick<DispatchEnvironment, "store" | "registry" | "watches"> & { readonly context: ServerContext },
): CustomResources {
  const { store, registry, watches, context } = parts;
  const { clock, newUid } = context;
  return new CustomResources({
    store,
    registry,
    watches,
    clock,
    conversion: { callWebhook: options.callWebhook, newUid },
    loadStatusTracking: async () => await loadStatusTracking(registry, clock),
    reportDefect: options.reportPanic ?? printDefect,
  });
}

// What prints metrics is loaded with the first scrape.
async function metricsOf(
  { parts }: { readonly parts?: RequestHandlerParts },
  { featureGates = {} }: ApiServerOptions,
): Promise<ServedMetrics> {
  const { metricsText } = await import("../metrics/server-metrics.ts");
  const { environment, inFlight, metrics } = parts as RequestHandlerParts;
  return await metricsText({
    requests: metrics,
    inFlight: inFlight.counts,
    objects: objectCounts(environment),
    build: SERVER_VERSION,
    featureGates: { ...featureGates },
  });
}

function objectCounts({ registry, store }: DispatchEnvironment): MetricSources["objects"] {
  const stored = new Map(
    registry
      .all()
      .filter(({ isVirtual }) => isVirtual !== true)
      .map(({ storedAs }) => [`${storedAs.resource}.${storedAs.group}`, storedAs]),
  );
  return [...stored.values()].map(({ group, resource }) => ({
    group,
    resource,
    count: store.table({ group, resource }).current().keys.length,
  }));
}

function changeStored(
  store: Store,
  ...[groupResource, key, change]: Parameters<ServerContext["changeStored"]>
): ApiObject | undefined {
  const current = store.get(groupResource, key);
  if (current === undefined) return undefined;
  const copy = deepClone(current);
  change(copy);
  return store.write({ groupResource, key: keyOf(key), current }, copy);
}

function internalClient(holder: { readonly parts?: RequestHandlerParts }, user: UserInfo): InternalClient {
  const handle = (request: ServerRequest): ReturnType<typeof handleInternal> =>
    handleInternal(holder.parts as RequestHandlerParts, request, user);
  return createInternalClient(handle, componentOf(user.name));
}

const CONTROLLERS = "system:serviceaccount:kube-system:";

// The first word of the user agent, by which field owners are named.
function componentOf(userName: string): string | undefined {
  if (userName.startsWith(CONTROLLERS)) return "kube-controller-manager";
  if (userName === API_SERVER.name) return "kube-apiserver";
  if (userName.startsWith(KUBELET_PREFIX)) return "kubelet";
  return userName === "system:kube-scheduler" ? "kube-scheduler" : undefined;
}

async function loadStatusTracking(
  registry: Registry,
  clock: Clock,
): Promise<(before: ApiObject, after: ApiObject) => void> {
  const { trackUpdate } = await import("../handlers/field-management/track-update.ts");
  return (before, after) => {
    const type = registry.findByKind(gvkOf(after));
    if (type === undefined) return;
    const apiVersion = apiVersionOf(type);
    const manager = { manager: "kube-apiserver", operation: "Update", apiVersion, subresource: "status" } as const;
    trackUpdate({ type, before, after, manager, now: toTime(clock.now()) });
  };
}

interface Filling {
  readonly options: ApiServerOptions;
  readonly environment: DispatchEnvironment;
  readonly isRestored: boolean;
}

function fillStore({ options, environment, isRestored }: Filling): void {
  const { store, clock, registry, newUid } = environment;
  storeFirstObjects({
    store,
    clock,
    resources: registry,
    newUid,
    namespaces: options.namespaces,
    initialObjects: options.initialObjects?.() ?? [],
    isRestored,
  });
  if (!isRestored) seedObjects(environment, options.seedObjects ?? []);
}

function historyOf({ recordHistory = false }: ApiServerOptions, clock: Clock): ObjectHistory | undefined {
  return recordHistory === false ? undefined : new ObjectHistory(clock, recordHistory === true ? {} : recordHistory);
}

function historyLimitsOf(options: ApiServerOptions): HistoryLimits {
  return { changes: options.historyLimit ?? HISTORY_LIMIT, bytes: options.historyLimitBytes ?? HISTORY_LIMIT_BYTES };
}

function limitsOf(
  clock: Clock,
  { requestLimits = {}, reportPanic = printPanic }: ApiServerOptions,
): Pick<RequestHandlerParts, "inFlight" | "deadlines" | "reportPanic"> {
  return {
    inFlight: new RequestsInFlight(requestLimits),
    deadlines: new Deadlines(clock, requestLimits.requestTimeoutMs ?? REQUEST_TIMEOUT_MS),
    reportPanic,
  };
}

function printPanic(error: unknown): void {
  process.stderr.write(`the embedded API server answered 500 because of a defect: ${textOf(error)}\n`);
}

function printDefect(error: unknown): void {
  process.stderr.write(`the embedded API server could not process a CustomResourceDefinition: ${textOf(error)}\n`);
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
