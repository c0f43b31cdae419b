import { isIP } from "node:net";

import type { ObjectReader } from "@kubescaffold/apiserver/cluster-api";
import type { Pod, Service } from "@kubescaffold/k8s/core/v1";
import type { EndpointSlice } from "@kubescaffold/k8s/discovery/v1";

import { CLUSTER_DOMAIN, dnsOf } from "../files/network-files.ts";

const SERVICES = { group: "", resource: "services" } as const;
const ENDPOINT_SLICES = { group: "discovery.k8s.io", resource: "endpointslices" } as const;

const DOMAIN = `.${CLUSTER_DOMAIN}`;
const SERVICE_NAME_LABEL = "kubernetes.io/service-name";
// Longer chains of names are loops.
const LONGEST_CHAIN = 8;

/** Returns the addresses of a DNS name for a Pod: of Services, the Pods behind headless ones, Pods, and external names of Services. */
export function resolveName(objects: ObjectReader, client: Pod, name: string): readonly string[] {
  if (name === "localhost" || name === client.metadata.name) return ["127.0.0.1"];
  const alias = client.spec?.hostAliases?.find(({ hostnames = [] }) => hostnames.includes(name));
  if (alias?.ip !== undefined) return [alias.ip];
  for (const candidate of candidatesOf(objects, client, name)) {
    const found = follow(objects, candidate);
    if (found.length > 0) return found;
  }
  return [];
}

/** Returns the absolute names of the cluster that a name can mean to a Pod, in the order of its search domains. */
export function candidatesOf(objects: ObjectReader, client: Pod, name: string): readonly string[] {
  const { asksCluster, searches, absoluteDots } = dnsOf(client, objects);
  if (!asksCluster) return [];
  if (name.endsWith(".")) return [name.slice(0, -1)];
  const searched = searches.map((domain) => `${name}.${domain}`);
  return name.split(".").length > absoluteDots ? [name, ...searched] : [...searched, name];
}

function follow(objects: ObjectReader, name: string): readonly string[] {
  let current = name;
  for (let length = 0; length < LONGEST_CHAIN; length += 1) {
    const found = lookUp(objects, current);
    if (typeof found !== "string") return found;
    current = found.replace(/\.$/u, "");
  }
  return [];
}

/** Returns the addresses of an absolute name, or the name that it stands for. */
export function lookUp(objects: ObjectReader, name: string): readonly string[] | string {
  const { kind, namespace, labels } = partsOf(name);
  const [service = "", host, ...others] = labels.toReversed();
  if (others.length > 0) return [];
  if (kind === "pod") return host === undefined ? addressOf(service) : [];
  return kind === "svc" ? lookUpService(objects, { namespace, name: service }, host) : [];
}

// The labels before the namespace, for names of the cluster.
function partsOf(name: string): {
  readonly kind: string | undefined;
  readonly namespace: string;
  readonly labels: readonly string[];
} {
  const labels = name.endsWith(DOMAIN) ? name.slice(0, -DOMAIN.length).split(".") : [];
  const kind = labels.pop();
  const namespace = labels.pop() ?? "";
  return { kind, namespace, labels };
}

/** Returns the Service of an absolute name. */
export function serviceOf(objects: ObjectReader, name: string): Service | undefined {
  const { kind, namespace, labels } = partsOf(name);
  const [service = "", ...others] = labels;
  if (kind !== "svc" || others.length > 0) return undefined;
  return objects.get(SERVICES, { namespace, name: service });
}

/** Returns the absolute name of a Service. */
export function nameOfService({ metadata }: Service): string {
  return `${metadata.name ?? ""}.${metadata.namespace ?? ""}.svc${DOMAIN}`;
}

function lookUpService(
  objects: ObjectReader,
  key: { readonly namespace: string; readonly name: string },
  host: string | undefined,
): readonly string[] | string {
  const found = objects.get(SERVICES, key) as Service | undefined;
  if (found?.spec === undefined) return [];
  if (found.spec.type === "ExternalName") return host === undefined ? (found.spec.externalName ?? []) : [];
  const { clusterIP = "", clusterIPs = [clusterIP] } = found.spec;
  if (clusterIP !== "" && clusterIP !== "None") return host === undefined ? clusterIPs : [];
  return readyEndpoints(objects, found)
    .filter((endpoint) => host === undefined || host === endpoint.host)
    .map(({ address }) => address);
}

// Names of Pods are their addresses with dashes.
function addressOf(label: string): readonly string[] {
  const address = /^\d+(?:-\d+){3}$/u.test(label) ? label.replaceAll("-", ".") : label.replaceAll("-", ":");
  return isIP(address) === 0 ? [] : [address];
}

function dashed(address: string): string {
  return address.replaceAll(/[.:]/gu, "-");
}

/** A ready endpoint of a Service. */
interface NamedEndpoint {
  readonly address: string;
  /** Its label below the name of the Service: its host name, or its address with dashes. */
  readonly host: string;
  readonly ports: NonNullable<EndpointSlice["ports"]>;
}

/** Returns the ready endpoints of a Service. */
export function readyEndpoints(objects: ObjectReader, { metadata }: Service): readonly NamedEndpoint[] {
  const slices = objects.list(ENDPOINT_SLICES, metadata.namespace) as unknown as readonly EndpointSlice[];
  return slices
    .filter((slice) => slice.metadata.labels?.[SERVICE_NAME_LABEL] === metadata.name)
    .flatMap(({ endpoints, ports }) =>
      (endpoints ?? [])
        .filter(({ conditions }) => conditions?.ready !== false)
        .flatMap(({ addresses, hostname }) =>
          addresses.map((address) => ({ address, host: hostname ?? dashed(address), ports: ports ?? [] })),
        ),
    );
}
