import type { Duplex } from "node:stream";

import { type RestConfig, type Transport, ScaffoldError, checkNumbers } from "@kubescaffold/k8s";

import type { RequestLog } from "../audit/request-log.ts";
import { DisconnectedError } from "../http/errors.ts";
import type { InProcessServer } from "../http/http-listener.ts";
import type { Handler } from "../http/in-process.ts";
import type { InProcessController, ServerContext } from "../pipeline/server-context.ts";
import type { CustomResources } from "../resources/custom/custom-resources.ts";
import type { WatchRegistry } from "../resources/watch-registry.ts";
import type { PersistentState } from "../storage/persistence/persistent-state.ts";
import type { Store, StoreSnapshot } from "../storage/store.ts";
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

interface ServerParts {
  readonly context: ServerContext;
  readonly faults: Faults;
  readonly audit: AuditRecord;
  readonly requestLog: RequestLog | undefined;
  readonly history: ObjectHistory | undefined;
  readonly handler: Handler;
  readonly handle: Transport;
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
  #connections: InProcessServer | undefined;
  readonly #listeners = new Set<Listener>();
  readonly #snapshots = new WeakMap<ServerSnapshot, StoreSnapshot>();
  readonly #pristine: ServerSnapshot;
  #isStarted = false;
  #isClosed = false;

  constructor(parts: ServerParts) {
    this.#parts = parts;
    this.context = parts.context;
    this.faults = parts.faults;
    this.audit = parts.audit;
    this.handle = parts.handle;
    this.#pristine = this.snapshot();
  }

  restConfig(): RestConfig {
    return { server: "http://embedded.invalid", transport: this.handle, connect: async () => await this.#connect() };
  }

  async listen(options: ListenOptions = {}): Promise<Listener> {
    checkNumbers("the listener", options, { port: "port" });
    // node:http is loaded only by those who listen.
    const { listen } = await import("../http/http-listener.ts");
    await this.#parts.requestLog?.auditor();
    const listener = await listen(this.#parts.handler, options);
    const closing: Listener = {
      ...listener,
      close: async () => {
        this.#listeners.delete(closing);
        await listener.close();
      },
    };
    this.#listeners.add(closing);
    this.start();
    return closing;
  }

  async #connect(): Promise<Duplex> {
    const { createInProcessServer } = await import("../http/http-listener.ts");
    if (this.#isClosed) throw new DisconnectedError();
    this.#connections ??= createInProcessServer(this.#parts.handler);
    return this.#connections.connect();
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
    this.#snapshots.set(snapshot, this.#parts.store.snapshot());
    return snapshot;
  }

  history({ metadata }: RecordedObject): ObjectVersions {
    const { history } = this.#parts;
    if (history === undefined) throw new HistoryNotRecordedError();
    return history.of(metadata?.uid ?? "");
  }

  async restore(snapshot: ServerSnapshot): Promise<void> {
    const stored = this.#snapshots.get(snapshot);
    if (stored === undefined) {
      throw new ForeignSnapshotError();
    }
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
    await this.#stopControllers();
    this.#parts.customResources.stop();
    this.#parts.watches.endWhere(() => true);
    this.#connections?.close();
    await Promise.all([...this.#listeners].map((listener) => listener.close()));
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
 * Thrown when `restore` was called with a snapshot of another server.
 *
 * Fix: Pass a snapshot that the same server created with `snapshot()`.
 */
class ForeignSnapshotError extends ScaffoldError {
  readonly code = "APISERVER_FOREIGN_SNAPSHOT";

  constructor() {
    super("cannot restore a snapshot of another server", {
      hint: "pass a snapshot from snapshot() of the same server",
    });
  }
}
