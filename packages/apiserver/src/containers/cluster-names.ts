import type { Pod, Service } from "@kubescaffold/k8s/core/v1";
import type { EndpointSlice } from "@kubescaffold/k8s/discovery/v1";

import type { ObjectReader } from "../storage/object-reader.ts";

const SERVICES = { group: "", resource: "services" } as const;
const ENDPOINT_SLICES = { group: "discovery.k8s.io", resource: "endpointslices" } as const;

const DOMAIN = ".cluster.local";
const SERVICE_DOMAIN = ".svc";
const SERVICE_NAME_LABEL = "kubernetes.io/service-name";
// Longer chains of names are loops.
const LONGEST_CHAIN = 8;

/** Returns the addresses of a DNS name for a Pod: of Services, the Pods behind headless ones, and external names of Services. */
export function resolveName(objects: ObjectReader, client: Pod, name: string): readonly string[] {
  if (name === "localhost") return ["127.0.0.1"];
  if (name === client.metadata.name) return ["127.0.0.1"];
  let current = name;
  for (let length = 0; length < LONGEST_CHAIN; length += 1) {
    const found = lookUp(objects, client.metadata.namespace ?? "", current);
    if (typeof found !== "string") return found;
    current = found;
  }
  return [];
}

// Returns the addresses of a name, or the name that it stands for.
function lookUp(objects: ObjectReader, namespace: string, name: string): readonly string[] | string {
  const { labels, isOfCluster } = labelsOf(name);
  const [service = "", where = namespace, ...others] = labels.length > 2 ? labels.slice(1) : labels;
  if (others.length > 0 || (!isOfCluster && labels.length > 2)) return [];
  const found = objects.get(SERVICES, { namespace: where, name: service }) as Service | undefined;
  if (found?.spec === undefined) return [];
  if (found.spec.type === "ExternalName") return found.spec.externalName ?? [];
  const { clusterIP = "" } = found.spec;
  if (clusterIP !== "" && clusterIP !== "None") return labels.length > 2 ? [] : [clusterIP];
  const endpoints = readyEndpoints(objects, found);
  const [hostname = ""] = labels;
  return endpoints.filter((each) => labels.length <= 2 || each.hostname === hostname).map(({ address }) => address);
}

function labelsOf(name: string): { readonly labels: readonly string[]; readonly isOfCluster: boolean } {
  const absolute = name.replace(/\.$/u, "");
  const inCluster = absolute.endsWith(DOMAIN) ? absolute.slice(0, -DOMAIN.length) : absolute;
  const isOfCluster = inCluster.endsWith(SERVICE_DOMAIN);
  const short = isOfCluster ? inCluster.slice(0, -SERVICE_DOMAIN.length) : inCluster;
  return { labels: short.split("."), isOfCluster };
}

function readyEndpoints(
  objects: ObjectReader,
  { metadata }: Service,
): readonly { readonly address: string; readonly hostname: string | undefined }[] {
  const slices = objects.list(ENDPOINT_SLICES, metadata.namespace) as unknown as readonly EndpointSlice[];
  return slices
    .filter((slice) => slice.metadata.labels?.[SERVICE_NAME_LABEL] === metadata.name)
    .flatMap(({ endpoints }) => endpoints ?? [])
    .filter(({ conditions }) => conditions?.ready !== false)
    .flatMap(({ addresses, hostname }) => addresses.map((address) => ({ address, hostname })));
}
