import type { Container, EphemeralContainer, ResourceRequirements } from "@kubescaffold/k8s/core/v1";

import { MISSING_IMAGE, PULLED_IMAGE, SHELL_IMAGE } from "../images.ts";
import { limits } from "./ended-pods.ts";
import {
  END,
  event,
  exec,
  FOREVER,
  http,
  NEVER,
  pod,
  quick,
  READY,
  RESTARTED,
  script,
  SERVER,
  sidecar,
  STOPPABLE,
  waiting,
} from "./pod-parts.ts";
import type { TablePod, Until } from "./table-pod.ts";

/** Pods about init containers, sidecars, probes, images, volumes, resizes, and ephemeral containers. */
export const STARTED_PODS: readonly TablePod[] = [
  // Init containers and sidecars.
  pod("init-succeeds", READY, [script(FOREVER)], { initContainers: [script("exit 0", "first")] }),
  pod("init-fails", END, [script(FOREVER)], { initContainers: [script("exit 2", "first")], ...NEVER }),
  pod("init-loops", event("BackOff"), [script(FOREVER)], { initContainers: [script("exit 2", "first")] }),
  pod("init-of-two-fails", END, [script(FOREVER)], {
    initContainers: [script("exit 0", "first"), script("exit 1", "second")],
    ...NEVER,
  }),
  pod("init-is-misconfigured", waiting("CreateContainerConfigError"), [script(FOREVER)], {
    initContainers: [{ ...script("exit 0", "first"), envFrom: [{ configMapRef: { name: "missing" } }] }],
  }),
  pod("sidecar-runs", READY, [script(FOREVER)], { initContainers: [sidecar(FOREVER)] }),
  pod("sidecar-stops-last", END, [script("sleep 1; exit 0")], { initContainers: [sidecar(STOPPABLE)], ...NEVER }),
  pod("sidecar-is-killed", END, [script("sleep 1; exit 0")], {
    initContainers: [sidecar(FOREVER)],
    ...NEVER,
    terminationGracePeriodSeconds: 1,
  }),
  pod("sidecar-loops", event("BackOff"), [script(FOREVER)], { initContainers: [sidecar("exit 1")] }),
  pod("sidecar-never-starts", event("Unhealthy"), [script(FOREVER)], {
    initContainers: [{ ...sidecar(STOPPABLE), startupProbe: { ...exec("false"), failureThreshold: 100 } }],
  }),
  // Probes.
  pod("ready-by-command", READY, [{ ...script(FOREVER), readinessProbe: exec("true") }]),
  pod("not-ready-by-command", event("Unhealthy"), [{ ...script(FOREVER), readinessProbe: exec("false") }]),
  pod("not-ready-by-missing-program", event("Unhealthy"), [
    { ...script(FOREVER), readinessProbe: quick({ exec: { command: ["/no-such-program"] } }) },
  ]),
  pod("ready-by-http", READY, [{ ...script(SERVER), readinessProbe: http("/passwd") }]),
  pod("not-ready-by-http", event("Unhealthy"), [{ ...script(SERVER), readinessProbe: http("/missing") }]),
  pod("ready-by-tcp", READY, [{ ...script(SERVER), readinessProbe: later({ tcpSocket: { port: 8080 } }) }]),
  pod("not-ready-by-tcp", event("Unhealthy"), [
    { ...script(FOREVER), readinessProbe: quick({ tcpSocket: { port: 8080 } }) },
  ]),
  pod("not-ready-by-grpc", event("Unhealthy"), [
    { ...script(FOREVER), readinessProbe: quick({ grpc: { port: 8080 }, timeoutSeconds: 1 }) },
  ]),
  pod("killed-by-liveness", event("BackOff"), [{ ...script(STOPPABLE), livenessProbe: exec("false") }]),
  pod("killed-by-startup", event("BackOff"), [{ ...script(STOPPABLE), startupProbe: exec("false") }]),
  pod("started-by-command", READY, [
    { ...script(FOREVER), startupProbe: exec("true"), readinessProbe: exec("true"), livenessProbe: exec("true") },
  ]),
  pod("gate-is-closed", event("Started"), [script(FOREVER)], {
    readinessGates: [{ conditionType: "example.com/open" }],
  }),
  // Images.
  pod("image-is-never-pulled", waiting("ErrImageNeverPull"), [
    { ...script(FOREVER), image: MISSING_IMAGE, imagePullPolicy: "Never" },
  ]),
  pod("image-name-is-invalid", waiting("InvalidImageName"), [{ ...script(FOREVER), image: "example.com/UPPER:v1" }]),
  pod("image-of-init-is-invalid", waiting("InvalidImageName"), [script(FOREVER)], {
    initContainers: [{ ...script("exit 0", "first"), image: "example.com/UPPER:v1" }],
  }),
  pod("image-cannot-be-pulled", waiting("ImagePullBackOff"), [{ ...script(FOREVER), image: MISSING_IMAGE }]),
  pod("image-is-always-pulled", READY, [{ ...script(FOREVER), image: PULLED_IMAGE, imagePullPolicy: "Always" }]),
  // Configuration and volumes.
  pod("runs-as-root", waiting("CreateContainerConfigError"), [
    { ...script(FOREVER), securityContext: { runAsNonRoot: true } },
  ]),
  pod("config-map-is-missing", waiting("CreateContainerConfigError"), [
    { ...script(FOREVER), envFrom: [{ configMapRef: { name: "missing" } }] },
  ]),
  pod("key-is-missing", waiting("CreateContainerConfigError"), [
    {
      ...script(FOREVER),
      env: [{ name: "A", valueFrom: { configMapKeyRef: { name: "kube-root-ca.crt", key: "missing" } } }],
    },
  ]),
  pod("optional-config-map-is-missing", READY, [
    { ...script(FOREVER), envFrom: [{ configMapRef: { name: "missing", optional: true } }] },
  ]),
  pod("unused-volume-is-missing", READY, [script(FOREVER)], {
    volumes: [{ name: "data", configMap: { name: "missing" } }],
  }),
  pod("volume-is-missing", event("FailedMount"), [mounted()], {
    volumes: [{ name: "data", configMap: { name: "missing" } }],
  }),
  pod("secret-volume-is-missing", event("FailedMount"), [mounted()], {
    volumes: [{ name: "data", secret: { secretName: "missing" } }],
    initContainers: [script("exit 0", "first")],
  }),
  pod("key-of-volume-is-missing", event("FailedMount"), [mounted()], {
    volumes: [{ name: "data", configMap: { name: "kube-root-ca.crt", items: [{ key: "missing", path: "a" }] } }],
  }),
  pod("projected-volume-is-missing", event("FailedMount"), [mounted()], {
    volumes: [{ name: "data", projected: { sources: [{ configMap: { name: "missing" } }] } }],
  }),
  pod("optional-volume-is-missing", READY, [mounted()], {
    volumes: [{ name: "data", configMap: { name: "missing", optional: true } }],
  }),
  pod("empty-volume", READY, [mounted()], { volumes: [{ name: "data", emptyDir: {} }] }),
  // Rejections.
  pod("sysctl-is-forbidden", END, [script(FOREVER)], {
    securityContext: { sysctls: [{ name: "kernel.msgmax", value: "65536" }] },
  }),
  { ...pod("node-does-not-match", END, [script(FOREVER)], { nodeSelector: { missing: "label" } }), isBound: true },
  // Resizes.
  resized("resized", event("ResizeCompleted"), { requests: { cpu: "20m" }, limits: { cpu: "60m" } }),
  resized("resized-with-restart", RESTARTED, { requests: { cpu: "20m" }, limits: { cpu: "60m" } }, [
    { resourceName: "cpu", restartPolicy: "RestartContainer" },
  ]),
  // Ephemeral containers.
  debugged("debugged", "running", { command: ["/bin/sh", "-c", FOREVER] }),
  debugged("debugged-until-the-end", "terminated", { command: ["/bin/sh", "-c", "exit 3"] }),
];

// What listens only after a while is probed after that.
function later(probe: NonNullable<Container["readinessProbe"]>): NonNullable<Container["readinessProbe"]> {
  return quick({ initialDelaySeconds: 3, ...probe });
}

function mounted(): Container {
  return { ...script(FOREVER), volumeMounts: [{ name: "data", mountPath: "/data" }] };
}

function resized(
  name: string,
  until: Until,
  resources: ResourceRequirements,
  resizePolicy?: Container["resizePolicy"],
): TablePod {
  const container = { ...script(STOPPABLE), ...limits({ cpu: "50m" }) };
  return {
    ...pod(name, until, [resizePolicy === undefined ? container : { ...container, resizePolicy }]),
    change: { kind: "resize", resources },
  };
}

function debugged(name: string, state: "running" | "terminated", rest: Partial<EphemeralContainer>): TablePod {
  return {
    ...pod(name, { kind: "debugged", state }, [script(FOREVER)]),
    change: { kind: "debug", container: { name: "debugger", image: SHELL_IMAGE, ...rest } },
  };
}
