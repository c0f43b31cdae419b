import type { LiveClient } from "@kubescaffold/runtime";

import { observePod, type PodRow } from "./observe-pod.ts";
import { POD_TABLE } from "./pod-table.ts";
import type { TablePod } from "./table-pod.ts";

const AT_ONCE = 12;

/** What a cluster reported about the Pods of the table. */
export interface PodRows {
  readonly rows: Readonly<Record<string, PodRow>>;
  /** The Pods that never came to the state in which they are observed. */
  readonly stuck: readonly string[];
}

/** Runs the Pods of the table on a cluster, some at once. */
export async function podRows(client: LiveClient, table: readonly TablePod[] = POD_TABLE): Promise<PodRows> {
  const waiting = [...table];
  const rows = new Map<string, PodRow>();
  const stuck: string[] = [];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      try {
        rows.set(next.name, await observePod(client, next));
      } catch (error) {
        stuck.push(`${next.name}: ${String(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return { rows: Object.fromEntries([...rows].toSorted(([a], [b]) => a.localeCompare(b, "en"))), stuck };
}
