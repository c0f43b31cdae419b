import { isAlreadyExists, isInvalid } from "@kubescaffold/k8s";
import { Deployment, type DeploymentSpec } from "@kubescaffold/k8s/apps/v1";
import { ConfigMap, Service, ServiceAccount, type ServiceSpec } from "@kubescaffold/k8s/core/v1";
import type { LiveClient } from "@kubescaffold/runtime";

const NAMESPACE = "kube-system";
const NAME = "coredns";
const SERVICE = "kube-dns";
// kubeadm gives the DNS server the tenth address of the range of Services.
const ADDRESS = "10.0.0.10";
const LABELS = { "k8s-app": SERVICE };
const DNS_PORT = 53;
const METRICS_PORT = 9153;

/**
 * Creates what serves DNS in clusters of kind and minikube: the Service `kube-dns`, and the Deployment `coredns` with one simulated Pod. Clusters that
 * have the Service keep theirs.
 *
 * The network of simulated containers looks up names itself, whether or not the Pod runs.
 */
export async function ensureClusterDns(client: LiveClient): Promise<void> {
  if (!(await createService(client))) return;
  await createMissing(async () => {
    await client.create(ServiceAccount.create({ metadata: { namespace: NAMESPACE, name: NAME } }));
  });
  await createMissing(async () => {
    await client.create(ConfigMap.create({ metadata: { namespace: NAMESPACE, name: NAME }, data: { Corefile } }));
  });
  await createMissing(async () => {
    const labels = { ...LABELS, "kubernetes.io/name": "CoreDNS" };
    await client.create(
      Deployment.create({ metadata: { namespace: NAMESPACE, name: NAME, labels }, spec: deploymentSpec() }),
    );
  });
}

async function createService(client: LiveClient): Promise<boolean> {
  const labels = { ...LABELS, "kubernetes.io/name": "CoreDNS", "kubernetes.io/cluster-service": "true" };
  const create = async (spec: ServiceSpec): Promise<boolean> =>
    await createMissing(async () => {
      await client.create(Service.create({ metadata: { namespace: NAMESPACE, name: SERVICE, labels }, spec }));
    });
  const spec: ServiceSpec = {
    selector: LABELS,
    ports: [
      { name: "dns", port: DNS_PORT, protocol: "UDP" },
      { name: "dns-tcp", port: DNS_PORT, protocol: "TCP" },
      { name: "metrics", port: METRICS_PORT, protocol: "TCP" },
    ],
  };
  try {
    return await create({ ...spec, clusterIP: ADDRESS });
  } catch (error) {
    // Of the objects that are kept, another Service has the address.
    if (!isInvalid(error)) throw error;
    return await create(spec);
  }
}

async function createMissing(create: () => Promise<void>): Promise<boolean> {
  try {
    await create();
    return true;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    return false;
  }
}

const Corefile = `.:${String(DNS_PORT)} {
    errors
    health
    ready
    kubernetes cluster.local in-addr.arpa ip6.arpa
    prometheus :${String(METRICS_PORT)}
    forward . /etc/resolv.conf
    cache 30
}
`;

function deploymentSpec(): DeploymentSpec {
  return {
    replicas: 1,
    selector: { matchLabels: LABELS },
    template: {
      metadata: { labels: LABELS },
      spec: {
        serviceAccountName: NAME,
        priorityClassName: "system-cluster-critical",
        dnsPolicy: "Default",
        containers: [
          {
            name: NAME,
            image: "registry.k8s.io/coredns/coredns:v1.13.1",
            args: ["-conf", "/etc/coredns/Corefile"],
            ports: [
              { name: "dns", containerPort: DNS_PORT, protocol: "UDP" },
              { name: "dns-tcp", containerPort: DNS_PORT, protocol: "TCP" },
              { name: "metrics", containerPort: METRICS_PORT, protocol: "TCP" },
            ],
            resources: { requests: { cpu: "100m", memory: "70Mi" }, limits: { memory: "170Mi" } },
            volumeMounts: [{ name: "config-volume", mountPath: "/etc/coredns", readOnly: true }],
          },
        ],
        volumes: [{ name: "config-volume", configMap: { name: NAME } }],
      },
    },
  };
}
