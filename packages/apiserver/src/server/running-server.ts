import { type RestConfig, type Transport, ScaffoldError } from "@kubescaffold/k8s";

import type { RequestLog } from "../audit/request-log.ts";
import type { StaleReads } from "../handlers/stale-reads.ts";
import type { Handler } from "../http/in-process.ts";
import type { InProcessController, ServerContext } from "../pipeline/server-context.ts";
import type { CustomResources } from "../resources/custom/custom-resources.ts";
import type { WatchRegistry } from "../resources/watch-registry.ts";
import type { PersistentState } from "../storage/persistence/persistent-state.ts";
import { type RevisionSnapshot, StoreView } from "../storage/store-view.ts";
import type { Store } from "../storage/store.ts";
import type {
  ApiServer,
  ListenOptions,
  Listener,
  RecordedObject,
  ServerSnapshot,
  AuditRecord,
  Faults,
} from "./api-server.ts";
import type { ObjectHistory, ObjectVersions } from "./object-history.ts";
import type { RequestsInFlight } from "./request-limits.ts";
import { ServedHandler } from "./served-handler.ts";
import { createServerView, type ServerView } from "./server-view.ts";
import { type QuietOptions, QuietWait, type Rest } from "./writes/quiet.ts";
import type { RequestWrites } from "./writes/request-writes.ts";
import type { WriteMatch } from "./writes/stored-write.ts";
import { hookWrite, type WriteHook } from "./writes/write-hooks.ts";

interface ServerParts {
  readonly context: ServerContext;
  readonly faults: Faults;
  readonly audit: AuditRecord;
  readonly requestLog: RequestLog | undefined;
  readonly history: ObjectHistory | undefined;
  readonly writes: RequestWrites;
  readonly inFlight: RequestsInFlight;
  readonly handler: Handler;
  /** Creates the handler of a server that lags behind. */
  readonly createStaleHandler: (staleReads: StaleReads) => Handler;
  readonly store: Store;
  readonly watches: WatchRegistry;
  readonly customResources: CustomResources;
  readonly persistentState: PersistentState | undefined;
  readonly controllers: readonly InProcessController[];
}

/** Owns what a server starts and must end: controllers, watches, listeners. */
export class RunningServer implements ApiServer {
  readonly handle: Transport;
  readonly context: ServerContext;
  readonly faults: Faults;
  readonly audit: AuditRecord;
  readonly #parts: ServerParts;
  readonly #served: ServedHandler;
  readonly #views = new Set<ServerView>();
  readonly #waits = new Set<QuietWait>();
  readonly #snapshots = new WeakMap<ServerSnapshot, RevisionSnapshot>();
  readonly #pristine: ServerSnapshot;
  #isStarted = false;
  #isClosed = false;

  constructor(parts: ServerParts) {
    this.#parts = parts;
    this.context = parts.context;
    this.faults = parts.faults;
    this.audit = parts.audit;
    this.#served = new ServedHandler(parts.handler, parts.requestLog);
    this.handle = this.#served.handle;
    this.#pristine = this.snapshot();
  }

  restConfig(): RestConfig {
    return this.#served.restConfig();
  }

  async listen(options: ListenOptions = {}): Promise<Listener> {
    const listener = await this.#served.listen(options);
    this.start();
    return listener;
  }

  start(): void {
    if (!this.#isStarted && !this.#isClosed) {
      this.#isStarted = true;
      this.#parts.controllers.forEach((controller) => controller.start());
    }
  }

