import type { IpFamily, JsonObject, Release } from "@kubescaffold/apiserver/cluster-api";
import type { Node, NodeCondition, NodeStatus, NodeSystemInfo } from "@kubescaffold/k8s/core/v1";

/** The node that clusters with simulated workloads have from the start. */
const FIRST_NODE = "node-0";

const HOST_NAME = "kubernetes.io/hostname";
const PLATFORM_LABELS = {
  "beta.kubernetes.io/arch": "amd64",
  "beta.kubernetes.io/os": "linux",
  "kubernetes.io/arch": "amd64",
  "kubernetes.io/os": "linux",
} as const;

/** Resources of nodes that are created without any: enough for every test that does not care. */
const PLENTY = { cpu: "1k", "ephemeral-storage": "10Ti", memory: "10Ti", pods: "1M" } as const;

const SYSTEM_INFO: Omit<NodeSystemInfo, "kubeletVersion"> = {
  architecture: "amd64",
  bootID: "",
  containerRuntimeVersion: "simulated://1.0.0",
  kernelVersion: "simulated",
  kubeProxyVersion: "",
  machineID: "",
  operatingSystem: "linux",
  osImage: "simulated",
  systemUUID: "",
};

/** Returns the node that clusters of a release have from the start, ready for pods. */
export function firstNode(release: Release, time: string, families: readonly IpFamily[]): JsonObject {
  const metadata = { name: FIRST_NODE };
  const node: Node = { apiVersion: "v1", kind: "Node", metadata, spec: {} };
  const labels = missingLabels(node);
  return {
    ...node,
    metadata: { ...metadata, labels },
    status: initialStatus(release, node, { addresses: nodeAddresses(0, families), time }),
  } as never;
}

/** Returns the labels that a kubelet adds to its node. */
export function missingLabels({ metadata }: Node): Readonly<Record<string, string>> {
  const wanted = { ...PLATFORM_LABELS, [HOST_NAME]: metadata.name ?? "" };
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => metadata.labels?.[name] === undefined));
}

/** Returns the addresses of a node by its number: one of each family. */
export function nodeAddresses(number: number, families: readonly IpFamily[]): readonly string[] {
  return families.map((family) =>
    family === "IPv4"
      ? `172.18.${String(number >> 8)}.${String((number & 255) + 2)}`
      : `fd00:172:18::${(number + 2).toString(16)}`,
  );
}

/** Returns the status that a kubelet of a release reports first; what the node has stays. */
export function initialStatus(
  release: Release,
  { metadata, status }: Node,
  { addresses, time }: { readonly addresses: readonly string[]; readonly time: string },
): NodeStatus {
  const capacity = status?.capacity ?? status?.allocatable ?? PLENTY;
  const known = status?.conditions ?? [];
  return {
    ...status,
    addresses: status?.addresses ?? [
      ...addresses.map((address) => ({ type: "InternalIP", address })),
      { type: "Hostname", address: metadata.name ?? "" },
    ],
    capacity,
    allocatable: status?.allocatable ?? capacity,
    conditions: [
      ...known,
      ...CONDITIONS.filter(({ type }) => known.every((each) => each.type !== type)).map((condition) => ({
        ...condition,
        lastHeartbeatTime: time,
        lastTransitionTime: time,
      })),
    ],
    daemonEndpoints: status?.daemonEndpoints ?? { kubeletEndpoint: { Port: 10_250 } },
    nodeInfo: hasSystemInfo(status) ? status.nodeInfo : { ...SYSTEM_INFO, kubeletVersion: release.version.gitVersion },
  };
}

function hasSystemInfo(status: NodeStatus | undefined): status is NodeStatus & { readonly nodeInfo: NodeSystemInfo } {
  return (status?.nodeInfo?.kubeletVersion ?? "") !== "";
}

const CONDITIONS: readonly NodeCondition[] = [
  {
    type: "MemoryPressure",
    status: "False",
    reason: "KubeletHasSufficientMemory",
    message: "kubelet has sufficient memory available",
  },
  {
    type: "DiskPressure",
    status: "False",
    reason: "KubeletHasNoDiskPressure",
    message: "kubelet has no disk pressure",
  },
  {
    type: "PIDPressure",
    status: "False",
    reason: "KubeletHasSufficientPID",
    message: "kubelet has sufficient PID available",
  },
  { type: "Ready", status: "True", reason: "KubeletReady", message: "kubelet is posting ready status" },
];

/** Returns the status of the condition Ready of a node. */
export function readinessOf(node: Node | undefined): NodeCondition["status"] | undefined {
  return node?.status?.conditions?.find(({ type }) => type === "Ready")?.status;
}
