import { messageOf } from "@kubescaffold/k8s";
import type { Clock } from "@kubescaffold/platform/clock";
import { type LiveClient, silentLogger } from "@kubescaffold/runtime";
import type { OperatorManifests } from "@kubescaffold/runtime/operator-project";

import type { DashboardMessage } from "../contract/protocol.ts";
import { watchObjects, type WatchParts } from "./object-watches.ts";
import type { Problems } from "./problems.ts";
import { ShownObjects } from "./shown-objects.ts";
import { type ResourceName, watchedResources, type OperatorScope, watchTargets } from "./watch-targets.ts";
import type { WatchedHistory } from "./watched-history.ts";

/** What the watches of a connected dashboard follow. */
export interface ConnectedWatching {
  readonly options: {
    readonly project: string;
    readonly namespace: string;
    readonly resources: () => Promise<readonly ResourceName[]>;
    readonly watchNamespaces?: readonly string[];
  };
  readonly readManifests: () => Promise<OperatorManifests>;
  readonly client: LiveClient;
  readonly clock: Clock;
  readonly history: WatchedHistory;
  readonly problems: Problems;
  readonly user: string;
}

/**
 * The watches of what a manager on this machine may own, until the signal aborts.
 *
 * Guarantees: {@link ConnectedWatches.update} adds kinds that the project and its roles have gained, and leaves the other watches alone.
 */
export class ConnectedWatches {
  readonly #watching: ConnectedWatching;
  readonly #parts: WatchParts;
  readonly #signal: AbortSignal;
  readonly #running = new Map<string, Promise<void>>();
  #updating: Promise<void> = Promise.resolve();

  constructor(
    watching: ConnectedWatching,
    { publish, signal }: { readonly publish: (message: DashboardMessage) => void; readonly signal: AbortSignal },
  ) {
    const { client, clock, history, problems, user } = watching;
    this.#watching = watching;
    this.#parts = { client, clock, history, problems, user, log: silentLogger, shown: new ShownObjects(publish) };
    this.#signal = signal;
  }

  /** Watches the kinds that are not watched yet. */
  update(): void {
    this.#updating = this.#updating
      .then(async () => await this.#watchNew())
      .catch((error: unknown) => this.#report("read the kinds", error));
  }

  /** Resolves when all watches have ended. */
  async ended(): Promise<void> {
    await this.#updating;
    await Promise.allSettled(this.#running.values());
  }

  async #watchNew(): Promise<void> {
    const scope = await this.#scope();
    if (this.#signal.aborted) return;
    this.#parts.problems.set("kinds", undefined);
    // The manager is a process of this machine.
    const ignored = { pod: ignore, lease: ignore, synced: ignore, isOwnLease: () => false };
    for (const target of watchTargets(scope, ignored)) {
      const key = [target.group, target.resource, target.namespace, target.labelSelector].join(" ");
      if (this.#running.has(key)) continue;
      const watching = watchObjects(this.#parts, target, this.#signal);
      this.#running.set(
        key,
        watching.catch((error: unknown) => this.#report("watch the objects", error)),
      );
    }
  }

  #report(failed: string, error: unknown): void {
    this.#parts.problems.set("kinds", {
      source: "objects",
      message: `cannot ${failed} of the project: ${messageOf(error)}`,
    });
  }

  async #scope(): Promise<OperatorScope> {
    const { options, readManifests } = this.#watching;
    const { project, namespace, watchNamespaces: namespaces = [] } = options;
    const [resources, { rbac }] = await Promise.all([options.resources(), readManifests()]);
    const selector = `control-plane=controller-manager,app.kubernetes.io/name=${project}`;
    return { namespace, selector, resources, watched: watchedResources(rbac), namespaces };
  }
}

function ignore(): void {
  // A process of this machine has no Pod and no Lease.
}
