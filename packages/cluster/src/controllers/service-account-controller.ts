import type { InProcessController, ServerContext } from "@kubescaffold/apiserver/cluster-api";
import { isAlreadyExists, isNotFound } from "@kubescaffold/k8s";

import { controllerUser, type ControllerRule, storeController } from "./store-controller.ts";

/** The name of this controller's service account. */
export const SERVICE_ACCOUNT_CONTROLLER = "service-account-controller";

/** Permissions of this controller. */
export const SERVICE_ACCOUNT_CONTROLLER_RULES: readonly ControllerRule[] = [
  { apiGroups: [""], resources: ["serviceaccounts"], verbs: ["create"] },
];

const NAMESPACES = { group: "", resource: "namespaces" } as const;
const SERVICE_ACCOUNTS = { group: "", resource: "serviceaccounts" } as const;

/** Keeps a service account named `default` in every namespace. */
export function serviceAccountController(context: ServerContext): InProcessController {
  const client = context.clientFor(controllerUser(SERVICE_ACCOUNT_CONTROLLER));
  return storeController({
    name: SERVICE_ACCOUNT_CONTROLLER,
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
