import type { IntOrString } from "@kubescaffold/k8s";
import type { DaemonSet } from "@kubescaffold/k8s/apps/v1";
import type { Pod } from "@kubescaffold/k8s/core/v1";

import { untilAvailableMs } from "../workload-objects.ts";
import { isUpdated, placeOn } from "./daemon-nodes.ts";
import type { DaemonChanges, DaemonRound } from "./daemon-pods.ts";

/** Returns the next step of a rolling update, within the limits of its strategy. */
export function nextRolloutChanges(round: DaemonRound): DaemonChanges {
  const wanted = round.nodes
    .filter((node) => placeOn(node, round.set).shouldRun)
    .map(({ metadata }) => metadata.name ?? "");
  const places = [...new Set([...round.pods.keys(), ...wanted])].map((node) => placeOf(round, node));
  const surge = scaled(round.set.spec?.updateStrategy?.rollingUpdate?.maxSurge ?? 0, wanted.length);
  const unavailable = scaled(round.set.spec?.updateStrategy?.rollingUpdate?.maxUnavailable ?? 1, wanted.length);
  if (surge === 0) return { nodes: [], pods: replaceable(round, places, Math.max(unavailable, 1)) };
  return surgeChanges(round, places, { surge, wanted: new Set(wanted) });
}

// A node, its pod of the present revision, and the one of another; nothing when it has more of one kind.
interface Place {
  readonly node: string;
  readonly pods: { readonly fresh: Pod | undefined; readonly stale: Pod | undefined } | undefined;
}

function placeOf({ set, hash, pods }: DaemonRound, node: string): Place {
  const staying = (pods.get(node) ?? []).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const [fresh, ...otherFresh] = staying.filter((pod) => isUpdated(pod, set, hash));
  const [stale, ...otherStale] = staying.filter((pod) => !isUpdated(pod, set, hash));
  return { node, pods: otherFresh.length + otherStale.length > 0 ? undefined : { fresh, stale } };
}

// Old pods that are not available go regardless; others as long as few enough are unavailable.
function replaceable({ set, now }: DaemonRound, places: readonly Place[], limit: number): readonly Pod[] {
  const isAvailable = (pod: Pod): boolean => untilAvailableMs(pod, set, now) === 0;
  const allowed: Pod[] = [];
  const candidates: Pod[] = [];
  let unavailable = 0;
  for (const { pods } of places) {
    if (pods === undefined || (pods.fresh === undefined) === (pods.stale === undefined)) unavailable += 1;
    else if (pods.fresh !== undefined) unavailable += isAvailable(pods.fresh) ? 0 : 1;
    else if (pods.stale !== undefined && isAvailable(pods.stale)) candidates.push(pods.stale);
    else if (pods.stale !== undefined) {
      allowed.push(pods.stale);
      unavailable += 1;
    }
  }
  return [...allowed, ...candidates.slice(0, Math.max(0, limit - unavailable))];
}

function surgeChanges(
  { set, now }: DaemonRound,
  places: readonly Place[],
  { surge, wanted }: { readonly surge: number; readonly wanted: ReadonlySet<string> },
): DaemonChanges {
  const isAvailable = (pod: Pod): boolean => untilAvailableMs(pod, set, now) === 0;
  const doomed: Pod[] = [];
  const leaving: Pod[] = [];
  const allowed: string[] = [];
  const candidates: string[] = [];
  let surging = 0;
  let available = 0;
  for (const { node, pods } of places) {
    if (pods === undefined) {
      surging += 1;
      continue;
    }
    const { fresh, stale } = pods;
    const counted = stale ?? fresh;
    if (counted !== undefined && isAvailable(counted)) available += 1;
    if (stale === undefined) continue;
    if (fresh !== undefined) {
      if (isAvailable(fresh)) doomed.push(stale);
      else surging += 1;
    } else if (!wanted.has(node)) (isAvailable(stale) ? leaving : doomed).push(stale);
    else (isAvailable(stale) ? candidates : allowed).push(node);
  }
  const spare = Math.max(0, available - wanted.size);
  return {
    nodes: [...allowed, ...candidates.slice(0, Math.max(0, surge - surging))],
    pods: [...doomed, ...leaving.slice(0, spare)],
  };
}

// Both limits round up.
function scaled(value: IntOrString, total: number): number {
  if (typeof value === "number") return value;
  const number = Number.parseInt(value, 10);
  return value.endsWith("%") ? Math.ceil((number * total) / 100) : number;
}

/** Reports whether a daemon set replaces its pods by itself. */
export function rolls({ spec }: DaemonSet): boolean {
  return spec?.updateStrategy?.type !== "OnDelete";
}
