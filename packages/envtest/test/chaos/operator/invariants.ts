import type { DeepReadonly } from "@kubescaffold/k8s";
import { ConfigMap, Secret } from "@kubescaffold/k8s/core/v1";
import type { ReadonlyObject } from "@kubescaffold/k8s/meta/v1";
import type { Reader } from "@kubescaffold/runtime";

import { externalName, FLEET, type Fleet, memberNames, NAMESPACE } from "./fleet.ts";
import { CACHED_KINDS, type ManagerRun, type RunningManager } from "./manager-process.ts";
import { nameOf } from "./observed-objects.ts";

/** Lists the differences between the stored objects and the fleets that a user wants. */
export async function lostUpdates(
  server: Reader,
  desired: ReadonlyMap<string, Fleet["spec"]>,
): Promise<readonly string[]> {
  const fleets = (await server.list(FLEET, { namespace: NAMESPACE })).items;
  const members = (await server.list(ConfigMap, { namespace: NAMESPACE, hasLabels: ["fleet"] })).items;
  const secrets = (await server.list(Secret, { namespace: NAMESPACE })).items;
  const wantedMembers = fleets.flatMap((fleet) =>
    memberNames(fleet).map((name) => `${name}=${fleet.spec.value}@${fleet.metadata.uid ?? ""}`),
  );
  const storedMembers = members.map(
    ({ metadata, data }) => `${metadata.name}=${data?.["value"] ?? ""}@${metadata.ownerReferences?.[0]?.uid ?? ""}`,
  );
  const externals = secrets
    .filter(({ metadata }) => metadata.name.endsWith("-external"))
    .map(({ metadata, data }) => `${metadata.name}=${Buffer.from(data?.["value"] ?? "", "base64").toString()}`);
  return [
    ...difference(
      "fleet",
      fleets.map(textOf),
      [...desired].map(([name, spec]) => `${name}=${spec.value}×${String(spec.size)}`),
    ),
    ...difference("ConfigMap", storedMembers, wantedMembers),
    ...difference(
      "Secret",
      externals,
      [...desired].map(([name, { value }]) => `${externalName(name)}=${value}`),
    ),
    ...fleets
      .filter((fleet) => !isReported(fleet))
      .map((fleet) => `the status of ${textOf(fleet)} is ${JSON.stringify(fleet.status)}`),
  ];
}

function textOf({ metadata, spec }: DeepReadonly<Fleet>): string {
  return `${metadata.name ?? ""}=${spec.value}×${String(spec.size)}`;
}

function isReported({ metadata, spec, status }: DeepReadonly<Fleet>): boolean {
  return status?.ready === spec.size && status.observedGeneration === metadata.generation;
}

/** Lists the differences between the caches of a manager, the notifications of its informers, and the server. */
export async function staleObjects({ manager, observed }: RunningManager, server: Reader): Promise<readonly string[]> {
  const differences = await Promise.all(
    CACHED_KINDS.map(async (kind) => {
      const [cached, { items }] = [await manager.getCache().list(kind), await server.list(kind)];
      const versions = items.map((item) => `${nameOf(item)}@${item.metadata.resourceVersion ?? ""}`);
      return [
        ...difference(`cached ${kind.kind}`, cached.items.map(jsonOf), items.map(jsonOf)),
        ...difference(`observed ${kind.kind}`, observed.get(kind)?.versions ?? [], versions),
      ];
    }),
  );
  return differences.flat();
}

function jsonOf(object: ReadonlyObject): string {
  return JSON.stringify(sorted(object));
}

// Kinds of the cache and of lists may have their fields in another order.
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, sorted(each)]));
}

function difference(what: string, actual: readonly string[], wanted: readonly string[]): readonly string[] {
  return [
    ...actual.filter((each) => !wanted.includes(each)).map((each) => `unexpected ${what} ${each}`),
    ...wanted.filter((each) => !actual.includes(each)).map((each) => `missing ${what} ${each}`),
  ];
}

/** Lists the writes of a leader that started after another process had started to write as its successor. */
export function overlappingLeaders(runs: readonly ManagerRun[]): readonly string[] {
  return runs.flatMap((run) =>
    runs
      .filter((other) => other.process !== run.process && isSuccessor(other, run))
      .map((other) => `${run.process} wrote until ${last(run)}, but ${other.process} wrote from ${first(other)} on`),
  );
}

function isSuccessor(other: ManagerRun, run: ManagerRun): boolean {
  const [from, until] = [other.writes[0], run.writes.at(-1)];
  return from !== undefined && until !== undefined && (run.writes[0] ?? 0) < from && from < until;
}

function first({ writes }: ManagerRun): string {
  return String(Math.round(writes[0] ?? 0));
}

function last({ writes }: ManagerRun): string {
  return String(Math.round(writes.at(-1) ?? 0));
}
