import { randomBytes, randomUUID } from "node:crypto";

import { deepClone } from "@kubescaffold/k8s";

import { createNamespaceLifecycle, createAdmissionChain } from "../admission/admission-chain.ts";
import { type Clock, realClock } from "../clock/clock.ts";
import type { DispatchEnvironment } from "../handlers/dispatch.ts";
import { createTransport } from "../http/in-process.ts";
import { type Authorizer, createVirtualResources } from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import { builtInTypes } from "../resources/built-in/built-in-types.ts";
import { CustomResources } from "../resources/custom/custom-resources.ts";
import { createObjectVersions } from "../resources/object-versions.ts";
import { Registry } from "../resources/registry.ts";
import { WatchRegistry } from "../resources/watch-registry.ts";
import { keyOf } from "../storage/object-key.ts";
import { type HistoryLimits, Store } from "../storage/store.ts";
import type { ApiServer, ApiServerOptions } from "./api-server.ts";
import { storeFirstObjects } from "./bootstrap.ts";
import { createInternalClient } from "./create-internal-client.ts";
import { FaultInjector } from "./fault-injector.ts";
import { createMetaEndpoints } from "./meta-endpoints.ts";
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

const HISTORY_LIMIT = 10_000;
const HISTORY_LIMIT_BYTES = 64 * 1024 * 1024;
const REQUEST_TIMEOUT_MS = 60_000;
const BOOKMARK_INTERVAL_MS = 60_000;

/**
 * Creates an API server; {@link ApiServer.handle} works immediately.
 *
 * Fails: with the error of a factory of the options.
 */
export function createApiServer(options: ApiServerOptions = {}): ApiServer {
  const clock = options.clock ?? realClock;
  const store = new Store(historyLimitsOf(options));
  const watches = new WatchRegistry();
  const registry = new Registry(builtInTypes());
  const holder: { parts?: RequestHandlerParts; authorizer: Authorizer } = { authorizer: alwaysAllow };
  const context: ServerContext = {
    clock,
    objects: store,
    resources: registry,
    versions: createObjectVersions(registry),
    // Seen through the holder, since the authorizer itself is made with the context.
    authorizer: { authorize: (attributes) => holder.authorizer.authorize(attributes) },
    clientFor: (user) =>
      createInternalClient((request) => handleInternal(holder.parts as RequestHandlerParts, request, user)),
    changeStored: (groupResource, key, change) => {
      const current = store.get(groupResource, key);
      if (current === undefined) return undefined;
      const copy = deepClone(current);
      change(copy);
      return store.write({ groupResource, key: keyOf(key), current }, copy);
    },
    newUid: () => randomUUID(),
  };
  holder.authorizer = options.authorizer?.(context) ?? alwaysAllow;
  const customResources = new CustomResources({
    store,
    registry,
    watches,
    clock,
    conversion: { callWebhook: options.callWebhook, newUid: context.newUid },
  });
  const environment: DispatchEnvironment = {
    store,
    clock,
    registry,
    watches,
    authorizer: holder.authorizer,
    admission: createAdmissionChain([
      createNamespaceLifecycle(context),
      ...(options.admission ?? []).map((factory) => factory(context)),
    ]),
    virtualResources: createVirtualResources((options.virtualResources ?? []).flatMap((factory) => factory(context))),
    podStreams: options.podStreams?.(context),
    newUid: context.newUid,
    nameSuffix: randomSuffix,
    bookmarkIntervalMs: options.bookmarkIntervalMs ?? BOOKMARK_INTERVAL_MS,
  };
  const faults = new FaultInjector({ clock, store, watches });
  const audit = new AuditLog();
  holder.parts = {
    environment,
    faults,
    audit,
    authenticators: (options.authenticators ?? []).map((factory) => factory(context)),
    allowAnonymous: options.allowAnonymous ?? true,
    metaEndpoints: createMetaEndpoints(registry),
    ...limitsOf(clock, options),
  };
  storeFirstObjects({
    store,
    clock,
    resources: registry,
    newUid: context.newUid,
    namespaces: options.namespaces,
    initialObjects: options.initialObjects?.() ?? [],
  });
  seedObjects({ store, registry, clock, newUid: context.newUid }, options.seedObjects ?? []);
  const handler = createRequestHandler(holder.parts);
  return new RunningServer({
    context,
    faults,
    audit,
    handler,
    handle: createTransport(handler),
    store,
    watches,
    customResources,
    controllers: (options.controllers ?? []).map((factory) => factory(context)),
  });
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
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`the embedded API server answered 500 because of a defect: ${text}\n`);
}

const SUFFIX_CHARACTERS = "bcdfghjklmnpqrstvwxz2456789";

function randomSuffix(): string {
  return [...randomBytes(5)].map((byte) => SUFFIX_CHARACTERS[byte % SUFFIX_CHARACTERS.length]).join("");
}
