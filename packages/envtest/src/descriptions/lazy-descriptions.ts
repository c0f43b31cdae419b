import type { Descriptions } from "@kubescaffold/k8s/tables";

/** Reads the cached descriptions for a server, which needs them only when a client requests an OpenAPI document. */
export async function lazyDescriptions(): Promise<Descriptions | undefined> {
  const { readDescriptions } = await import("./description-cache.ts");
  return await readDescriptions();
}
