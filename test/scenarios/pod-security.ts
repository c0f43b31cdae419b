// The Pod Security Standard "restricted", which holds all of "baseline", as Kubernetes documents it for v1.35:
// https://kubernetes.io/docs/concepts/security/pod-security-standards/

type Json = Readonly<Record<string, unknown>>;

interface Capabilities {
  readonly add?: readonly string[];
  readonly drop?: readonly string[];
}

interface SecurityContext extends Json {
  readonly capabilities?: Capabilities;
  readonly seccompProfile?: { readonly type: string };
  readonly appArmorProfile?: { readonly type: string };
  readonly seLinuxOptions?: { readonly type?: string; readonly user?: string; readonly role?: string };
  readonly windowsOptions?: { readonly hostProcess?: boolean };
  readonly sysctls?: readonly { readonly name: string }[];
}

interface Container extends Json {
  readonly name: string;
  readonly securityContext?: SecurityContext;
  readonly ports?: readonly { readonly hostPort?: number }[];
}

/** As much of a Pod's spec as the standard looks at. */
export interface PodSpec extends Json {
  readonly securityContext?: SecurityContext;
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes?: readonly Json[];
}

/** Returns what of a Pod a namespace would refuse that enforces the restricted standard; nothing when it admits it. */
export function restrictedViolations(pod: PodSpec): readonly string[] {
  const containers = [...(pod.initContainers ?? []), ...pod.containers];
  return [...violationsOfPod(pod), ...containers.flatMap((container) => violationsOfContainer(pod, container))];
}

const VOLUMES = new Set([
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "image",
  "persistentVolumeClaim",
  "projected",
  "secret",
]);
const SAFE_SYSCTLS = new Set([
  "kernel.shm_rmid_forced",
  "net.ipv4.ip_local_port_range",
  "net.ipv4.ip_unprivileged_port_start",
  "net.ipv4.tcp_syncookies",
  "net.ipv4.ping_group_range",
  "net.ipv4.ip_local_reserved_ports",
  "net.ipv4.tcp_keepalive_time",
  "net.ipv4.tcp_fin_timeout",
  "net.ipv4.tcp_keepalive_intvl",
  "net.ipv4.tcp_keepalive_probes",
  "net.ipv4.tcp_rmem",
  "net.ipv4.tcp_wmem",
]);

function violationsOfPod(pod: PodSpec): readonly string[] {
  const shared = ["hostNetwork", "hostPID", "hostIPC"].filter((field) => pod[field] === true);
  const volumes = (pod.volumes ?? []).flatMap(({ name: _name, ...source }) => Object.keys(source));
  const sysctls = (pod.securityContext?.sysctls ?? []).filter(({ name }) => !SAFE_SYSCTLS.has(name));
  return [
    ...shared.map((field) => `${field} is true`),
    ...volumes.filter((type) => !VOLUMES.has(type)).map((type) => `volumes: ${type} is not allowed`),
    ...sysctls.map(({ name }) => `sysctl ${name} is not allowed`),
    ...violationsOfContext("pod", pod.securityContext ?? {}),
  ];
}

function violationsOfContainer(pod: PodSpec, { name, ports = [], securityContext = {} }: Container): readonly string[] {
  const { capabilities = {}, privileged, allowPrivilegeEscalation, procMount } = securityContext;
  const inherited = { ...pod.securityContext, ...securityContext };
  const claims: readonly (readonly [boolean, string])[] = [
    [privileged !== true, "privileged is true"],
    [allowPrivilegeEscalation === false, "allowPrivilegeEscalation is not false"],
    [procMount === undefined || procMount === "Default", "procMount is not Default"],
    [(capabilities.drop ?? []).includes("ALL"), "capabilities do not drop ALL"],
    [(capabilities.add ?? []).every((each) => each === "NET_BIND_SERVICE"), "capabilities are added"],
    [inherited["runAsNonRoot"] === true, "runAsNonRoot is not true"],
    [inherited["runAsUser"] !== 0, "runAsUser is 0"],
    [isSeccomp(inherited.seccompProfile?.type), "seccompProfile is neither RuntimeDefault nor Localhost"],
    [ports.every(({ hostPort = 0 }) => hostPort === 0), "a hostPort is used"],
  ];
  const broken = claims.flatMap(([holds, text]) => (holds ? [] : [`${name}: ${text}`]));
  return [...broken, ...violationsOfContext(name, securityContext)];
}

function isSeccomp(type: string | undefined): boolean {
  return type === "RuntimeDefault" || type === "Localhost";
}

// What neither a Pod nor a container may say.
function violationsOfContext(name: string, context: SecurityContext): readonly string[] {
  const { appArmorProfile, seLinuxOptions = {}, seccompProfile, windowsOptions } = context;
  const types = ["container_t", "container_init_t", "container_kvm_t", "container_engine_t"];
  const claims: readonly (readonly [boolean, string])[] = [
    [windowsOptions?.hostProcess !== true, "hostProcess is true"],
    [appArmorProfile?.type !== "Unconfined", "appArmorProfile is Unconfined"],
    [seccompProfile?.type !== "Unconfined", "seccompProfile is Unconfined"],
    [!seLinuxOptions.type || types.includes(seLinuxOptions.type), "seLinuxOptions.type is not allowed"],
    [!seLinuxOptions.user && !seLinuxOptions.role, "seLinuxOptions has a user or a role"],
    [context["runAsNonRoot"] !== false, "runAsNonRoot is false"],
  ];
  return claims.flatMap(([holds, text]) => (holds ? [] : [`${name}: ${text}`]));
}
