import { apiVersionOf, isForbidden, messageOf } from "@kubescaffold/k8s";
import { type Clock, sleep } from "@kubescaffold/platform/clock";
import {
  createListWatch,
  type LiveClient,
  type Logger,
  NoMatchError,
  Reflector,
  type RestMapping,
  type UnstructuredObject,
} from "@kubescaffold/runtime";

import { clusterEventOf } from "../objects/cluster-event.ts";
import { summaryOf } from "../objects/object-summary.ts";
import { type Problems, requestProblem } from "./problems.ts";
import type { ShownObjects } from "./shown-objects.ts";
import type { WatchedHistory } from "./watched-history.ts";

/** Objects to watch. */
export interface WatchTarget {
  readonly group: string;
  /** The plural name of the resource. */
  readonly resource: string;
  /** Empty for all namespaces. */
  readonly namespace: string;
  /** The labels of the objects. Default: any. */
  readonly labelSelector?: string;
  /** Whether the kind is a problem until its CRD is installed: that of a project is. */
  readonly isRequired: boolean;
  /** Whether an object is shown without an owner that is. */
  readonly isRoot: (object: UnstructuredObject) => boolean;
  /** Receives each version of an object, and undefined for one that is deleted. */
  readonly onChange?: (uid: string, object: UnstructuredObject | undefined) => void;
  /** Called when all objects are known. */
  readonly onSynced?: () => void;
}

/** What watches need. */
export interface WatchParts {
  readonly client: LiveClient;
  readonly clock: Clock;
  readonly log: Logger;
  readonly problems: Problems;
  readonly shown: ShownObjects;
  readonly history: WatchedHistory;
  /** The user of the requests, for messages. */
  readonly user: string;
}

const RESOLVE_AGAIN_MS = 5000;

/** Watches objects until the signal aborts: waits for their kind, and reports what prevents it. */
export async function watchObjects(parts: WatchParts, target: WatchTarget, signal: AbortSignal): Promise<void> {
  const mapping = await resolve(parts, target, signal);
  if (mapping === undefined) return;
  const { client, clock, log } = parts;
  const kind = mapping.gvk;
  const scope = {
    ...(target.namespace === "" || mapping.scope === "cluster" ? {} : { namespace: target.namespace }),
    ...(target.labelSelector === undefined ? {} : { labelSelector: target.labelSelector }),
  };
  const key = keyOf(target);
  const store = new WatchedObjects(parts, target, mapping);
  const reflector = new Reflector<UnstructuredObject>({
    kind,
    listWatch: createListWatch(client, kind, scope),
    store: {
      replace: (objects) => {
        parts.problems.set(key, undefined);
        store.replace(objects);
        target.onSynced?.();
      },
      upsert: (object) => store.upsert(object),
      delete: (object) => store.delete(object.metadata.uid ?? ""),
      bookmark: () => undefined,
    },
    clock,
    log,
    onError: (error) => parts.problems.set(key, problemOf(error, { target, mapping, user: parts.user })),
  });
  await reflector.run(signal);
}

function problemOf(
  error: unknown,
  { target, mapping, user }: { readonly target: WatchTarget; readonly mapping: RestMapping; readonly user: string },
): ReturnType<typeof requestProblem> {
  const { group, resource } = mapping.gvr;
  const problem = requestProblem("objects", error, {
    user,
    verbs: ["get", "list", "watch"],
    resource: group === "" ? resource : `${resource}.${group}`,
    namespace: target.namespace,
    role: `dashboard-${resource}`,
  });
  if (!isForbidden(error) || target.namespace !== "") return problem;
  return {
    ...problem,
    hint: "pass --watch-namespace if you may read the objects of some namespaces; for all of them, let an administrator grant the permission:",
  };
}

function keyOf({ group, resource, namespace, labelSelector = "" }: WatchTarget): string {
  return ["objects", group, resource, namespace, labelSelector].join(" ");
}

// A kind is served once its CRD is installed.
async function resolve(
  { client, clock, problems }: WatchParts,
  target: WatchTarget,
  signal: AbortSignal,
): Promise<RestMapping | undefined> {
  const key = keyOf(target);
  while (!signal.aborted) {
    try {
      const mapping = await mappingOf(client, target);
      problems.set(key, undefined);
      return mapping;
    } catch (error) {
      problems.set(key, resolveProblem(error, target));
    }
    await sleep(clock, RESOLVE_AGAIN_MS, signal).catch(() => undefined);
  }
  return undefined;
}

// A kind of others is no problem without its CRD, which may be installed later.
function resolveProblem(error: unknown, { group, resource, isRequired }: WatchTarget): Parameters<Problems["set"]>[1] {
  if (!(error instanceof NoMatchError)) return { source: "objects", message: messageOf(error) };
  if (!isRequired) return undefined;
  return {
    source: "objects",
    message: `the cluster does not serve ${resource}.${group}: the CRD is not installed`,
    hint: "install the CRDs of the project:",
    commands: ["npx scaffold install"],
  };
}

async function mappingOf({ restMapper }: LiveClient, { group, resource }: WatchTarget): Promise<RestMapping> {
  return await restMapper.restMapping(await restMapper.kindFor({ group, resource }));
}

/** The objects of a watch, of which only summaries stay in memory. */
class WatchedObjects {
  readonly #parts: WatchParts;
  readonly #target: WatchTarget;
  readonly #mapping: RestMapping;
  readonly #uids = new Set<string>();
  #isSynced = false;

  constructor(parts: WatchParts, target: WatchTarget, mapping: RestMapping) {
    this.#parts = parts;
    this.#target = target;
    this.#mapping = mapping;
  }

  replace(objects: Iterable<UnstructuredObject>): void {
    const gone = new Set(this.#uids);
    for (const object of objects) {
      gone.delete(object.metadata.uid ?? "");
      this.#set(object, !this.#isSynced);
    }
    for (const uid of gone) this.delete(uid);
    this.#isSynced = true;
  }

  upsert(object: UnstructuredObject): void {
    this.#set(object, false);
  }

  delete(uid: string): void {
    this.#uids.delete(uid);
    this.#parts.history.delete(uid);
    this.#parts.shown.delete(uid);
    this.#target.onChange?.(uid, undefined);
  }

  #set(object: UnstructuredObject, isExisting: boolean): void {
    const { gvk, gvr } = this.#mapping;
    const { shown, history } = this.#parts;
    const uid = object.metadata.uid ?? "";
    this.#target.onChange?.(uid, object);
    if (gvk.kind === "Event" && (gvk.group === "" || gvk.group === "events.k8s.io")) {
      shown.addEvent(clusterEventOf(object));
      return;
    }
    this.#uids.add(uid);
    // The items of a list have neither API version nor kind.
    const typeMeta = { apiVersion: apiVersionOf(gvk), kind: gvk.kind };
    const summary = summaryOf(object, { ...typeMeta, resource: gvr.resource });
    history.record({ ...object, ...typeMeta }, { isExisting });
    shown.set(summary, { isRoot: this.#target.isRoot(object), isExisting });
  }
}
