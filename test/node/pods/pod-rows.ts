import { type Observation, observePod, type PodRow } from "./observe-pod.ts";
import type { TablePod } from "./table-pod.ts";

/** Options of {@link podRows}. */
export interface PodRowsOptions extends Observation {
  readonly table: readonly TablePod[];
  /** The number of Pods that run at the same time. */
  readonly atOnce: number;
}

/** What a cluster reported about the Pods of the table. */
export interface PodRows {
  readonly rows: Readonly<Record<string, PodRow>>;
  /** The Pods that never came to the state in which they are observed. */
  readonly stuck: readonly string[];
}

/** Runs the Pods of the table on a cluster, some at once. */
export async function podRows({ table, atOnce, ...observation }: PodRowsOptions): Promise<PodRows> {
  const waiting = [...table];
  const rows = new Map<string, PodRow>();
  const stuck: string[] = [];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      try {
        rows.set(next.name, await observePod(observation, next));
      } catch (error) {
        stuck.push(`${next.name}: ${String(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return { rows: Object.fromEntries([...rows].toSorted(([a], [b]) => a.localeCompare(b, "en"))), stuck };
}
