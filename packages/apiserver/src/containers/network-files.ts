import type { HostAlias, Pod, Service } from "@kubescaffold/k8s/core/v1";

import type { ObjectReader } from "../storage/object-reader.ts";

const SERVICES = { group: "", resource: "services" } as const;
const DNS_SERVICE = { namespace: "kube-system", name: "kube-dns" } as const;
const DOMAIN = "cluster.local";
const LOCAL_ENTRIES = [
  "127.0.0.1\tlocalhost",
  "::1\tlocalhost ip6-localhost ip6-loopback",
  "fe00::0\tip6-localnet",
  "fe00::0\tip6-mcastprefix",
  "fe00::1\tip6-allnodes",
  "fe00::2\tip6-allrouters",
];

/** Returns the files with which a kubelet tells containers about names: `/etc/hosts` and `/etc/resolv.conf`. */
export function networkFiles(pod: Pod, objects: ObjectReader): ReadonlyMap<string, Buffer> {
  return new Map([
    ["/etc/hosts", Buffer.from(hostsFile(pod))],
    ["/etc/resolv.conf", Buffer.from(resolverFile(pod, objects))],
  ]);
}

function hostsFile({ metadata, spec, status }: Pod): string {
  const { hostNetwork = false, hostAliases = [], subdomain = "" } = spec ?? {};
  const hostname = spec?.hostname ?? metadata.name ?? "";
  const domain = `${hostname}.${subdomain}.${metadata.namespace ?? ""}.svc.${DOMAIN}`;
  const names = subdomain === "" ? hostname : `${domain}\t${hostname}`;
  const own = (status?.podIPs ?? []).map(({ ip }) => `${ip}\t${names}`);
  const lines = hostNetwork
    ? ["# Kubernetes-managed hosts file (host network).", ...LOCAL_ENTRIES]
    : ["# Kubernetes-managed hosts file.", ...LOCAL_ENTRIES, ...own];
  return `${[...lines, ...aliasLines(hostAliases)].join("\n")}\n`;
}

function aliasLines(aliases: readonly HostAlias[]): readonly string[] {
  const lines = aliases.map(({ ip, hostnames = [] }) => `${ip}\t${hostnames.join("\t")}`);
  return lines.length === 0 ? [] : ["", "# Entries added by HostAliases.", ...lines];
}

function resolverFile({ metadata, spec }: Pod, objects: ObjectReader): string {
  const { dnsPolicy = "ClusterFirst", dnsConfig = {}, hostNetwork = false } = spec ?? {};
  const isOfCluster = dnsPolicy === "ClusterFirstWithHostNet" || (dnsPolicy === "ClusterFirst" && !hostNetwork);
  const service = objects.get(SERVICES, DNS_SERVICE) as Service | undefined;
  const server = service?.spec?.clusterIP;
  const servers = [...(isOfCluster && server !== undefined ? [server] : []), ...(dnsConfig.nameservers ?? [])];
  const domains = [`${metadata.namespace ?? ""}.svc.${DOMAIN}`, `svc.${DOMAIN}`, DOMAIN];
  const searches = [...(isOfCluster ? domains : []), ...(dnsConfig.searches ?? [])];
  const own = (dnsConfig.options ?? []).map(({ name = "", value }) =>
    value === undefined ? name : `${name}:${value}`,
  );
  const hasDots = own.some((option) => option.startsWith("ndots:"));
  const options = [...(isOfCluster && !hasDots ? ["ndots:5"] : []), ...own];
  const lines = [
    ...(searches.length === 0 ? [] : [`search ${searches.join(" ")}`]),
    ...servers.map((each) => `nameserver ${each}`),
    ...(options.length === 0 ? [] : [`options ${options.join(" ")}`]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}
