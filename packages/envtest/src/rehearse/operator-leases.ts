import { setTimeout as delay } from "node:timers/promises";

import type { StoredWrite } from "@kubescaffold/apiserver";
import { ignoreNotFound } from "@kubescaffold/k8s";
import { Lease } from "@kubescaffold/k8s/coordination/v1";
import { isRecord } from "@kubescaffold/platform";
import { type LiveClient, patch } from "@kubescaffold/runtime";

const POLL_MS = 50;

/** The leases that the managers of an operator hold. */
export class OperatorLeases {
  readonly #holders = new Map<string, string>();

  /** Notes a write of a manager. */
  note({ group, resource, changes }: StoredWrite): void {
    if (group !== "coordination.k8s.io" || resource !== "leases") return;
    for (const { object } of changes) {
      const { spec } = object as { readonly spec?: unknown };
      const holder = isRecord(spec) ? spec["holderIdentity"] : undefined;
      this.#holders.set(
        `${object.metadata.namespace ?? ""}/${object.metadata.name ?? ""}`,
        typeof holder === "string" ? holder : "",
      );
    }
  }

  /** Returns the holder of each lease, by names such as `system/leader`. */
  holders(): ReadonlyMap<string, string> {
    return new Map(this.#holders);
  }

  /** Waits until a lease has a holder other than these. Returns whether there is one in time. */
  async awaitLeader(former: ReadonlySet<string>, timeoutMs: number): Promise<boolean> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      if ([...this.#holders.values()].some((holder) => holder !== "" && !former.has(holder))) return true;
      if (performance.now() > deadline) return false;
      await delay(POLL_MS);
    }
  }

  /** Releases the leases that an ended manager holds, since nobody wants to wait until they expire. */
  async release(client: LiveClient, holders: ReadonlySet<string>): Promise<void> {
    for (const lease of this.#holders.keys()) {
      const [namespace = "", name = ""] = lease.split("/");
      const found = await ignoreNotFound(client.get(Lease, { namespace, name }));
      if (found === undefined || !holders.has(found.spec?.holderIdentity ?? "")) continue;
      await client.patch(found, patch.raw("application/merge-patch+json", { spec: { holderIdentity: "" } }));
    }
  }
}
