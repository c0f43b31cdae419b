import {
  type Controller,
  type ControllerIdentity,
  defineController,
  EVENT_RULE,
  type InProcessController,
  type ServerContext,
  storeController,
} from "@kubescaffold/apiserver/cluster-api";
import { isAlreadyExists, isNotFound } from "@kubescaffold/k8s";

const NAMESPACES = { group: "", resource: "namespaces" } as const;
const SERVICE_ACCOUNTS = { group: "", resource: "serviceaccounts" } as const;

/** Keeps a service account named `default` in every namespace. */
export const SERVICE_ACCOUNT_CONTROLLER: Controller = defineController({
  name: "service-account-controller",
  rules: [{ apiGroups: [""], resources: ["serviceaccounts"], verbs: ["create"] }, EVENT_RULE],
  create: createController,
});

function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const client = context.clientFor(self.user);
  return storeController({
    name: self.name,
    context,
    watches: [NAMESPACES, SERVICE_ACCOUNTS],
    keysOf: ({ groupResource, kind, object }) => {
      if (groupResource.resource === "namespaces") return kind === "deleted" ? [] : [object.metadata.name ?? ""];
      return kind === "deleted" && object.metadata.name === "default" ? [object.metadata.namespace ?? ""] : [];
    },
    initialKeys: () => context.objects.list(NAMESPACES).map((namespace) => namespace.metadata.name ?? ""),
    work: async (namespace) => {
      const owner = context.objects.get(NAMESPACES, { namespace: "", name: namespace });
      if (owner === undefined || owner.metadata.deletionTimestamp !== undefined) return;
      if (context.objects.get(SERVICE_ACCOUNTS, { namespace, name: "default" }) !== undefined) return;
      try {
        await client.create(
          { ...SERVICE_ACCOUNTS, version: "v1", namespace, name: "" },
          { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default", namespace } },
        );
      } catch (error) {
        if (!isAlreadyExists(error) && !isNotFound(error)) throw error;
      }
    },
  });
}
