import { isNotFound, type RestConfig } from "@kubescaffold/k8s";
import { createRestClient } from "@kubescaffold/runtime";

import { waitUntil } from "./wait-until.ts";

/** Waits until a namespace exists: a real API server makes its own ones some time after it says that it is ready. */
export async function waitForNamespace(config: RestConfig, name: string, timeoutMs: number): Promise<void> {
  const client = createRestClient(config);
  const exists = async (): Promise<boolean> => {
    try {
      await client.request({ method: "GET", path: `/api/v1/namespaces/${name}` });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  };
  try {
    await waitUntil(exists, { what: `the namespace ${name}`, timeoutMs, intervalMs: 20 });
  } finally {
    await client.close();
  }
}
