import type { Duplex } from "node:stream";

import { numberOf } from "@kubescaffold/apiserver/cluster-api";
import type { Container, LifecycleHandler } from "@kubescaffold/k8s/core/v1";
import { type Clock, whenAborted } from "@kubescaffold/platform/clock";

import type { ContainerEvent } from "./probes/probes.ts";

/** The container whose hooks run. */
export interface HookedContainer {
  readonly spec: Container;
  /** The address of its Pod. */
  readonly address: string;
  /** The minor version of the kubelet. */
  readonly kubeletMinor: string;
  readonly clock: Clock;
  /** Opens a connection from the node of the Pod. Fails with the reason. */
  connect(host: string, port: number): Promise<Duplex>;
  /** Runs a command in the container; undefined if its image cannot. */
  exec(command: readonly string[]): Promise<{ readonly code: number }> | undefined;
  readonly onEvent: (event: ContainerEvent) => void;
}

/** Runs the hook after the start of a container; resolves with whether it has succeeded. The container is killed otherwise. */
export async function runPostStart(container: HookedContainer, signal: AbortSignal): Promise<boolean> {
  const hasSucceeded = await hasRun(container.spec.lifecycle?.postStart ?? {}, container, signal);
  if (!hasSucceeded && !signal.aborted) {
    container.onEvent({ type: "Warning", reason: "FailedPostStartHook", message: "PostStartHook failed" });
    container.onEvent({ type: "Normal", reason: "Killing", message: "FailedPostStartHook" });
  }
  return hasSucceeded;
}

/** Runs the hook before the end of a container; resolves when it has ended, or with its grace period or its container. */
export async function runPreStop(
  container: HookedContainer,
  { graceSeconds, signal }: { readonly graceSeconds: number; readonly signal: AbortSignal },
): Promise<void> {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  signal.addEventListener("abort", end, { once: true });
  const timer = container.clock.setTimeout(end, graceSeconds * 1000).unref();
  const hook = hasRun(container.spec.lifecycle?.preStop ?? {}, container, ended.signal);
  const hasSucceeded = await Promise.race([hook, whenAborted(ended.signal)]);
  timer.cancel();
  signal.removeEventListener("abort", end);
  if (hasSucceeded === false && !ended.signal.aborted)
    container.onEvent({ type: "Warning", reason: "FailedPreStopHook", message: "PreStopHook failed" });
}

// Every response is a success, and so is a command in an image that runs none.
async function hasRun(
  { exec, httpGet, sleep }: LifecycleHandler,
  container: HookedContainer,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    if (exec !== undefined) return ((await container.exec(exec.command ?? []))?.code ?? 0) === 0;
    if (httpGet !== undefined) {
      const { getHttp } = await import("./probes/http-get.ts");
      const { spec, address, kubeletMinor } = container;
      const open = async (host: string, port: number): Promise<Duplex> => await container.connect(host, port);
      await getHttp(httpGet, { spec, address, userAgent: `kube-lifecycle/${kubeletMinor}`, open }, signal);
      return true;
    }
    if (sleep !== undefined) return await hasSlept(numberOf(sleep.seconds), container.clock, signal);
    return false;
  } catch {
    // A kubelet does not report the message, which may contain secrets.
    return false;
  }
}

async function hasSlept(seconds: number, clock: Clock, signal: AbortSignal): Promise<boolean> {
  return await new Promise<boolean>((resolve) => {
    const timer = clock.setTimeout(() => resolve(true), seconds * 1000).unref();
    const interrupt = (): void => {
      timer.cancel();
      resolve(false);
    };
    if (signal.aborted) interrupt();
    else signal.addEventListener("abort", interrupt, { once: true });
  });
}
