import type { EndpointAddress, EndpointPort, EndpointSubset } from "@kubescaffold/k8s/core/v1";

// Stands for no port.
const NO_PORT = "";

// Each port has each of its addresses: without a limit, the text of one request could make some million pairs of hundreds of bytes.
const MOST_PAIRS = 1_000_000;

/**
 * Rearranges subsets: addresses with the same ports and readiness are together, each once, in the order of addresses.
 *
 * Guarantees: ports that are in the same subsets are looked at together; ports that would make more than a million pairs with their addresses are left out.
 */
export function repackSubsets(subsets: readonly EndpointSubset[]): readonly EndpointSubset[] {
  const addresses = new Map<string, EndpointAddress>();
  const ports = new Map<string, EndpointPort>();
  const places = new Map<string, Set<number>>();
  for (const [index, subset] of subsets.entries()) {
    const own = (subset.ports ?? []).map((port) => [portKey(port), port] as const);
    for (const [key, port] of own) ports.set(key, port);
    const all = [...(subset.addresses ?? []), ...(subset.notReadyAddresses ?? [])];
    for (const address of all) if (!addresses.has(addressKey(address))) addresses.set(addressKey(address), address);
    if (all.length === 0) continue;
    for (const key of own.length === 0 ? [NO_PORT] : own.map(([each]) => each)) {
      places.set(key, (places.get(key) ?? new Set()).add(index));
    }
  }
  return [...groupsOf(subsets, places).values()].map((group) => subsetOf(group, addresses, ports));
}

interface Group {
  readonly addresses: ReadonlyMap<string, boolean>;
  readonly ports: string[];
}

function groupsOf(
  subsets: readonly EndpointSubset[],
  places: ReadonlyMap<string, ReadonlySet<number>>,
): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  const keys = new Map<string, string>();
  let pairs = 0;
  for (const [port, indexes] of places) {
    const place = [...indexes].join();
    let key = keys.get(place);
    if (key === undefined) {
      const addresses = readinessIn([...indexes].flatMap((index) => subsets[index] ?? []));
      pairs += addresses.size;
      if (pairs > MOST_PAIRS) break;
      key = JSON.stringify([...addresses].toSorted(([left], [right]) => (left < right ? -1 : 1)));
      keys.set(place, key);
      if (!groups.has(key)) groups.set(key, { addresses, ports: [] });
    }
    groups.get(key)?.ports.push(port);
  }
  return groups;
}

// An address is ready if all subsets say so.
function readinessIn(subsets: readonly EndpointSubset[]): ReadonlyMap<string, boolean> {
  const readiness = new Map<string, boolean>();
  for (const { addresses = [], notReadyAddresses = [] } of subsets) {
    for (const address of addresses) {
      const key = addressKey(address);
      if (!readiness.has(key)) readiness.set(key, true);
    }
    for (const address of notReadyAddresses) readiness.set(addressKey(address), false);
  }
  return readiness;
}

function addressKey({ ip, targetRef }: EndpointAddress): string {
  return `${ip}/${targetRef?.uid ?? ""}`;
}

function subsetOf(
  group: Group,
  addresses: ReadonlyMap<string, EndpointAddress>,
  ports: ReadonlyMap<string, EndpointPort>,
): EndpointSubset {
  const those = (isReady: boolean): EndpointAddress[] =>
    [...group.addresses]
      .filter(([, ready]) => ready === isReady)
      .map(([key]) => key)
      .toSorted()
      .flatMap((key) => addresses.get(key) ?? []);
  const [ready, notReady] = [those(true), those(false)];
  const own = group.ports.flatMap((key) => ports.get(key) ?? []);
  return {
    ...(ready.length === 0 ? {} : { addresses: ready }),
    ...(notReady.length === 0 ? {} : { notReadyAddresses: notReady }),
    ...(own.length === 0 ? {} : { ports: own }),
  };
}

function portKey({ name = "", port, protocol = "TCP", appProtocol = "" }: EndpointPort): string {
  return [name, String(port), protocol, appProtocol].join("/");
}
