import { addressFamily, addressOfNumber, type ObjectReader } from "@kubescaffold/apiserver/cluster-api";
import type { Pod, Service } from "@kubescaffold/k8s/core/v1";

import type { DnsRecordType } from "../image-definitions.ts";
import { candidatesOf, lookUp, nameOfService, readyEndpoints, resolveName, serviceOf } from "./cluster-names.ts";

const SERVICES = { group: "", resource: "services" } as const;
const PORT_NAME = /^_(?<port>[^.]+)\._(?<protocol>[^.]+)\.(?<service>.+)$/u;
const REVERSE_NAME = /^(?<reversed>\d+\.\d+\.\d+\.\d+)\.in-addr\.arpa$/u;
const REVERSE_NAME_IPV6 = /^(?<digits>(?:[0-9a-f]\.){31}[0-9a-f])\.ip6\.arpa$/u;
const PRIORITY = 0;
const TOTAL_WEIGHT = 100;

/** Returns the data of the DNS records of a name for a Pod, as zone files contain it. */
export function resolveRecords(
  objects: ObjectReader,
  client: Pod,
  { name, type }: { readonly name: string; readonly type: DnsRecordType },
): readonly string[] {
  if (type === "A" || type === "AAAA") {
    const family = type === "A" ? 4 : 6;
    return resolveName(objects, client, name).filter((address) => addressFamily(address) === family);
  }
  for (const candidate of candidatesOf(objects, client, name)) {
    const found = recordsOf(objects, candidate, type);
    if (found.length > 0) return found;
  }
  return [];
}

function recordsOf(objects: ObjectReader, name: string, type: Exclude<DnsRecordType, "A" | "AAAA">): readonly string[] {
  switch (type) {
    case "CNAME": {
      const target = lookUp(objects, name);
      return typeof target === "string" ? [absolute(target)] : [];
    }
    case "PTR":
      return reverseNames(objects, name);
    case "SRV":
      return serviceRecords(objects, name);
  }
}

function absolute(name: string): string {
  return name.endsWith(".") ? name : `${name}.`;
}

function serviceRecords(objects: ObjectReader, name: string): readonly string[] {
  const { port = "", protocol = "", service: serviceName = "" } = PORT_NAME.exec(name)?.groups ?? {};
  const service = serviceOf(objects, serviceName);
  const found = service?.spec?.ports?.find((each) => each.name === port && isProtocol(each.protocol, protocol));
  if (service === undefined || found === undefined) return [];
  if (!isHeadless(service)) return [record(TOTAL_WEIGHT, found.port, serviceName)];
  const endpoints = readyEndpoints(objects, service);
  const weight = Math.max(1, Math.floor(TOTAL_WEIGHT / Math.max(1, endpoints.length)));
  return endpoints.flatMap(({ host, ports }) =>
    ports
      .filter((each) => each.name === port && isProtocol(each.protocol, protocol))
      .map((each) => record(weight, each.port ?? 0, `${host}.${serviceName}`)),
  );
}

function isProtocol(protocol: string | undefined, label: string): boolean {
  return (protocol ?? "TCP").toLowerCase() === label;
}

function record(weight: number, port: number, target: string): string {
  return `${String(PRIORITY)} ${String(weight)} ${String(port)} ${absolute(target)}`;
}

function isHeadless({ spec }: Service): boolean {
  return spec?.clusterIP === "None";
}

function reverseNames(objects: ObjectReader, name: string): readonly string[] {
  const address = reversedAddress(name);
  if (address === undefined) return [];
  const services = objects.list(SERVICES) as unknown as readonly Service[];
  return services.flatMap((service) => {
    if (service.spec?.clusterIPs?.includes(address) === true) return [absolute(nameOfService(service))];
    if (!isHeadless(service)) return [];
    return readyEndpoints(objects, service)
      .filter((endpoint) => endpoint.address === address)
      .map(({ host }) => absolute(`${host}.${nameOfService(service)}`));
  });
}

function reversedAddress(name: string): string | undefined {
  const { reversed } = REVERSE_NAME.exec(name)?.groups ?? {};
  if (reversed !== undefined) return reversed.split(".").toReversed().join(".");
  const { digits } = REVERSE_NAME_IPV6.exec(name)?.groups ?? {};
  return digits === undefined ? undefined : addressOfNumber(BigInt(`0x${digits.split(".").toReversed().join("")}`), 6);
}
