import { hostAndPort, type ObjectReader } from "@kubescaffold/apiserver/cluster-api";
import type { Pod, Service } from "@kubescaffold/k8s/core/v1";

const SERVICES = { group: "", resource: "services" } as const;

/** Returns the environment variables of the Services that a container finds when it starts: those of its namespace, and the API server. */
export function serviceVariables({ metadata, spec }: Pod, objects: ObjectReader): Readonly<Record<string, string>> {
  const master = objects.get(SERVICES, { namespace: "default", name: "kubernetes" }) as Service | undefined;
  const own =
    spec?.enableServiceLinks === false ? [] : (objects.list(SERVICES, metadata.namespace) as readonly Service[]);
  const services = [...(master === undefined ? [] : [master]), ...own];
  return Object.assign({}, ...services.filter(hasAddress).map(variablesOf)) as Record<string, string>;
}

function hasAddress({ spec }: Service): boolean {
  return !["", "None"].includes(spec?.clusterIP ?? "") && spec?.type !== "ExternalName";
}

function variablesOf({ metadata, spec }: Service): Record<string, string> {
  const prefix = variableName(metadata.name ?? "");
  const address = spec?.clusterIP ?? "";
  const ports = spec?.ports ?? [];
  const [first] = ports;
  const variables: Record<string, string> = { [`${prefix}_SERVICE_HOST`]: address };
  if (first === undefined) return variables;
  variables[`${prefix}_SERVICE_PORT`] = String(first.port);
  for (const { name = "", port } of ports) {
    if (name !== "") variables[`${prefix}_SERVICE_PORT_${variableName(name)}`] = String(port);
  }
  variables[`${prefix}_PORT`] = `${(first.protocol ?? "TCP").toLowerCase()}://${hostAndPort(address, first.port)}`;
  for (const { port, protocol = "TCP" } of ports) {
    const portPrefix = `${prefix}_PORT_${String(port)}_${protocol}`;
    variables[portPrefix] = `${protocol.toLowerCase()}://${hostAndPort(address, port)}`;
    variables[`${portPrefix}_PROTO`] = protocol.toLowerCase();
    variables[`${portPrefix}_PORT`] = String(port);
    variables[`${portPrefix}_ADDR`] = address;
  }
  return variables;
}

function variableName(name: string): string {
  return name.toUpperCase().replaceAll("-", "_");
}
