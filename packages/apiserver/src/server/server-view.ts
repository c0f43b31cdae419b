import { type GroupResource, type RestConfig, ScaffoldError, type Transport } from "@kubescaffold/k8s";

import type { Listener, ListenOptions } from "../http/http-listener.ts";
import type { RevisionSnapshot, StoreView } from "../storage/store-view.ts";
import type { ServedHandler } from "./served-handler.ts";
import type { ServerSnapshot } from "./server-snapshot.ts";

/**
 * Serves the same cluster as a second API server whose caches lag behind, which happens to clients of several API servers.
 *
 * Reads that a cache of kube-apiserver may answer are as old as the view: gets, lists, and watches with a `resourceVersion`, such as 0. A read that requires a
 * later version than the view has fails with 504. All other requests find the present: writes, reads without a `resourceVersion`, exact versions, and further
 * pages. So do watches without a `resourceVersion`, such as streaming lists, when they start; their later events are as late as the view.
 */
export interface ServerView {
  /** Handles a request without a socket. */
  readonly handle: Transport;
  /** Returns a config with the in-process transport. */
  restConfig(): RestConfig;
  /** Serves requests on a socket. */
  listen(options?: ListenOptions): Promise<Listener>;
  /** Keeps a resource, or all, as they are now; those that already lag behind stay as they are. */
  hold(resource?: GroupResource): void;
  /**
   * Lets a resource, or all, catch up: its watches receive the changes since. Without a snapshot, it shows the present from now on; otherwise it stays
   * at the snapshot.
   *
   * Fails: `EarlierSnapshotError` for a snapshot from before what the view shows; `ForeignSnapshotError` for one of another server.
   */
  catchUp(resource?: GroupResource, to?: ServerSnapshot): void;
  /** Ends its watches, and stops listening. */
  close(): Promise<void>;
}

/** Creates the view of a server. */
export function createServerView({
  view,
  served,
  snapshotOf,
  now,
  endWatches,
}: {
  readonly view: StoreView;
  readonly served: ServedHandler;
  readonly snapshotOf: (snapshot: ServerSnapshot) => RevisionSnapshot;
  readonly now: () => RevisionSnapshot;
  readonly endWatches: () => void;
}): ServerView {
  return {
    handle: served.handle,
    restConfig: () => served.restConfig(),
    listen: async (options) => await served.listen(options),
    hold: (resource) => view.hold(resource, now()),
    catchUp: (resource, to) => {
      const target = to === undefined ? undefined : snapshotOf(to);
      const latest = view.latest(resource);
      if (target !== undefined && target.revision < latest) throw new EarlierSnapshotError(target.revision, latest);
      view.move(resource, target);
    },
    close: async () => {
      endWatches();
      await served.close();
    },
  };
}

/**
 * Thrown when a view is to catch up to a snapshot from before what it shows.
 *
 * Fix: Create another view with `viewAt` for a client that meets an API server which is further behind.
 */
class EarlierSnapshotError extends ScaffoldError {
  readonly code = "APISERVER_EARLIER_SNAPSHOT";

  constructor(requested: number, latest: number) {
    super(
      `cannot catch up to the snapshot of resourceVersion ${String(requested)}: the view already shows ${String(latest)}`,
      { hint: "create another view with viewAt() for a server that is further behind" },
    );
  }
}
