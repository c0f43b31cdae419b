import { apiVersionOf, gvkOf, messageOf, toTime, checkNumbers } from "@kubescaffold/k8s";
import { type Clock, OwnTurns, TurnShare } from "@kubescaffold/platform/clock";

import { createNamespaceLifecycle, createAdmissionChain } from "../admission/admission-chain.ts";
import { RequestLog } from "../audit/request-log.ts";
import { cborLimitsOf } from "../cbor/cbor-limits.ts";
import type { DispatchEnvironment } from "../handlers/dispatch.ts";
import { RequestMetrics } from "../metrics/request-metrics.ts";
import type { MetricSources, ServedMetrics } from "../metrics/server-metrics.ts";
import { createVirtualResources } from "../pipeline/extension-points.ts";
import type { InProcessController, ServerContext } from "../pipeline/server-context.ts";
import type { Release } from "../release/release.ts";
import { selectedRelease } from "../release/selected-release.ts";
import { CustomResources } from "../resources/custom/custom-resources.ts";
import type { Registry } from "../resources/registry.ts";
import type { PortRange } from "../resources/strategy.ts";
import { readServiceRanges } from "../service-network/service-ranges.ts";
import type { ApiObject } from "../storage/api-object.ts";
import type { ObjectReader } from "../storage/object-reader.ts";
import type { ApiServer, ApiServerOptions } from "./api-server.ts";
import { storeFirstObjects } from "./bootstrap.ts";
import { sharingClient } from "./create-internal-client.ts";
import { FaultInjector } from "./fault-injector.ts";
import { listExpiry } from "./list-expiry.ts";
import { createMetaEndpoints } from "./meta-endpoints.ts";
import { ObjectHistory } from "./object-history.ts";
import { alwaysAllow, createRequestHandler, type RequestHandlerParts } from "./request-handler.ts";
import { Deadlines, RequestsInFlight } from "./request-limits.ts";
import { RunningServer } from "./running-server.ts";
import { seedObjects } from "./seed-objects.ts";
import { type ServerBase, withServerBase } from "./server-base.ts";
import { RequestWrites } from "./writes/request-writes.ts";

const REQUEST_TIMEOUT_MS = 60_000;
const BOOKMARK_INTERVAL_MS = 60_000;
const DEFAULT_NODE_PORTS: PortRange = { first: 30_000, last: 32_767 };

/**
 * Creates an API server; {@link ApiServer.handle} works immediately.
 *
 * Fails: with the error of a factory of the options, of the folder to persist in or to restore from (`StateLockedError`, `CorruptStateError`, `NewerStateError`), of
 * `serviceRanges` (`ServiceRangeError`), or of `kubernetesVersion` (`KubernetesVersionError`).
 */
export function createApiServer(options: ApiServerOptions = {}): ApiServer {
  return createServerOf(selectedRelease(options.kubernetesVersion), options);
}

/** Creates a server of a release. Fails like {@link createApiServer}. */
export function createServerOf(release: Release, options: ApiServerOptions = {}): ApiServer {
  return withServerBase(release, options, (base) => assembleServer(base, options));
}

/** Assembles a server on its base. Fails like {@link createApiServer}. */
export function assembleServer(base: ServerBase, options: ApiServerOptions): ApiServer {
  const { store, watches, registry, audit, holder, context } = base;
  const { clock } = context;
  checkNumbers("the server", options, { bookmarkIntervalMs: "interval" });
  checkNumbers("the limits of requests", options.requestLimits ?? {}, {
    maxRequestsInFlight: "duration",
    maxMutatingRequestsInFlight: "duration",
    requestTimeoutMs: "duration",
  });
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
    identities: context.identities,
    bookmarkIntervalMs: options.bookmarkIntervalMs ?? BOOKMARK_INTERVAL_MS,
    serviceRanges: readServiceRanges(options.serviceRanges),
    nodePortRange: options.nodePortRange ?? DEFAULT_NODE_PORTS,
  };
  const faults = new FaultInjector({ clock, store, watches });
  const writes = new RequestWrites(store);
  const history = historyOf(options, { clock, writes });
  const requestLog = options.audit === undefined ? undefined : new RequestLog(clock, options.audit);
  holder.parts = {
    release: context.release,
    environment,
    faults,
    audit,
    requestLog,
    writes,
    authenticators: (options.authenticators ?? []).map((factory) => factory(context)),
    allowAnonymous: options.allowAnonymous ?? true,
    metrics,
    metaEndpoints: createMetaEndpoints(registry, options, async () => await metricsOf(holder, context.release)),
    aggregator: options.aggregator?.(context),
    classifier: options.classifier?.(context),
    hasCbor: context.release.isEnabled("CBORServingAndStorage"),
    cborLimits: cborLimitsOf(context.release),
    ...limitsOf(clock, options),
  };
  fillStore({ options, environment, isRestored: base.isRestored });
  if (base.isRestored) customResources.reload();
  history?.follow(store);
  const { parts } = holder;
  return new RunningServer({
    context,
    faults,
    audit,
    requestLog,
    history,
    writes,
    inFlight: parts.inFlight,
    handler: createRequestHandler(parts),
    createStaleHandler: (staleReads) => createRequestHandler({ ...parts, environment: { ...environment, staleReads } }),
    store,
    watches,
    customResources,
    persistentState: base.persistentState,
    controllers: [listExpiry(clock, store), ...controllersOf(options, context)],
  });
}

function controllersOf({ controllers = [] }: ApiServerOptions, context: ServerContext): readonly InProcessController[] {
  // Requests do not wait for what all controllers do when they start.
  const share = new TurnShare({ firstSteps: 1 });
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
  const { clock, identities } = context;
  return new CustomResources({
    store,
    registry,
    watches,
    clock,
    conversion: { callWebhook: options.callWebhook, newUid: () => identities.newUid("conversion") },
    loadStatusTracking: async () => await loadStatusTracking(registry, clock),
    reportDefect: options.reportPanic ?? printDefect,
  });
}

// What prints metrics is loaded with the first scrape.
async function metricsOf(
  { parts }: { readonly parts?: RequestHandlerParts },
  release: Release,
): Promise<ServedMetrics> {
  const { metricsText } = await import("../metrics/server-metrics.ts");
  const { environment, inFlight, metrics } = parts as RequestHandlerParts;
  return await metricsText({
    requests: metrics,
    inFlight: inFlight.counts,
    objects: objectCounts(environment),
    release,
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
  const { store, clock, registry, identities } = environment;
  storeFirstObjects({
    store,
    clock,
    resources: registry,
    newUid: identities.newUid,
    namespaces: options.namespaces,
    initialObjects: options.initialObjects?.() ?? [],
    isRestored,
  });
  if (!isRestored) seedObjects(environment, options.seedObjects ?? []);
}

function historyOf(
  { recordHistory = false }: ApiServerOptions,
  parts: { readonly clock: Clock; readonly writes: RequestWrites },
): ObjectHistory | undefined {
  return recordHistory === false ? undefined : new ObjectHistory(parts, recordHistory === true ? {} : recordHistory);
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
  return error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
}
