import { goQuote } from "@kubescaffold/k8s";
import { addToList } from "@kubescaffold/platform";

import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { numberIn, objectsIn, textIn } from "../../../fields.ts";
import type { PlacedContainer } from "../containers/placed-containers.ts";

interface PlacedPort {
  readonly place: string;
  readonly port: number;
  readonly hostPort: number;
  readonly protocol: string;
  readonly hostIp: string;
  readonly name: string;
}

/** Returns the warnings about the ports of all containers of a Pod: definitions that conflict, and names that are stated twice. */
export function portWarnings(containers: readonly PlacedContainer[]): readonly string[] {
  const ports = containers.flatMap(({ container, path }) =>
    objectsIn(container, "ports").map((port, index) => placedPort(port, `${path}.ports[${index}]`)),
  );
  return [...definitionWarnings(ports), ...nameWarnings(ports)];
}

function placedPort(port: MutableJsonObject, place: string): PlacedPort {
  return {
    place,
    port: numberIn(port, "containerPort") ?? 0,
    hostPort: numberIn(port, "hostPort") ?? 0,
    protocol: textIn(port, "protocol"),
    hostIp: textIn(port, "hostIP"),
    name: textIn(port, "name"),
  };
}

function hostWarnings({ place, port, hostPort, protocol, hostIp, name }: PlacedPort): readonly string[] {
  if (hostIp === "" || hostPort !== 0) return [];
  // As Go prints the struct.
  const printed = `{Name:${name} HostPort:0 ContainerPort:${port} Protocol:${protocol} HostIP:${hostIp}}`;
  return [`${place}: hostIP set without hostPort: ${printed}`];
}

// The number of pairs is the square of that of the ports; headers show 4096 characters of warnings.
const MOST_CONFLICTS = 1000;

function definitionWarnings(ports: readonly PlacedPort[]): readonly string[] {
  const seen = new Map<string, number[]>();
  let left = MOST_CONFLICTS;
  return ports.flatMap((port, index) => {
    const warnings = [...hostWarnings(port)];
    if (left === 0) return warnings;
    const earlier = conflictingKeys(port).flatMap((key) => seen.get(key) ?? []);
    for (const at of earlier.toSorted((one, other) => one - other).slice(0, left)) {
      const other = ports[at] as PlacedPort;
      warnings.push(`${port.place}: ${conflictOf(port, other)} port definition with ${other.place}`);
      left -= 1;
    }
    for (const key of keysOf(port)) addToList(seen, key, index);
    return warnings;
  });
}

// The groups of ports that a port belongs to.
function keysOf(port: PlacedPort): readonly string[] {
  return [groupOf(port), groupOf(port, port.hostPort), groupOf(port, port.hostPort, port.hostIp)];
}

// The groups whose ports all conflict with a port: those without a port of the host, and those with its port for the same or for all addresses.
function conflictingKeys(port: PlacedPort): readonly string[] {
  const { hostPort, hostIp } = port;
  if (hostPort === 0) return [groupOf(port)];
  const same =
    hostIp === "" ? [groupOf(port, hostPort)] : [groupOf(port, hostPort, hostIp), groupOf(port, hostPort, "")];
  return [groupOf(port, 0), ...same];
}

function groupOf({ port, protocol }: PlacedPort, ...rest: readonly (number | string)[]): string {
  return JSON.stringify([port, protocol, ...rest]);
}

function conflictOf(port: PlacedPort, other: PlacedPort): string {
  if (port.hostIp === other.hostIp && port.hostPort === other.hostPort) return "duplicate";
  return port.hostPort === 0 || other.hostPort === 0 ? "overlapping" : "dangerously ambiguous";
}

function nameWarnings(ports: readonly PlacedPort[]): readonly string[] {
  const byName = new Map<string, PlacedPort>();
  return ports.flatMap((port) => {
    const { place, name } = port;
    const other = byName.get(name);
    if (other === undefined) byName.set(name, port);
    if (name === "" || other === undefined) return [];
    return [
      `${place}: duplicate port name ${goQuote(name)} with ${other.place}, services and probes that select ports by name will use ${other.place}`,
    ];
  });
}
