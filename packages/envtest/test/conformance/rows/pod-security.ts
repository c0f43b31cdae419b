import { pathOf } from "../kinds.ts";
import type { Json, Row, RowContext } from "../row.ts";

const MERGE = "application/merge-patch+json";

export const POD_SECURITY_ROWS: readonly Row[] = [
  {
    row: 274,
    title: "the level that a namespace enforces refuses Pods, in each version of the standards",
    run: async (context) => {
      for (const [level, versions] of Object.entries(VERSIONS)) {
        for (const version of versions) {
          await label(context, { enforce: level, "enforce-version": version });
          for (const [name, parts] of Object.entries(PODS)) {
            await context.send(`${level}:${version}: ${name}`, createPod(context, name, parts));
          }
        }
      }
    },
  },
  {
    row: 275,
    title: "other levels warn, and workloads are warned about, not refused",
    run: async (context) => {
      const { namespace, send } = context;
      await label(context, { warn: "restricted" });
      await send("a Pod with a warning", createPod(context, "plain", {}));
      await label(context, { warn: "baseline", "warn-version": "v1.20", enforce: "baseline" });
      await send("a Pod of the level", createPod(context, "plain", {}));
      await send("a Pod that is refused", createPod(context, "host", { pod: { hostNetwork: true } }));
      await label(context, { enforce: "restricted", audit: "baseline" });
      for (const [step, { path, body }] of Object.entries(workloads(namespace))) {
        await send(step, { method: "POST", path: `${path}?dryRun=All`, body });
      }
      await label(context, { enforce: "restricted", warn: "privileged" });
      const [deployment] = Object.values(workloads(namespace));
      await send("a Deployment without a warning", {
        method: "POST",
        path: `${deployment?.path ?? ""}?dryRun=All`,
        body: deployment?.body,
      });
      await label(context, { enforce: "restricted", "enforce-version": "v1.99" });
      await send("a version that does not exist", createPod(context, "plain", {}));
    },
  },
  {
    row: 276,
    title: "labels of levels are checked, and existing Pods are checked against a new level",
    run: async (context) => {
      const { namespace, send, quietly } = context;
      for (const [step, labels] of Object.entries(INVALID_LABELS)) {
        await send(step, {
          method: "POST",
          path: "/api/v1/namespaces?dryRun=All",
          body: { metadata: { name: "row-276-new", labels: withPrefix(labels) } },
        });
      }
      for (const [name, parts] of Object.entries(EXISTING)) {
        await quietly({ ...createPod(context, name, parts), path: pathOf("pods", namespace) });
      }
      for (const [step, labels] of Object.entries(CHANGES)) {
        await send(step, {
          method: "PATCH",
          path: `/api/v1/namespaces/${namespace}?dryRun=All`,
          body: { metadata: { labels: withPrefix(labels) } },
          contentType: MERGE,
        });
      }
      await label(context, { enforce: "restricted" });
      await send("a lower level", {
        method: "PATCH",
        path: `/api/v1/namespaces/${namespace}?dryRun=All`,
        body: { metadata: { labels: withPrefix({ enforce: "baseline" }) } },
        contentType: MERGE,
      });
      await send("a label of an existing Pod", {
        method: "PATCH",
        path: `${pathOf("pods", namespace, "a")}?dryRun=All`,
        body: { metadata: { labels: { changed: "yes" } } },
        contentType: MERGE,
      });
      await send("the image of an existing Pod", {
        method: "PATCH",
        path: `${pathOf("pods", namespace, "a")}?dryRun=All`,
        body: { spec: { containers: [{ name: "c", image: "other" }] } },
        contentType: "application/strategic-merge-patch+json",
      });
      for (const name of Object.keys(EXISTING)) {
        await quietly({ method: "DELETE", path: `${pathOf("pods", namespace, name)}?gracePeriodSeconds=0` });
      }
    },
  },
];

interface PodParts {
  readonly pod?: Json;
  readonly container?: Json;
  readonly security?: Json;
  readonly podSecurity?: Json;
  readonly annotations?: Json;
  readonly init?: Json;
}

