import { isAlreadyExists, isConflict } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { RestClient } from "@kubescaffold/runtime";

/** Creates a cluster-scoped object, or gives an existing one of its name the same content. */
export async function createOrUpdate(
  client: RestClient,
  collection: string,
  object: KubernetesObject,
): Promise<KubernetesObject> {
  try {
    return await client.request<KubernetesObject>({ method: "POST", path: collection, body: object });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    return replace(client, `${collection}/${object.metadata.name ?? ""}`, object);
  }
}

// Controllers write to the object, too, so that a conflict only means to try again.
async function replace(client: RestClient, path: string, object: KubernetesObject): Promise<KubernetesObject> {
  for (;;) {
    const live = await client.request<KubernetesObject>({ method: "GET", path });
    const { resourceVersion } = live.metadata;
    try {
      const body = {
        ...object,
        metadata: { ...object.metadata, ...(resourceVersion === undefined ? {} : { resourceVersion }) },
      };
      return await client.request<KubernetesObject>({ method: "PUT", path, body });
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
}
