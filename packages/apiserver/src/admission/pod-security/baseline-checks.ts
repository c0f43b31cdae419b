import { goQuote } from "@kubescaffold/k8s";
import type { Container, LifecycleHandler, Probe, SELinuxOptions } from "@kubescaffold/k8s/core/v1";

import {
  containersOf,
  containerText,
  distinct,
  namesOf,
  plural,
  type PodCheck,
  quoted,
  settersText,
  type VersionedCheck,
} from "./check.ts";

const APP_ARMOR_ANNOTATION = "container.apparmor.security.beta.kubernetes.io/";
const APP_ARMOR_TYPES: ReadonlySet<string> = new Set(["RuntimeDefault", "Localhost"]);

const appArmorProfile: PodCheck = ({ metadata, spec }) => {
  const isBad = (type: string | undefined): type is string => type !== undefined && !APP_ARMOR_TYPES.has(type);
  const typeOf = ({ securityContext }: Container): string | undefined => securityContext?.appArmorProfile?.type;
  const podType = spec.securityContext?.appArmorProfile?.type;
  const containers = namesOf(spec, (container) => isBad(typeOf(container)));
  const annotations = Object.entries(metadata.annotations ?? {})
    .filter(([key, value]) => key.startsWith(APP_ARMOR_ANNOTATION) && !isAllowedProfile(value))
    .map(([key, value]) => `${key}=${goQuote(value)}`)
    .toSorted();
  const types = distinct([podType, ...containersOf(spec).map((each) => typeOf(each))].filter((type) => isBad(type)));
  const values = [...types, ...annotations];
  const setters = [
    ...(isBad(podType) || containers.length > 0 ? [settersText(isBad(podType), containers)] : []),
    ...(annotations.length === 0 ? [] : [plural(annotations, "annotation", "annotations")]),
  ];
  if (setters.length === 0) return undefined;
  return {
    reason: plural(values, "forbidden AppArmor profile", "forbidden AppArmor profiles"),
    detail: `${setters.join(" and ")} must not set AppArmor profile type to ${quoted(values)}`,
  };
};

function isAllowedProfile(profile: string): boolean {
  return profile === "" || profile === "runtime/default" || profile.startsWith("localhost/");
}

const DEFAULT_CAPABILITIES: ReadonlySet<string> = new Set(
  "AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT".split(
    " ",
  ),
);

const capabilities: PodCheck = ({ spec }) => {
  const addedBy = ({ securityContext }: Container): readonly string[] =>
    (securityContext?.capabilities?.add ?? []).filter((name) => !DEFAULT_CAPABILITIES.has(name));
  const containers = namesOf(spec, (container) => addedBy(container).length > 0);
  if (containers.length === 0) return undefined;
  const added = distinct(containersOf(spec).flatMap((container) => addedBy(container)));
  const detail = `${containerText(containers)} must not include ${quoted(added)} in securityContext.capabilities.add`;
  return { reason: "non-default capabilities", detail };
};

const hostNamespaces: PodCheck = ({ spec }) => {
  const names = (["hostNetwork", "hostPID", "hostIPC"] as const).filter((name) => spec[name] === true);
  return names.length === 0
    ? undefined
    : { reason: "host namespaces", detail: names.map((name) => `${name}=true`).join(", ") };
};

const hostPathVolumes: PodCheck = ({ spec }) => {
  const names = (spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined).map(({ name }) => name);
  return names.length === 0
    ? undefined
    : { reason: "hostPath volumes", detail: `${plural(names, "volume", "volumes")} ${quoted(names)}` };
};

const hostPorts: PodCheck = ({ spec }) => {
  const portsOf = ({ ports = [] }: Container): readonly string[] =>
    ports.flatMap(({ hostPort = 0 }) => (hostPort === 0 ? [] : [String(hostPort)]));
  const containers = namesOf(spec, (container) => portsOf(container).length > 0);
  if (containers.length === 0) return undefined;
  const ports = distinct(containersOf(spec).flatMap((container) => portsOf(container)));
  const uses = `${plural(containers, "uses", "use")} ${plural(ports, "hostPort", "hostPorts")}`;
  return { reason: "hostPort", detail: `${containerText(containers)} ${uses} ${ports.join(", ")}` };
};