function createPod(
  { namespace }: Pick<RowContext, "namespace">,
  name: string,
  parts: PodParts,
): { readonly method: "POST"; readonly path: string; readonly body: Json } {
  const path = `${pathOf("pods", namespace)}?dryRun=All`;
  return {
    method: "POST",
    path,
    body: { metadata: { name, annotations: parts.annotations ?? {} }, spec: specOf(parts) },
  };
}

function specOf({ pod = {}, container = {}, security, podSecurity, init }: PodParts): Json {
  const context = security === undefined ? {} : { securityContext: security };
  return {
    ...(podSecurity === undefined ? {} : { securityContext: podSecurity }),
    ...(init === undefined ? {} : { initContainers: [{ name: "i", image: "i", ...init }] }),
    containers: [{ name: "c", image: "c", ...context, ...container }],
    ...pod,
  };
}

const SAFE = {
  allowPrivilegeEscalation: false,
  runAsNonRoot: true,
  capabilities: { drop: ["ALL"] },
  seccompProfile: { type: "RuntimeDefault" },
};

const TWO = [
  { name: "a", image: "a", securityContext: { privileged: true } },
  { name: "b", image: "b", securityContext: { privileged: true, runAsUser: 0 } },
];

const VERSIONS: Readonly<Record<string, readonly string[]>> = {
  privileged: ["latest"],
  baseline: ["latest", "v1.18", "v1.30"],
  restricted: ["latest", "v1.7", "v1.24", "v1.34"],
};

const PODS: Readonly<Record<string, PodParts>> = {
  plain: {},
  safe: { security: SAFE },
  "safe-pod": {
    podSecurity: { runAsNonRoot: true, seccompProfile: { type: "Localhost", localhostProfile: "p" } },
    security: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"], add: ["NET_BIND_SERVICE"] } },
  },
  windows: { pod: { os: { name: "windows" } }, podSecurity: { runAsNonRoot: true } },
  "host-process": {
    pod: { hostNetwork: true },
    podSecurity: { windowsOptions: { hostProcess: true } },
    security: { windowsOptions: { hostProcess: true } },
  },
  several: { pod: { containers: TWO } },
  "host-namespaces": { pod: { hostNetwork: true, hostPID: true, hostIPC: true } },
  "host-ports": {
    container: {
      ports: [
        { containerPort: 80, hostPort: 8080 },
        { containerPort: 81, hostPort: 443 },
      ],
    },
  },
  probes: {
    container: {
      livenessProbe: { httpGet: { host: "example.com", port: 80 } },
      readinessProbe: { tcpSocket: { host: "10.0.0.1", port: 80 } },
      lifecycle: { preStop: { httpGet: { host: "a.example.com", port: 80 } } },
    },
  },
  volumes: {
    security: SAFE,
    pod: {
      volumes: [
        { name: "h", hostPath: { path: "/" } },
        { name: "n", nfs: { server: "s", path: "/" } },
        { name: "e", emptyDir: {} },
      ],
    },
  },
  capabilities: { security: { ...SAFE, capabilities: { add: ["SYS_ADMIN", "CHOWN", "NET_RAW"], drop: ["KILL"] } } },
  "init-container": { security: SAFE, init: { securityContext: { capabilities: { add: ["SYS_TIME"] } } } },
  selinux: {
    podSecurity: { seLinuxOptions: { type: "container_engine_t", user: "u" } },
    security: { ...SAFE, seLinuxOptions: { type: "bad_t", role: "r" } },
  },
  seccomp: {
    podSecurity: { seccompProfile: { type: "Unconfined" } },
    security: { seccompProfile: { type: "Unconfined" } },
  },
  apparmor: {
    podSecurity: { appArmorProfile: { type: "Unconfined" } },
    security: { ...SAFE, appArmorProfile: { type: "Unconfined" } },
  },
  root: {
    podSecurity: { runAsUser: 0, runAsNonRoot: false },
    security: { ...SAFE, runAsNonRoot: false, runAsUser: 0 },
  },
  sysctls: {
    security: SAFE,
    podSecurity: {
      sysctls: [
        { name: "kernel.shm_rmid_forced", value: "1" },
        { name: "net.ipv4.tcp_rmem", value: "1" },
        { name: "net.ipv4.tcp_fin_timeout", value: "1" },
        { name: "kernel.msgmax", value: "1" },
      ],
    },
  },
  "proc-mount": { pod: { hostUsers: false }, security: { ...SAFE, procMount: "Unmasked" } },
  "user-namespace": { pod: { hostUsers: false }, security: { ...SAFE, runAsNonRoot: false, runAsUser: 0 } },
};

