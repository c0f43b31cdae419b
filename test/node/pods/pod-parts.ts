import type { Container, PodSpec, Probe } from "@kubescaffold/k8s/core/v1";

import { SHELL_IMAGE } from "../images.ts";
import type { TablePod, Until } from "./table-pod.ts";

export const END: Until = { kind: "end" };
export const READY: Until = { kind: "ready" };
export const RESTARTED: Until = { kind: "restarted" };
export const NEVER = { restartPolicy: "Never" } as const;

/** Runs until it is killed: the first process of a container ignores SIGTERM. */
export const FOREVER = "sleep 100000";
export const STOPPABLE = "trap 'exit 0' TERM; sleep 100000 & wait";
export const SERVER = "httpd -f -p 8080 -h /etc";

/** Returns a Pod of the table. */
export function pod(
  name: string,
  until: Until,
  containers: readonly Container[],
  rest: Partial<PodSpec> = {},
): TablePod {
  return { name, until, spec: { terminationGracePeriodSeconds: 5, ...rest, containers: [...containers] } };
}

/** Returns a Pod that is deleted once it is ready, and observed when its containers have ended. */
export function deleted(name: string, containers: readonly Container[], rest: Partial<PodSpec> = {}): TablePod {
  return { ...pod(name, END, containers, rest), change: { kind: "delete" } };
}

/** Returns a container that runs a script. */
export function script(text: string, name = "main"): Container {
  return { name, image: SHELL_IMAGE, command: ["/bin/sh", "-c", text] };
}

/** Returns an init container that runs a script beside the others. */
export function sidecar(text: string): Container {
  return { ...script(text, "sidecar"), restartPolicy: "Always" };
}

export function event(reason: string): Until {
  return { kind: "event", reason };
}

export function waiting(reason: string): Until {
  return { kind: "waiting", reason };
}

/** Returns a probe that runs a script. */
export function exec(text: string): Probe {
  return quick({ exec: { command: ["/bin/sh", "-c", text] } });
}

export function http(path: string): Probe {
  return quick({ httpGet: { path, port: 8080 } });
}

/** Returns a probe that decides soon, and that a busy machine does not time out. */
export function quick(probe: Probe): Probe {
  return { periodSeconds: 1, failureThreshold: 2, timeoutSeconds: 20, ...probe };
}
