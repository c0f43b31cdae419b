import type { Container, PodSpec, Probe } from "@kubescaffold/k8s/core/v1";

import { SHELL_IMAGE } from "../images.ts";

/** When a Pod of the table is observed. */
export type Until =
  | { readonly kind: "end" }
  | { readonly kind: "ready" }
  | { readonly kind: "event"; readonly reason: string }
  | { readonly kind: "waiting"; readonly reason: string }
  /** It is deleted once it is ready, and observed when its containers have ended. */
  | { readonly kind: "deleted" };

/** A Pod that runs on a real node and on the embedded cluster. */
export interface TablePod {
  readonly name: string;
  readonly spec: PodSpec;
  readonly until: Until;
}

const END: Until = { kind: "end" };
const READY: Until = { kind: "ready" };
const DELETED: Until = { kind: "deleted" };
const FOREVER = "sleep 100000";
const STOPPABLE = "trap 'exit 0' TERM; sleep 100000 & wait";
const SERVER = "httpd -f -p 8080 -h /etc";

/** The Pods, each with one trait. */
export const POD_TABLE: readonly TablePod[] = [
  // Exit codes and restart policies.
  pod("succeeds", END, [script("exit 0")], { restartPolicy: "Never" }),
  pod("fails", END, [script("exit 3")], { restartPolicy: "Never" }),
  pod("fails-with-255", END, [script("exit 255")], { restartPolicy: "Never" }),
  pod("program-is-missing", END, [{ ...script(""), command: ["/no-such-program"] }], { restartPolicy: "Never" }),
  pod("one-of-two-fails", END, [script("exit 0"), script("exit 1", "other")], { restartPolicy: "Never" }),
  pod("both-succeed", END, [script("exit 0"), script("sleep 1; exit 0", "other")], { restartPolicy: "Never" }),
  pod("on-failure-succeeds", END, [script("exit 0")], { restartPolicy: "OnFailure" }),
  pod("on-failure-loops", waiting("CrashLoopBackOff"), [script("exit 4")], { restartPolicy: "OnFailure" }),
  pod("always-loops-on-failure", waiting("CrashLoopBackOff"), [script("exit 5")]),
  pod("always-loops-on-success", waiting("CrashLoopBackOff"), [script("exit 0")]),
  pod("one-of-two-ends", waiting("CrashLoopBackOff"), [script(FOREVER), script("exit 1", "other")]),
  pod("deadline", END, [script(FOREVER)], { activeDeadlineSeconds: 3, terminationGracePeriodSeconds: 1 }),
  // Termination messages.
  pod("message-in-file", END, [script("echo the reason > /dev/termination-log; exit 1")], { restartPolicy: "Never" }),
  pod("message-of-success", END, [script("echo all is well > /dev/termination-log; exit 0")], { restartPolicy: "Never" }),
  pod("message-from-log", END, [{ ...script("echo from the log; exit 1"), ...fallBack() }], { restartPolicy: "Never" }),
  pod("no-message-from-log", END, [{ ...script("echo from the log; exit 0"), ...fallBack() }], { restartPolicy: "Never" }),
  // Init containers and sidecars.
  pod("init-succeeds", READY, [script(FOREVER)], { initContainers: [script("exit 0", "first")] }),
  pod("init-fails", END, [script(FOREVER)], { initContainers: [script("exit 2", "first")], restartPolicy: "Never" }),
  pod("init-loops", waiting("CrashLoopBackOff"), [script(FOREVER)], { initContainers: [script("exit 2", "first")] }),
  pod("init-of-two-fails", END, [script(FOREVER)], {
    initContainers: [script("exit 0", "first"), script("exit 1", "second")],
    restartPolicy: "Never",
  }),
  pod("sidecar-runs", READY, [script(FOREVER)], { initContainers: [sidecar(FOREVER)] }),
  pod("sidecar-stops-last", END, [script("sleep 1; exit 0")], {
    initContainers: [sidecar(STOPPABLE)],
    restartPolicy: "Never",
  }),
  pod("sidecar-is-killed", END, [script("sleep 1; exit 0")], {
    initContainers: [sidecar(FOREVER)],
    restartPolicy: "Never",
    terminationGracePeriodSeconds: 1,
  }),
  pod("sidecar-loops", waiting("CrashLoopBackOff"), [script(FOREVER)], { initContainers: [sidecar("exit 1")] }),
  // Probes.
  pod("ready-by-command", READY, [{ ...script(FOREVER), readinessProbe: exec("true") }]),
  pod("not-ready-by-command", event("Unhealthy"), [{ ...script(FOREVER), readinessProbe: exec("false") }]),
  pod("ready-by-http", READY, [{ ...script(SERVER), readinessProbe: http("/passwd") }]),
  pod("not-ready-by-http", event("Unhealthy"), [{ ...script(SERVER), readinessProbe: http("/missing") }]),
  pod("ready-by-tcp", READY, [{ ...script(SERVER), readinessProbe: quick({ tcpSocket: { port: 8080 } }) }]),
  pod("killed-by-liveness", event("Killing"), [{ ...script(STOPPABLE), livenessProbe: exec("false") }]),
  pod("killed-by-startup", event("Killing"), [{ ...script(STOPPABLE), startupProbe: exec("false") }]),
  pod("started-by-command", READY, [
    { ...script(FOREVER), startupProbe: exec("true"), readinessProbe: exec("true"), livenessProbe: exec("true") },
  ]),
  // Images and configuration.
  pod("image-is-never-pulled", waiting("ErrImageNeverPull"), [
    { ...script(FOREVER), image: "example.com/missing:v1", imagePullPolicy: "Never" },
  ]),
  pod("image-name-is-invalid", waiting("InvalidImageName"), [{ ...script(FOREVER), image: "example.com/UPPER:v1" }]),
  pod("runs-as-root", waiting("CreateContainerConfigError"), [{ ...script(FOREVER), securityContext: { runAsNonRoot: true } }]),
  pod("config-map-is-missing", waiting("CreateContainerConfigError"), [
    { ...script(FOREVER), envFrom: [{ configMapRef: { name: "missing" } }] },
  ]),
  pod("optional-config-map-is-missing", READY, [
    { ...script(FOREVER), envFrom: [{ configMapRef: { name: "missing", optional: true } }] },
  ]),
  pod("volume-is-missing", event("FailedMount"), [script(FOREVER)], {
    volumes: [{ name: "missing", configMap: { name: "missing" } }],
  }),
  pod("empty-volume", READY, [{ ...script(FOREVER), volumeMounts: [{ name: "data", mountPath: "/data" }] }], {
    volumes: [{ name: "data", emptyDir: {} }],
  }),
  // Ends of running Pods.
  pod("deleted-with-status-0", DELETED, [script(STOPPABLE)]),
  pod("deleted-with-status-7", DELETED, [script("trap 'exit 7' TERM; sleep 100000 & wait")]),
  pod("deleted-and-killed", DELETED, [script(FOREVER)], { terminationGracePeriodSeconds: 1 }),
  pod("deleted-with-hook", DELETED, [
    { ...script(STOPPABLE), lifecycle: { preStop: { exec: { command: ["/bin/sh", "-c", "sleep 1"] } } } },
  ]),
  pod("deleted-with-sidecar", DELETED, [script(STOPPABLE)], { initContainers: [sidecar(STOPPABLE)] }),
  pod("hook-fails", event("FailedPostStartHook"), [
    { ...script(STOPPABLE), lifecycle: { postStart: { exec: { command: ["/bin/sh", "-c", "exit 1"] } } } },
  ]),
  pod("gate-is-closed", event("Started"), [script(FOREVER)], { readinessGates: [{ conditionType: "example.com/open" }] }),
];

function pod(name: string, until: Until, containers: readonly Container[], rest: Partial<PodSpec> = {}): TablePod {
  return { name, until, spec: { terminationGracePeriodSeconds: 5, ...rest, containers: [...containers] } };
}

function script(text: string, name = "main"): Container {
  return { name, image: SHELL_IMAGE, command: ["/bin/sh", "-c", text] };
}

function sidecar(text: string): Container {
  return { ...script(text, "sidecar"), restartPolicy: "Always" };
}

function event(reason: string): Until {
  return { kind: "event", reason };
}

function waiting(reason: string): Until {
  return { kind: "waiting", reason };
}

function exec(program: string): Probe {
  return quick({ exec: { command: ["/bin/sh", "-c", program] } });
}

function http(path: string): Probe {
  return quick({ httpGet: { path, port: 8080 } });
}

function quick(probe: Probe): Probe {
  return { periodSeconds: 1, failureThreshold: 2, ...probe };
}

function fallBack(): Pick<Container, "terminationMessagePolicy"> {
  return { terminationMessagePolicy: "FallbackToLogsOnError" };
}