const hostProbes: PodCheck = ({ spec }) => {
  const hostsOf = ({ livenessProbe, readinessProbe, startupProbe, lifecycle }: Container): readonly string[] =>
    [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop].flatMap((handler) =>
      hostsIn(handler),
    );
  const containers = distinct(namesOf(spec, (container) => hostsOf(container).length > 0));
  if (containers.length === 0) return undefined;
  const hosts = distinct(containersOf(spec).flatMap((container) => hostsOf(container)));
  const uses = plural(containers, "uses", "use");
  const what = plural(hosts, "probe or lifecycle host", "probe or lifecycle hosts");
  return { reason: "probe or lifecycle host", detail: `${containerText(containers)} ${uses} ${what} ${quoted(hosts)}` };
};

function hostsIn(handler: Probe | LifecycleHandler | undefined): readonly string[] {
  return [handler?.httpGet?.host, handler?.tcpSocket?.host].filter(
    (host) => host !== undefined && host !== "",
  ) as string[];
}

const privileged: PodCheck = ({ spec }) => {
  const containers = namesOf(spec, ({ securityContext }) => securityContext?.privileged === true);
  return containers.length === 0
    ? undefined
    : { reason: "privileged", detail: `${containerText(containers)} must not set securityContext.privileged=true` };
};

/** Checks `procMount`, whatever the users of the Pod are. */
export const procMount: PodCheck = ({ spec }) => {
  const mountOf = ({ securityContext }: Container): string => securityContext?.procMount ?? "Default";
  const containers = namesOf(spec, (container) => mountOf(container) !== "Default");
  if (containers.length === 0) return undefined;
  const mounts = distinct(containersOf(spec).map((each) => mountOf(each))).filter((mount) => mount !== "Default");
  const detail = `${containerText(containers)} must not set securityContext.procMount to ${quoted(mounts)}`;
  return { reason: "procMount", detail };
};

/** Returns a check that Pods with their own users need not pass. */
export function unlessUserNamespace(check: PodCheck): PodCheck {
  return (pod) => (pod.spec.hostUsers === false ? undefined : check(pod));
}

const OLD_TYPES = ["", "container_t", "container_init_t", "container_kvm_t"];

function seLinuxOptions(types: readonly string[]): PodCheck {
  const isBad = ({ type = "", user = "", role = "" }: SELinuxOptions): boolean =>
    !types.includes(type) || user !== "" || role !== "";
  return ({ spec }) => {
    const ofPod = spec.securityContext?.seLinuxOptions;
    const ofContainers = containersOf(spec).flatMap(({ securityContext }) => securityContext?.seLinuxOptions ?? []);
    const bad = [...(ofPod === undefined ? [] : [ofPod]), ...ofContainers].filter((options) => isBad(options));
    if (bad.length === 0) return undefined;
    const isPod = ofPod !== undefined && isBad(ofPod);
    const containers = namesOf(spec, ({ securityContext }) => isBad(securityContext?.seLinuxOptions ?? {}));
    const badTypes = distinct(bad.flatMap(({ type = "" }) => (types.includes(type) ? [] : [type])));
    const facts = [
      ...(badTypes.length === 0 ? [] : [`${plural(badTypes, "type", "types")} ${quoted(badTypes)}`]),
      ...(bad.some(({ user = "" }) => user !== "") ? ["user may not be set"] : []),
      ...(bad.some(({ role = "" }) => role !== "") ? ["role may not be set"] : []),
    ];
    const setters = settersText(isPod, containers);
    return {
      reason: "seLinuxOptions",
      detail: `${setters} set forbidden securityContext.seLinuxOptions: ${facts.join("; ")}`,
    };
  };
}

const SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
const SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/";
const SECCOMP_TYPES: ReadonlySet<string> = new Set(["Localhost", "RuntimeDefault"]);

const seccompAnnotations: PodCheck = ({ metadata, spec }) => {
  const keys = [SECCOMP_POD, ...containersOf(spec).map(({ name }) => `${SECCOMP_CONTAINER}${name}`)];
  const bad = distinct(
    keys.flatMap((key) => {
      const value = metadata.annotations?.[key];
      const isBad = value !== undefined && !isAllowedSeccomp(value);
      return isBad ? [`${key}=${goQuote(value)}`] : [];
    }),
  );
  const detail = `forbidden ${plural(bad, "annotation", "annotations")} ${bad.join(", ")}`;
  return bad.length === 0 ? undefined : { reason: "seccompProfile", detail };
};

