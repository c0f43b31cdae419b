import type { Pod, PodStatus } from "@kubescaffold/k8s/core/v1";

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

/** Returns why a kubelet does not run a pod that sets parameters of the kernel. */
export function sysctlRejection({ spec }: Pod): Required<Pick<PodStatus, "reason" | "message">> | undefined {
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
