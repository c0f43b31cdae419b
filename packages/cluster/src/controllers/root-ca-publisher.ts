import {
  type ApiObject,
  type Controller,
  type ControllerIdentity,
  defineController,
  EVENT_RULE,
  type InProcessController,
  type JsonObject,
  type ServerContext,
  storeController,
} from "@kubescaffold/apiserver/cluster-api";
import { isAlreadyExists, isNotFound } from "@kubescaffold/k8s";

const NAMESPACES = { group: "", resource: "namespaces" } as const;
const CONFIG_MAPS = { group: "", resource: "configmaps" } as const;
const NAME = "kube-root-ca.crt";

/** The certificate of the authority that serves the cluster, which is known from the first listener over TLS on. */
export class RootCa {
  #cert: string | undefined;
  readonly #listeners = new Set<() => void>();

  /** The certificate as PEM text; undefined while the cluster does not serve TLS. */
  get cert(): string | undefined {
    return this.#cert;
  }

  /** Makes the certificate known. */
  publish(cert: string): void {
    this.#cert = cert;
    for (const listener of this.#listeners) listener();
  }

  /** Calls back when the certificate becomes known; returns what ends that. */
  onPublish(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** Keeps the ConfigMap `kube-root-ca.crt` in every namespace, once the certificate is known. */
export const ROOT_CA_PUBLISHER: Controller<RootCaParts> = defineController({
  name: "root-ca-cert-publisher",
  rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["create", "update"] }, EVENT_RULE],
  create: createController,
});

/** What the controllers of the certificate need. */
export interface RootCaParts {
  readonly rootCa: RootCa;
}

function createController(
  context: ServerContext,
  self: ControllerIdentity,
  { rootCa }: RootCaParts,
): InProcessController {
  const client = context.clientFor(self.user);
  const namespaces = (): readonly string[] =>
    context.objects.list(NAMESPACES).map(({ metadata }) => metadata.name ?? "");
  return storeController({
    name: self.name,
    context,
    watches: [NAMESPACES, CONFIG_MAPS],
    keysOf: ({ groupResource, kind, object: { metadata } }) => {
      if (groupResource.resource === "namespaces") return kind === "added" ? [metadata.name ?? ""] : [];
      return metadata.name === NAME && kind !== "added" ? [metadata.namespace ?? ""] : [];
    },
    initialKeys: namespaces,
    subscribe: (add) => rootCa.onPublish(() => add(namespaces())),
    work: async (namespace) => {
      const { cert } = rootCa;
      const owner = context.objects.get(NAMESPACES, { namespace: "", name: namespace });
      if (cert === undefined || owner === undefined || owner.metadata.deletionTimestamp !== undefined) return;
      const current = context.objects.get(CONFIG_MAPS, { namespace, name: NAME });
      const data = { "ca.crt": cert };
      const target = { ...CONFIG_MAPS, version: "v1", namespace };
      try {
        if (current === undefined) {
          const metadata = { name: NAME, namespace };
          await client.create({ ...target, name: "" }, { apiVersion: "v1", kind: "ConfigMap", metadata, data });
        } else if (!isCurrent(current, cert)) {
          await client.update(
            { ...target, name: NAME },
            {
              apiVersion: "v1",
              kind: "ConfigMap",
              metadata: { ...current.metadata } as JsonObject,
              data,
            },
          );
        }
      } catch (error) {
        if (!isAlreadyExists(error) && !isNotFound(error)) throw error;
      }
    },
  });
}

function isCurrent(configMap: ApiObject, cert: string): boolean {
  const data = (configMap["data"] ?? {}) as Readonly<Record<string, string>>;
  return Object.keys(data).length === 1 && data["ca.crt"] === cert;
}
