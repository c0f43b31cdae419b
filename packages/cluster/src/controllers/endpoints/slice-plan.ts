import type { Endpoint, EndpointPort, EndpointSlice } from "@kubescaffold/k8s/discovery/v1";
import { deepEqual } from "@kubescaffold/schema/values";

/** Changes that bring slices to the desired endpoints. */
export interface SlicePlan {
  readonly create: readonly EndpointSlice[];
  readonly update: readonly EndpointSlice[];
  readonly remove: readonly EndpointSlice[];
}

/** The desired endpoints with the same ports and addresses of the same family. */
export interface EndpointGroup {
  readonly ports: readonly EndpointPort[];
  readonly endpoints: readonly Endpoint[];
}

const MOST_ENDPOINTS = 100;

/** Identifies a list of ports. */
export function portsKey(ports: readonly EndpointPort[] | null | undefined): string {
  return (ports ?? [])
    .map(({ name = "", protocol = "", port, appProtocol = "" }) => [name, protocol, port, appProtocol].join("/"))
    .toSorted()
    .join(",");
}

/**
 * Plans the slices of a group: endpoints stay in the slice that has them, new ones fill changed slices, then one slice that has room for all of them,
 * then new slices.
 */
export function planSlices(
  existing: readonly EndpointSlice[],
  group: EndpointGroup,
  emptySlice: EndpointSlice,
): SlicePlan {
  const desired = new Map(group.endpoints.map((endpoint) => [endpointKey(endpoint), endpoint]));
  const kept = existing.map((slice) => keptSlice(slice, desired, emptySlice));
  fill(kept, desired);
  const create: EndpointSlice[] = [];
  while (desired.size > 0)
    create.push({ ...emptySlice, ports: [...group.ports], endpoints: take(desired, MOST_ENDPOINTS) });
  return {
    create,
    update: kept
      .filter(({ isChanged, endpoints }) => isChanged && endpoints.length > 0)
      .map(({ slice, endpoints }) => updated(slice, emptySlice, endpoints)),
    remove: kept.filter(({ endpoints }) => endpoints.length === 0).map(({ slice }) => slice),
  };
}

interface KeptSlice {
  readonly slice: EndpointSlice;
  endpoints: readonly Endpoint[];
  isChanged: boolean;
}

function keptSlice(slice: EndpointSlice, desired: Map<string, Endpoint>, emptySlice: EndpointSlice): KeptSlice {
  const former = slice.endpoints ?? [];
  const endpoints = former.flatMap((endpoint) => {
    const key = endpointKey(endpoint);
    const found = desired.get(key);
    desired.delete(key);
    return found === undefined ? [] : [found];
  });
  const isChanged =
    !deepEqual(former, endpoints) || !deepEqual(slice.metadata.labels ?? {}, emptySlice.metadata.labels ?? {});
  return { slice, endpoints, isChanged };
}

function fill(kept: readonly KeptSlice[], desired: Map<string, Endpoint>): void {
  const changed = kept.filter(({ isChanged, endpoints }) => isChanged && endpoints.length > 0);
  for (const slice of changed.toSorted((left, right) => right.endpoints.length - left.endpoints.length)) {
    slice.endpoints = [...slice.endpoints, ...take(desired, MOST_ENDPOINTS - slice.endpoints.length)];
  }
  if (desired.size === 0) return;
  const fitting = kept
    .filter(({ isChanged, endpoints }) => !isChanged && endpoints.length + desired.size <= MOST_ENDPOINTS)
    .toSorted((left, right) => right.endpoints.length - left.endpoints.length)[0];
  if (fitting === undefined) return;
  fitting.endpoints = [...fitting.endpoints, ...take(desired, desired.size)];
  fitting.isChanged = true;
}

function take(desired: Map<string, Endpoint>, count: number): Endpoint[] {
  const taken = [...desired].slice(0, count);
  for (const [key] of taken) desired.delete(key);
  return taken.map(([, endpoint]) => endpoint);
}

function updated(slice: EndpointSlice, emptySlice: EndpointSlice, endpoints: readonly Endpoint[]): EndpointSlice {
  const { labels = {} } = emptySlice.metadata;
  return { ...slice, metadata: { ...slice.metadata, labels }, endpoints: [...endpoints] };
}

// Conditions and topology may change in place.
function endpointKey({ addresses, hostname = "", targetRef }: Endpoint): string {
  return [addresses.toSorted().join(","), hostname, targetRef?.namespace ?? "", targetRef?.name ?? ""].join("/");
}

/** Replaces creates by updates of slices that would otherwise be removed. */
export function recycleSlices({ create, update, remove }: SlicePlan): SlicePlan {
  const created = [...create];
  const removed = [...remove];
  const recycled: EndpointSlice[] = [];
  for (let slice = created.pop(); slice !== undefined; slice = created.pop()) {
    const freed = removed.shift();
    if (freed === undefined) {
      created.push(slice);
      break;
    }
    const { name = "", resourceVersion = "" } = freed.metadata;
    recycled.push({ ...slice, metadata: { ...slice.metadata, name, resourceVersion } });
  }
  return { create: created, update: [...update, ...recycled], remove: removed };
}
