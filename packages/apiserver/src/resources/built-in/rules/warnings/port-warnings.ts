import { goQuote } from "@kubescaffold/k8s";

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
  return [
    ...ports.flatMap((port, index) => [...hostWarnings(port), ...conflictWarnings(port, ports.slice(0, index))]),
    ...ports.flatMap((port, index) => nameWarnings(port, ports.slice(0, index))),
  ];
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

function conflictWarnings(port: PlacedPort, earlier: readonly PlacedPort[]): readonly string[] {
  return earlier
    .filter((other) => other.port === port.port && other.protocol === port.protocol)
    .flatMap((other) => {
      const conflict = conflictOf(port, other);
      return conflict === undefined ? [] : [`${port.place}: ${conflict} port definition with ${other.place}`];
    });
}

function conflictOf(port: PlacedPort, other: PlacedPort): string | undefined {
  if (port.hostIp === other.hostIp && port.hostPort === other.hostPort) return "duplicate";
  if (port.hostPort === 0 || other.hostPort === 0) return "overlapping";
  const isOneOpen = (port.hostIp === "") !== (other.hostIp === "");
  return port.hostPort === other.hostPort && isOneOpen ? "dangerously ambiguous" : undefined;
}

function nameWarnings({ place, name }: PlacedPort, earlier: readonly PlacedPort[]): readonly string[] {
  const other = earlier.find((candidate) => candidate.name === name);
  if (name === "" || other === undefined) return [];
  return [
    `${place}: duplicate port name ${goQuote(name)} with ${other.place}, services and probes that select ports by name will use ${other.place}`,
  ];
}
