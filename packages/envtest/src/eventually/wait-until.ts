import { setTimeout as delay } from "node:timers/promises";

import { isNotFound, type RestConfig, checkNumbers } from "@kubescaffold/k8s";
import { createRestClient, silentLogger } from "@kubescaffold/runtime";

import { EnvironmentTimeoutError } from "../failures/errors.ts";

/**
 * Calls a function until it returns a value other than undefined or false, and returns that value.
 *
 * Fails: {@link EnvironmentTimeoutError} after `timeoutMs`; with an error of the function immediately.
 */
export async function waitUntil<T>(
  probe: () => Promise<T | undefined | false>,
  options: {
    /** Completes the sentence "timed out waiting for …". */
    readonly what: string;
    readonly timeoutMs: number;
    readonly intervalMs?: number;
  },
): Promise<T> {
  const { what, timeoutMs, intervalMs = 100 } = options;
  checkNumbers("the wait", { timeoutMs, intervalMs }, { timeoutMs: "duration", intervalMs: "duration" });
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const result = await probe();
    if (result !== undefined && result !== false) return result;
    if (performance.now() + intervalMs > deadline) throw new EnvironmentTimeoutError(what, timeoutMs);
    await delay(intervalMs);
  }
}

/** Waits until a namespace exists: kube-apiserver creates its namespaces some time after it reports ready. */
export async function waitForNamespace(config: RestConfig, name: string, timeoutMs: number): Promise<void> {
  await waitForObject(config, `/api/v1/namespaces/${name}`, { what: `the namespace ${name}`, timeoutMs });
}

/** Waits until there is an object at a path. Fails: {@link EnvironmentTimeoutError}. */
export async function waitForObject(
  config: RestConfig,
  path: string,
  { what, timeoutMs }: { readonly what: string; readonly timeoutMs: number },
): Promise<void> {
  const client = createRestClient(config);
  const exists = async (): Promise<boolean> => {
    try {
      await client.request({ method: "GET", path });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  };
  try {
    await waitUntil(exists, { what, timeoutMs, intervalMs: 20 });
  } finally {
    await client.close();
  }
}

/** Returns the text of a server's response to a path, or undefined if the request fails. */
export async function probeServer(config: RestConfig, path: string): Promise<string | undefined> {
  const client = createRestClient(config, { log: silentLogger });
  try {
    return await client.text({ method: "GET", path, timeoutMs: 1000 });
  } catch {
    return undefined;
  } finally {
    await client.close();
  }
}
