import type { RestConfig } from "@kubescaffold/k8s";
import { createRestClient, silentLogger } from "@kubescaffold/runtime";

/** Returns the text that a server answers to a path, or undefined when it cannot be reached or refuses. */
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