function isAllowedSeccomp(value: string): boolean {
  return value === "runtime/default" || value === "docker/default" || value.startsWith("localhost/");
}

/** Checks that no seccomp profile is set that is not allowed. */
export const seccompProfile: PodCheck = ({ spec }) => {
  const isBad = (type: string | undefined): type is string => type !== undefined && !SECCOMP_TYPES.has(type);
  const typeOf = ({ securityContext }: Container): string | undefined => securityContext?.seccompProfile?.type;
  const podType = spec.securityContext?.seccompProfile?.type;
  const containers = namesOf(spec, (container) => isBad(typeOf(container)));
  const types = distinct([podType, ...containersOf(spec).map((each) => typeOf(each))].filter((type) => isBad(type)));
  if (types.length === 0) return undefined;
  const setters = settersText(isBad(podType), containers);
  return {
    reason: "seccompProfile",
    detail: `${setters} must not set securityContext.seccompProfile.type to ${quoted(types)}`,
  };
};

const FIRST_SYSCTLS = [
  "kernel.shm_rmid_forced",
  "net.ipv4.ip_local_port_range",
  "net.ipv4.tcp_syncookies",
  "net.ipv4.ping_group_range",
  "net.ipv4.ip_unprivileged_port_start",
];
const SYSCTLS_27 = [...FIRST_SYSCTLS, "net.ipv4.ip_local_reserved_ports"];
const KEEPALIVE = "net.ipv4.tcp_keepalive_";
const SYSCTLS_29 = [
  ...SYSCTLS_27,
  "net.ipv4.tcp_fin_timeout",
  ...["time", "intvl", "probes"].map((name) => `${KEEPALIVE}${name}`),
];
const SYSCTLS_32 = [...SYSCTLS_29, "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"];

function sysctls(allowed: readonly string[]): PodCheck {
  return ({ spec }) => {
    const names = (spec.securityContext?.sysctls ?? [])
      .map(({ name }) => name)
      .filter((name) => !allowed.includes(name));
    return names.length === 0 ? undefined : { reason: "forbidden sysctls", detail: names.join(", ") };
  };
}

const windowsHostProcess: PodCheck = ({ spec }) => {
  const isPod = spec.securityContext?.windowsOptions?.hostProcess === true;
  const containers = namesOf(spec, ({ securityContext }) => securityContext?.windowsOptions?.hostProcess === true);
  if (!isPod && containers.length === 0) return undefined;
  const setters = settersText(isPod, containers);
  return { reason: "hostProcess", detail: `${setters} must not set securityContext.windowsOptions.hostProcess=true` };
};

/** The checks of the level `baseline`, in the order of their violations in messages. */
export const BASELINE_CHECKS: readonly VersionedCheck[] = [
  { id: "appArmorProfile", versions: [{ since: 0, check: appArmorProfile }] },
  { id: "capabilities_baseline", versions: [{ since: 0, check: capabilities }] },
  { id: "hostNamespaces", versions: [{ since: 0, check: hostNamespaces }] },
  { id: "hostPathVolumes", versions: [{ since: 0, check: hostPathVolumes }] },
  { id: "hostPorts", versions: [{ since: 0, check: hostPorts }] },
  { id: "hostProbesAndHostLifecycle", versions: [{ since: 34, check: hostProbes }] },
  { id: "privileged", versions: [{ since: 0, check: privileged }] },
  {
    id: "procMount",
    versions: [
      { since: 0, check: procMount },
      { since: 35, check: unlessUserNamespace(procMount) },
    ],
  },
  {
    id: "seLinuxOptions",
    versions: [
      { since: 0, check: seLinuxOptions(OLD_TYPES) },
      { since: 31, check: seLinuxOptions([...OLD_TYPES, "container_engine_t"]) },
    ],
  },
  {
    id: "seccompProfile_baseline",
    versions: [
      { since: 0, check: seccompAnnotations },
      { since: 19, check: seccompProfile },
    ],
  },
  {
    id: "sysctls",
    versions: [
      { since: 0, check: sysctls(FIRST_SYSCTLS) },
      { since: 27, check: sysctls(SYSCTLS_27) },
      { since: 29, check: sysctls(SYSCTLS_29) },
      { since: 32, check: sysctls(SYSCTLS_32) },
    ],
  },
  { id: "windowsHostProcess", versions: [{ since: 0, check: windowsHostProcess }] },
];
