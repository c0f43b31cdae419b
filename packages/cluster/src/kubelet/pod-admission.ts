import type { Node, Pod, PodStatus } from "@kubescaffold/k8s/core/v1";

import { matchesNodeAffinity } from "../controllers/node-affinity.ts";
import { hasEnded } from "../controllers/workload/workload-objects.ts";
import { NodeWithPods, withRequests } from "../scheduler/cluster-nodes.ts";
import { hostPorts, portsResult } from "../scheduler/node-filters.ts";

/** Why a kubelet does not run a pod, as the status of the pod has it. */
type Rejection = Required<Pick<PodStatus, "reason" | "message">>;

// In the order in which a kubelet checks them.
const RESOURCES = ["pods", "cpu", "memory", "ephemeral-storage"];

/** Returns why the kubelet of a node rejects a pod that has not started, in view of the pods that it runs. */
export function rejectionOf(pod: Pod, node: Node, pods: () => readonly Pod[]): Rejection | undefined {
  if (pod.status?.startTime !== undefined) return undefined;
  const forbidden = sysctlRejection(pod);
  if (forbidden !== undefined) return rejected(forbidden.reason, forbidden.message);
  return isScheduled(pod) ? undefined : unsuitability(pod, node, pods());
}

// The parameters of the kernel that a kubelet lets pods set unless it is configured otherwise.
const SAFE_SYSCTLS: ReadonlySet<string> = new Set([
  "kernel.shm_rmid_forced",
  "net.ipv4.ip_local_port_range",
  "net.ipv4.tcp_syncookies",
  "net.ipv4.ping_group_range",
  "net.ipv4.ip_unprivileged_port_start",
  "net.ipv4.ip_local_reserved_ports",
  "net.ipv4.tcp_keepalive_time",
  "net.ipv4.tcp_fin_timeout",
  "net.ipv4.tcp_keepalive_intvl",
  "net.ipv4.tcp_keepalive_probes",
  "net.ipv4.tcp_rmem",
  "net.ipv4.tcp_wmem",
]);

function sysctlRejection({ spec }: Pod): Rejection | undefined {
  const names = (spec?.securityContext?.sysctls ?? []).map(({ name }) => normalized(name));
  const unsafe = names.find((name) => !SAFE_SYSCTLS.has(name));
  if (unsafe === undefined) return undefined;
  return { reason: "SysctlForbidden", message: `forbidden sysctl: ${JSON.stringify(unsafe)} not allowlisted` };
}

// Names with slashes may contain dots: `net/ipv4/conf/eth0.1/forwarding`.
function normalized(name: string): string {
  const separator = /[./]/u.exec(name)?.[0];
  if (separator !== "/") return name;
  return name.replaceAll(/[./]/gu, (char) => (char === "/" ? "." : "/"));
}

// A pod that the scheduler has placed fits.
function unsuitability(pod: Pod, node: Node, pods: readonly Pod[]): Rejection | undefined {
  const place = nodeWith(node, podsBeside(pod, pods));
  const lacking = lackingResource(pod, place);
  if (lacking !== undefined) return rejected(lacking.reason, lacking.message);
  if (!matchesNodeAffinity(pod, node))
    return failed("NodeAffinity", "node(s) didn't match Pod's node affinity/selector");
  const [reason] = portsResult(hostPorts(pod), place)?.reasons ?? [];
  return reason === undefined ? undefined : failed("NodePorts", reason);
}

/** Returns the pods that run on the node of a pod, but for itself. */
export function podsBeside(pod: Pod, pods: readonly Pod[]): readonly Pod[] {
  return pods.filter((other) => isRunningBeside(pod, other));
}

/** Returns a node with the pods that run on it. */
export function nodeWith(node: Node, pods: readonly Pod[]): NodeWithPods {
  return new NodeWithPods(
    node,
    pods.map((each) => withRequests(each)),
  );
}

function isScheduled({ status }: Pod): boolean {
  return (status?.conditions ?? []).some(({ type, status: value }) => type === "PodScheduled" && value === "True");
}

function isRunningBeside(pod: Pod, other: Pod): boolean {
  const isSame = other.metadata.uid === pod.metadata.uid;
  return (
    !isSame && other.spec?.nodeName === pod.spec?.nodeName && other.status?.startTime !== undefined && !hasEnded(other)
  );
}

/** Returns the resource that a node lacks for a pod beside its others, with the reason and message of a kubelet. */
export function lackingResource(pod: Pod, place: NodeWithPods): Rejection | undefined {
  const { requests } = withRequests(pod);
  for (const resource of [...RESOURCES, ...requests.keys()]) {
    const capacity = place.allocatable.get(resource);
    // Resources of a cluster, which its nodes do not have, are not the kubelet's.
    if (capacity === undefined) continue;
    const [requested, used] =
      resource === "pods" ? [1, place.podCount] : [requests.get(resource) ?? 0, place.requested(resource)];
    if (requested === 0 || requested <= capacity - used) continue;
    const amounts = `requested: ${String(requested)}, used: ${String(used)}, capacity: ${String(capacity)}`;
    return { reason: `OutOf${resource}`, message: `Node didn't have enough resource: ${resource}, ${amounts}` };
  }
  return undefined;
}

function failed(predicate: string, description: string): Rejection {
  return rejected(predicate, `Predicate ${predicate} failed: ${description}`);
}

function rejected(reason: string, message: string): Rejection {
  return { reason, message: `Pod was rejected: ${message}` };
}
