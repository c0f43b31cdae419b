import type { EndpointAddress, EndpointPort, EndpointSubset } from "@kubescaffold/k8s/core/v1";

// Stands for no port.
const NO_PORT = "";

/** Rearranges subsets: addresses with the same ports and readiness are together, each once, in the order of addresses. */
export function repackSubsets(subsets: readonly EndpointSubset[]): readonly EndpointSubset[] {
  const addresses = new Map<string, EndpointAddress>();
  const ports = new Map<string, EndpointPort>();
  const readiness = new Map<string, Map<string, boolean>>();
  const note = (address: EndpointAddress, port: string, isReady: boolean): void => {
    const key = `${address.ip}/${address.targetRef?.uid ?? ""}`;
    if (!addresses.has(key)) addresses.set(key, address);
    const known = readiness.get(port) ?? new Map<string, boolean>();
    readiness.set(port, known.set(key, isReady && known.get(key) !== false));
  };
  for (const subset of subsets) {
    const own = (subset.ports ?? []).map((port) => [portKey(port), port] as const);
    for (const [key, port] of own) ports.set(key, port);
    for (const key of own.length === 0 ? [NO_PORT] : own.map(([each]) => each)) {
      for (const address of subset.addresses ?? []) note(address, key, true);
      for (const address of subset.notReadyAddresses ?? []) note(address, key, false);
    }
  }
  return [...groupsOf(readiness).values()].map((group) => subsetOf(group, addresses, ports));
}

interface Group {
  readonly addresses: ReadonlyMap<string, boolean>;
  readonly ports: readonly string[];
}

function groupsOf(readiness: ReadonlyMap<string, ReadonlyMap<string, boolean>>): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  for (const [port, addresses] of readiness) {
    const key = JSON.stringify([...addresses].toSorted(([left], [right]) => (left < right ? -1 : 1)));
    groups.set(key, { addresses, ports: [...(groups.get(key)?.ports ?? []), port] });
  }
  return groups;
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
