import type { ApiServer } from "@kubescaffold/apiserver";
import { isConflict, messageOf, type RestConfig } from "@kubescaffold/k8s";
import type { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { createRestClient, type RestClient, silentLogger } from "@kubescaffold/runtime";

import type { ObservedDefinition, ServedObject } from "../oracles/upgrade-record.ts";

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const DRY_RUN = { dryRun: "All" } as const;

/** The custom objects of a cluster, as clients of each served version see them. */
export class ServedObjects {
  readonly #client: RestClient;
  readonly #server: ApiServer;

  constructor(config: RestConfig, server: ApiServer) {
    this.#client = createRestClient(config, { log: silentLogger });
    this.#server = server;
  }

  /** Reads the definitions. */
  async definitions(): Promise<readonly ObservedDefinition[]> {
    return (await this.#listDefinitions()).map(({ metadata, spec, status }) => ({
      name: metadata.name ?? "",
      served: servedVersions(spec),
      stored: status?.storedVersions ?? [],
    }));
  }

  /** Reads each object in each version, and asks the server whether it would accept it again. */
  async read(): Promise<readonly ServedObject[]> {
    const places = await this.#places();
    return await Promise.all(places.map(async (place) => await this.#readAt(place)));
  }

  /** Writes each object in each version as it was read, like a user who edits it and changes nothing. */
  async writeBack(): Promise<void> {
    for (const { collection, name } of await this.#places()) {
      const path = `${collection}/${name}`;
      try {
        const body = await this.#client.request<KubernetesObject>({ method: "GET", path });
        await this.#client.request({ method: "PUT", path, body });
      } catch {
        // What refuses it is found by reading and by the dry run.
      }
    }
  }

  /** Closes the connections. */
  async close(): Promise<void> {
    await this.#client.close();
  }

  async #listDefinitions(): Promise<readonly CustomResourceDefinition[]> {
    const { items } = await this.#client.request<{ readonly items: readonly CustomResourceDefinition[] }>({
      method: "GET",
      path: DEFINITIONS,
    });
    return items;
  }

  async #places(): Promise<readonly Place[]> {
    const definitions = await this.#listDefinitions();
    return definitions.flatMap(({ spec }) => {
      const { group, names } = spec;
      const groupResource = { group, resource: names.plural };
      return this.#server.context.objects.list(groupResource).flatMap(({ metadata: { namespace = "", name = "" } }) =>
        servedVersions(spec).map((version) => ({
          object: `${names.plural}.${group} ${namespace === "" ? name : `${namespace}/${name}`}`,
          version,
          name,
          collection: `/apis/${group}/${version}${namespace === "" ? "" : `/namespaces/${namespace}`}/${names.plural}`,
        })),
      );
    });
  }

  async #readAt({ object, version, collection, name }: Place): Promise<ServedObject> {
    const path = `${collection}/${name}`;
    let content: KubernetesObject;
    try {
      content = await this.#client.request<KubernetesObject>({ method: "GET", path });
    } catch (error) {
      return { object, version, unreadable: messageOf(error) };
    }
    const [invalid, immutable] = await Promise.all([
      this.#refusal({ method: "POST", path: collection, query: DRY_RUN, body: copyOf(content) }),
      this.#refusal({ method: "PUT", path, query: DRY_RUN, body: content }),
    ]);
    return { object, version, content: { ...content }, invalid, immutable };
  }

  async #refusal(request: Parameters<RestClient["request"]>[0]): Promise<string | undefined> {
    try {
      await this.#client.request(request);
      return undefined;
    } catch (error) {
      // The operator has written the object meanwhile.
      return isConflict(error) ? undefined : messageOf(error);
    }
  }
}

interface Place {
  readonly object: string;
  readonly version: string;
  readonly name: string;
  readonly collection: string;
}

function servedVersions({ versions }: CustomResourceDefinition["spec"]): readonly string[] {
  return versions.filter(({ served }) => served).map(({ name }) => name);
}

// As it would be restored from a backup, beside the object.
function copyOf({ metadata, ...content }: KubernetesObject): object {
  const { name = "", namespace, labels, annotations } = metadata;
  return { ...content, metadata: { name: `${name}-rehearsal`, namespace, labels, annotations } };
}
