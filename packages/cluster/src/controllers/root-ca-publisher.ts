import {
  type ApiObject,
  type Controller,
  type ControllerIdentity,
  defineController,
  EVENT_RULE,
  type InProcessController,
  type JsonObject,
  type PublishedValue,
  type ServerContext,
  storeController,
} from "@kubescaffold/apiserver/cluster-api";
import { isAlreadyExists, isNotFound } from "@kubescaffold/k8s";

const NAMESPACES = { group: "", resource: "namespaces" } as const;
const CONFIG_MAPS = { group: "", resource: "configmaps" } as const;
const NAME = "kube-root-ca.crt";

/** Keeps the ConfigMap `kube-root-ca.crt` in every namespace, once the certificate is known. */
export const ROOT_CA_PUBLISHER: Controller<RootCaParts> = defineController({
  name: "root-ca-cert-publisher",
  rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["create", "update"] }, EVENT_RULE],
  create: createController,
});

/** What the controller of the certificate needs. */
interface RootCaParts {
  /** The certificate of the authority that serves the cluster as PEM text, which is known from the first listener over TLS on. */
  readonly rootCa: PublishedValue<string>;
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
      const cert = rootCa.current;
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
