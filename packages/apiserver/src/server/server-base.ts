import { deepClone, checkNumbers } from "@kubescaffold/k8s";
import { OwnTurns, realClock, TurnShare } from "@kubescaffold/platform/clock";

import type { Authorizer } from "../pipeline/extension-points.ts";
import { identitiesOf } from "../pipeline/identities.ts";
import type { InternalClient, ServerContext } from "../pipeline/server-context.ts";
import { type Release, withGates } from "../release/release.ts";
import { KUBELET_PREFIX } from "../request/kubelet-names.ts";
import { API_SERVER, type UserInfo } from "../request/request-context.ts";
import type { ServerRequest } from "../request/server-request.ts";
import { builtInTypes } from "../resources/built-in/built-in-types.ts";
import { createObjectVersions } from "../resources/object-versions.ts";
import { Registry } from "../resources/registry.ts";
import { WatchRegistry } from "../resources/watch-registry.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { keyOf } from "../storage/object-key.ts";
import { loadState, PersistentState } from "../storage/persistence/persistent-state.ts";
import { type HistoryLimits, Store } from "../storage/store.ts";
import type { ApiServerOptions } from "./api-server.ts";
import { createInternalClient } from "./create-internal-client.ts";
import { alwaysAllow, AuditLog, handleInternal, type RequestHandlerParts } from "./request-handler.ts";

const HISTORY_LIMIT = 10_000;
const HISTORY_LIMIT_BYTES = 64 * 1024 * 1024;

/** The parts of a server that its other parts work with, in particular its context. */
export interface ServerBase {
  readonly context: ServerContext;
  readonly store: Store;
  readonly watches: WatchRegistry;
  readonly registry: Registry;
  readonly audit: AuditLog;
  /** What clients in the process call, which exists once the server is assembled. */
  readonly holder: RequestHolder;
  readonly persistentState: PersistentState | undefined;
  /** Whether the store has the objects of an earlier server. */
  readonly isRestored: boolean;
}

interface RequestHolder {
  parts?: RequestHandlerParts;
  authorizer: Authorizer;
}

/** Options of the base of a server. */
type BaseOptions = Pick<
  ApiServerOptions,
  "clock" | "featureGates" | "gatedVersions" | "historyLimit" | "historyLimitBytes" | "persist" | "restoreFrom" | "seed"
>;

/**
 * Builds a server of a release on a new base; the folder that it persists in is released if that fails.
 *
 * Fails: `StateLockedError`, `CorruptStateError`, and `NewerStateError`, or with the error of `build`.
 */
export function withServerBase<T>(release: Release, options: BaseOptions, build: (base: ServerBase) => T): T {
  checkNumbers("the server", options, { historyLimit: "duration", historyLimitBytes: "duration" });
  const store = new Store(historyLimitsOf(options));
  const { persist, restoreFrom } = options;
  const { minor } = release;
  const persistentState = persist === undefined ? undefined : new PersistentState(persist, store, { minor });
  try {
    const restoredMinor =
      persistentState === undefined && restoreFrom !== undefined
        ? loadState(restoreFrom, store, minor)
        : persistentState?.restoredMinor;
    const isRestored = restoredMinor !== undefined;
    if (restoredMinor !== undefined && restoredMinor !== minor) printUpgrade(restoredMinor, minor);
    return build(
      baseOf(withGates(release, { ...options.featureGates }), options, { store, persistentState, isRestored }),
    );
  } catch (error) {
    void persistentState?.close();
    throw error;
  }
}

function printUpgrade(from: string, to: string): void {
  process.stderr.write(`the embedded API server upgrades its state from Kubernetes ${from} to ${to}\n`);
}

function historyLimitsOf(options: BaseOptions): HistoryLimits {
  return { changes: options.historyLimit ?? HISTORY_LIMIT, bytes: options.historyLimitBytes ?? HISTORY_LIMIT_BYTES };
}

type LoadedState = Pick<ServerBase, "store" | "persistentState" | "isRestored">;

function baseOf(release: Release, options: BaseOptions, state: LoadedState): ServerBase {
  const { store } = state;
  const registry = new Registry(release, builtInTypes(release, options.gatedVersions));
  const audit = new AuditLog();
  const holder: RequestHolder = { authorizer: alwaysAllow };
  const context: ServerContext = {
    release,
    clock: options.clock ?? realClock,
    objects: store,
    resources: registry,
    versions: createObjectVersions(registry),
    // Seen through the holder, since the authorizer itself is made with the context.
    authorizer: { authorize: (attributes) => holder.authorizer.authorize(attributes) },
    permissions: audit,
    clientFor: (user) => internalClient(holder, user),
    changeStored: (...change) => changeStored(store, ...change),
    turns: new OwnTurns(new TurnShare()),
    identities: identitiesOf(options.seed),
  };
  return { ...state, context, watches: new WatchRegistry(context.clock), registry, audit, holder };
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

function internalClient(holder: RequestHolder, user: UserInfo): InternalClient {
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
