import type { ObjectReader } from "@kubescaffold/apiserver/cluster-api";
import type { HostAlias, Pod, Service } from "@kubescaffold/k8s/core/v1";

/** The domain of the names of a cluster. */
export const CLUSTER_DOMAIN = "cluster.local";

const SERVICES = { group: "", resource: "services" } as const;
const DNS_SERVICE = { namespace: "kube-system", name: "kube-dns" } as const;
const CLUSTER_DOTS = 5;
const DOTS = "ndots:";
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
  const domain = `${hostname}.${subdomain}.${metadata.namespace ?? ""}.svc.${CLUSTER_DOMAIN}`;
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

function resolverFile(pod: Pod, objects: ObjectReader): string {
  const { searches, servers, options } = dnsOf(pod, objects);
  const lines = [
    ...(searches.length === 0 ? [] : [`search ${searches.join(" ")}`]),
    ...servers.map((each) => `nameserver ${each}`),
    ...(options.length === 0 ? [] : [`options ${options.join(" ")}`]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** How a Pod looks up names. */
export interface PodDns {
  /** Whether it asks the DNS server of the cluster. */
  readonly asksCluster: boolean;
  /** The domains that are added to names, in order. */
  readonly searches: readonly string[];
  readonly servers: readonly string[];
  readonly options: readonly string[];
  /** Names with as many dots are looked up as they are before the domains are added. */
  readonly absoluteDots: number;
}

/** Returns how a Pod looks up names, by its policy and its configuration. */
export function dnsOf({ metadata, spec }: Pod, objects: ObjectReader): PodDns {
  const { dnsPolicy = "ClusterFirst", dnsConfig = {}, hostNetwork = false } = spec ?? {};
  const { nameservers = [], searches = [], options = [] } = dnsConfig;
  const isOfCluster = dnsPolicy === "ClusterFirstWithHostNet" || (dnsPolicy === "ClusterFirst" && !hostNetwork);
  const server = (objects.get(SERVICES, DNS_SERVICE) as Service | undefined)?.spec?.clusterIP;
  const domains = [`${metadata.namespace ?? ""}.svc.${CLUSTER_DOMAIN}`, `svc.${CLUSTER_DOMAIN}`, CLUSTER_DOMAIN];
  const own = options.map(({ name = "", value }) => (value === undefined ? name : `${name}:${value}`));
  const dots = own.findLast((option) => option.startsWith(DOTS))?.slice(DOTS.length);
  return {
    asksCluster: isOfCluster || (server !== undefined && nameservers.includes(server)),
    searches: [...(isOfCluster ? domains : []), ...searches],
    servers: [...(isOfCluster && server !== undefined ? [server] : []), ...nameservers],
    options: [...(isOfCluster && dots === undefined ? [`${DOTS}${String(CLUSTER_DOTS)}`] : []), ...own],
    absoluteDots: Number(dots ?? (isOfCluster ? CLUSTER_DOTS : 1)),
  };
}
