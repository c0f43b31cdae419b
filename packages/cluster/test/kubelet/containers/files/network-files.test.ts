import type { Pod, PodSpec } from "@kubescaffold/k8s/core/v1";
import { describe, expect, it } from "vitest";

import type { ObjectReader } from "../../../../../apiserver/src/storage/object-reader.ts";
import { networkFiles } from "../../../../src/kubelet/containers/files/network-files.ts";

const NO_OBJECTS = { get: () => undefined, list: () => [] } as unknown as ObjectReader;
const WITH_DNS = {
  get: (_resource: object, { name }: { readonly name: string }) =>
    name === "kube-dns" ? { spec: { clusterIP: "10.0.0.10" } } : undefined,
} as unknown as ObjectReader;

function fileOf(path: string, spec: Partial<PodSpec>, objects = NO_OBJECTS): string {
  const pod = {
    metadata: { namespace: "ns", name: "p" },
    spec: { containers: [], ...spec },
    status: { podIPs: [{ ip: "10.244.0.2" }] },
  } as unknown as Pod;
  return networkFiles(pod, objects).get(path)?.toString("utf8") ?? "";
}

describe("/etc/hosts", () => {
  it("has the name of the Pod, with the domain of its subdomain", () => {
    expect(fileOf("/etc/hosts", {})).toMatch(
      /^# Kubernetes-managed hosts file\.\n127\.0\.0\.1\tlocalhost\n[^]*\n10\.244\.0\.2\tp\n$/u,
    );
    const line = "10.244.0.2\tdb-0.db.ns.svc.cluster.local\tdb-0\n";
    expect(fileOf("/etc/hosts", { hostname: "db-0", subdomain: "db" }).endsWith(line)).toBe(true);
  });

  it("has the host aliases, also on the network of the node", () => {
    const hostAliases = [{ ip: "10.1.2.3", hostnames: ["first", "second"] }];
    const end = "\n\n# Entries added by HostAliases.\n10.1.2.3\tfirst\tsecond\n";
    expect(fileOf("/etc/hosts", { hostAliases }).endsWith(`\tp${end}`)).toBe(true);
    const ofNode = fileOf("/etc/hosts", { hostAliases, hostNetwork: true });
    expect(ofNode.startsWith("# Kubernetes-managed hosts file (host network).\n")).toBe(true);
    expect(ofNode.endsWith(`ip6-allrouters${end}`)).toBe(true);
  });
});

describe("/etc/resolv.conf", () => {
  const search = "search ns.svc.cluster.local svc.cluster.local cluster.local";

  it("has the domains of the cluster, and its DNS server if there is one", () => {
    expect(fileOf("/etc/resolv.conf", {})).toBe(`${search}\noptions ndots:5\n`);
    expect(fileOf("/etc/resolv.conf", {}, WITH_DNS)).toBe(`${search}\nnameserver 10.0.0.10\noptions ndots:5\n`);
  });

  it("follows the policy and the configuration of the Pod", () => {
    const dnsConfig = {
      nameservers: ["1.1.1.1"],
      searches: ["example.com"],
      options: [{ name: "ndots", value: "2" }, { name: "edns0" }],
    };
    expect(fileOf("/etc/resolv.conf", { dnsConfig }, WITH_DNS)).toBe(
      `${search} example.com\nnameserver 10.0.0.10\nnameserver 1.1.1.1\noptions ndots:2 edns0\n`,
    );
    expect(fileOf("/etc/resolv.conf", { dnsConfig, dnsPolicy: "None" }, WITH_DNS)).toBe(
      "search example.com\nnameserver 1.1.1.1\noptions ndots:2 edns0\n",
    );
    expect(fileOf("/etc/resolv.conf", { hostNetwork: true }, WITH_DNS)).toBe("");
    const isOfCluster = fileOf("/etc/resolv.conf", { hostNetwork: true, dnsPolicy: "ClusterFirstWithHostNet" });
    expect(isOfCluster).toBe(`${search}\noptions ndots:5\n`);
  });
});