  async idle(): Promise<void> {
    let revision: number;
    // The work of one controller may trigger another.
    do {
      revision = this.#parts.store.revision;
      await this.#parts.customResources.idle();
      for (const controller of this.#isStarted ? this.#parts.controllers : []) {
        await controller.idle();
      }
    } while (revision !== this.#parts.store.revision);
  }

  snapshot(): ServerSnapshot {
    const snapshot: ServerSnapshot = { kind: "api-server-snapshot" };
    this.#snapshots.set(snapshot, this.#present());
    return snapshot;
  }

  viewAt(snapshot: ServerSnapshot): ServerView {
    const { store, watches, createStaleHandler, requestLog } = this.#parts;
    const storeView = new StoreView(store, this.#storedAt(snapshot), (resource) =>
      watches.expireAll(({ reads }) => resource.isReadBy(reads)),
    );
    const view = createServerView({
      view: storeView,
      served: new ServedHandler(
        createStaleHandler({
          of: (resource) => storeView.resource(resource),
          fromPresent: (resource) => storeView.resource(resource).fromPresent(),
        }),
        requestLog,
      ),
      snapshotOf: (later) => this.#storedAt(later),
      now: () => this.#present(),
      endWatches: () => {
        this.#views.delete(view);
        watches.endWhere(({ reads, type }) => storeView.resource(type.storedAs).isReadBy(reads));
      },
    });
    this.#views.add(view);
    return view;
  }

  #present(): RevisionSnapshot {
    const { store } = this.#parts;
    return { revision: store.revision, stored: store.snapshot() };
  }

  #storedAt(snapshot: ServerSnapshot): RevisionSnapshot {
    const stored = this.#snapshots.get(snapshot);
    if (stored === undefined) throw new ForeignSnapshotError();
    return stored;
  }

  history({ metadata }: RecordedObject): ObjectVersions {
    const { history } = this.#parts;
    if (history === undefined) throw new HistoryNotRecordedError();
    return history.of(metadata?.uid ?? "");
  }

  onWrite(match: WriteMatch, occurrence: number, hook: WriteHook): () => void {
    return hookWrite(this.#parts.writes, match, { occurrence, hook });
  }

  async quiet(options: QuietOptions): Promise<Rest> {
    const { clock } = this.context;
    const { store, writes, watches, inFlight } = this.#parts;
    const idle = async (): Promise<void> => await this.idle();
    const wait = new QuietWait({ clock, store, writes, watches, inFlight, idle }, options);
    this.#waits.add(wait);
    try {
      return await wait.rest;
    } finally {
      this.#waits.delete(wait);
    }
  }

  async restore(snapshot: ServerSnapshot): Promise<void> {
    const { stored } = this.#storedAt(snapshot);
    const wasStarted = this.#isStarted;
    await this.#stopControllers();
    this.#parts.store.restore(stored);
    this.#parts.customResources.reload();
    this.#parts.watches.expireAll();
    if (wasStarted) {
      this.start();
    }
  }

  async reset(): Promise<void> {
    this.faults.clear();
    this.audit.clear();
    this.#parts.history?.clear();
    await this.restore(this.#pristine);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const wait of this.#waits) wait.fail("before the server was closed");
    await this.#stopControllers();
    this.#parts.customResources.stop();
    this.#parts.watches.endWhere(() => true);
    await Promise.all([this.#served, ...this.#views].map((each) => each.close()));
    await this.#parts.requestLog?.close();
    await this.#parts.persistentState?.close();
  }

  async #stopControllers(): Promise<void> {
    if (this.#isStarted) {
      this.#isStarted = false;
      for (const controller of this.#parts.controllers.toReversed()) {
        await controller.stop();
      }
    }
  }
}

/**
 * Thrown when `history` is called on a server that does not record it.
 *
 * Fix: Create the server or the cluster with the option `recordHistory`.
 */
class HistoryNotRecordedError extends ScaffoldError {
  readonly code = "APISERVER_HISTORY_NOT_RECORDED";

  constructor() {
    super("cannot read the history of an object: it is not recorded", {
      hint: "create the cluster with `recordHistory: true`",
    });
  }
}

/**
 * Thrown when `restore`, `viewAt`, or `catchUp` was called with a snapshot of another server.
 *
 * Fix: Pass a snapshot that the same server created with `snapshot()`.
 */
class ForeignSnapshotError extends ScaffoldError {
  readonly code = "APISERVER_FOREIGN_SNAPSHOT";

  constructor() {
    super("cannot use a snapshot of another server", {
      hint: "pass a snapshot from snapshot() of the same server",
    });
  }
}