const INVALID_LABELS: Readonly<Record<string, Json>> = {
  "an unknown level": { enforce: "strict" },
  "an unknown version": { "enforce-version": "1.2" },
  several: {
    enforce: "a",
    "enforce-version": "b",
    audit: "c",
    "audit-version": "d",
    warn: "e",
    "warn-version": "v1.x",
  },
  valid: { enforce: "baseline", "enforce-version": "v1.25", audit: "restricted", warn: "privileged" },
};

// No scheduler changes them.
const UNSCHEDULED = { schedulerName: "none" };

const EXISTING: Readonly<Record<string, PodParts>> = {
  a: { pod: UNSCHEDULED },
  b: { pod: UNSCHEDULED },
  privileged: { pod: UNSCHEDULED, security: { privileged: true } },
  safe: { pod: UNSCHEDULED, security: SAFE },
};

const CHANGES: Readonly<Record<string, Json>> = {
  "a level that some violate": { enforce: "restricted" },
  "another level": { enforce: "baseline", "enforce-version": "v1.28" },
  "an invalid level": { enforce: "none" },
  "a level that warns": { warn: "restricted" },
};

async function label({ namespace, quietly, eventually }: RowContext, levels: Json): Promise<void> {
  const all = Object.fromEntries(
    ["enforce", "audit", "warn"].flatMap((mode) => [mode, `${mode}-version`]).map((key) => [key, levels[key] ?? null]),
  );
  const { body } = await quietly({
    method: "PATCH",
    path: `/api/v1/namespaces/${namespace}`,
    body: { metadata: { labels: withPrefix(all) } },
    contentType: MERGE,
  });
  const { resourceVersion = "" } = (body as { readonly metadata: { readonly resourceVersion?: string } }).metadata;
  // The plugin reads namespaces from a cache, which follows the one of watches.
  await eventually(
    { path: `/api/v1/namespaces/${namespace}?resourceVersion=${resourceVersion}` },
    ({ status }) => status === 200,
  );
}

function withPrefix(labels: Json): Json {
  return Object.fromEntries(Object.entries(labels).map(([key, value]) => [`pod-security.kubernetes.io/${key}`, value]));
}

function workloads(namespace: string): Readonly<Record<string, { readonly path: string; readonly body: Json }>> {
  const labels = { app: "a" };
  const template = { metadata: { labels }, spec: specOf({ pod: { hostPID: true } }) };
  const job = { ...template, spec: { ...template.spec, restartPolicy: "Never" } };
  const selector = { matchLabels: labels };
  const metadata = { name: "a" };
  const apps = `/apis/apps/v1/namespaces/${namespace}`;
  const batch = `/apis/batch/v1/namespaces/${namespace}`;
  return {
    "a Deployment": { path: `${apps}/deployments`, body: { metadata, spec: { selector, template } } },
    "a ReplicaSet": { path: `${apps}/replicasets`, body: { metadata, spec: { selector, template } } },
    "a StatefulSet": {
      path: `${apps}/statefulsets`,
      body: { metadata, spec: { selector, template, serviceName: "a" } },
    },
    "a DaemonSet": { path: `${apps}/daemonsets`, body: { metadata, spec: { selector, template } } },
    "a Job": { path: `${batch}/jobs`, body: { metadata, spec: { template: job } } },
    "a CronJob": {
      path: `${batch}/cronjobs`,
      body: { metadata, spec: { schedule: "@daily", jobTemplate: { spec: { template: job } } } },
    },
    "a PodTemplate": { path: pathOf("podtemplates", namespace), body: { metadata, template } },
  };
}
