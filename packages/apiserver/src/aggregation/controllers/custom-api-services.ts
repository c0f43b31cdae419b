import { isAlreadyExists, isConflict, isNotFound } from "@kubescaffold/k8s";
import type { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";
import type { APIService } from "@kubescaffold/k8s/apiregistration/v1";
import { deepEqual } from "@kubescaffold/schema/values";

import type { ControllerIdentity } from "../../controllers/define-controller.ts";
import { storeController, targetOf } from "../../controllers/store-controller.ts";
import type { InProcessController, InternalClient, ServerContext } from "../../pipeline/server-context.ts";
import { CRD_RESOURCE } from "../../resources/custom/crd-object.ts";
import type { ApiObject, JsonObject } from "../../storage/api-object.ts";
import { API_SERVICES } from "../api-services.ts";

const MANAGED = "kube-aggregator.kubernetes.io/automanaged";
const RESOURCE = { ...API_SERVICES, version: "v1" } as const;

/** Keeps an APIService for each group version that CustomResourceDefinitions serve, as kube-apiserver does. */
export function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const client = context.clientFor(self.user);
  return storeController({
    name: self.name,
    context,
    watches: [CRD_RESOURCE, API_SERVICES],
    keysOf: ({ groupResource, object, previous }) =>
      groupResource.resource === CRD_RESOURCE.resource
        ? [...namesOf(object), ...(previous === undefined ? [] : namesOf(previous))]
        : isManaged(previous ?? object)
          ? [object.metadata.name ?? ""]
          : [],
    initialKeys: () => [
      ...context.objects.list(CRD_RESOURCE).flatMap((definition) => namesOf(definition)),
      ...context.objects
        .list(API_SERVICES)
        .filter((object) => isManaged(object))
        .map(({ metadata }) => metadata.name ?? ""),
    ],
    work: async (name) => await reconcile(context, client, name),
  });
}

function namesOf(definition: ApiObject): readonly string[] {
  const { spec } = definition as unknown as CustomResourceDefinition;
  return spec.versions.map(({ name }) => `${name}.${spec.group}`);
}

function isManaged({ metadata }: ApiObject): boolean {
  return metadata.labels?.[MANAGED] === "true";
}

async function reconcile({ objects }: ServerContext, client: InternalClient, name: string): Promise<void> {
  const stored = objects.get(API_SERVICES, { namespace: "", name });
  const isServed = objects.list(CRD_RESOURCE).some((definition) => serves(definition, name));
  const wanted = isServed ? apiServiceOf(name) : undefined;
  try {
    if (stored === undefined) {
      if (wanted !== undefined) await client.create({ ...RESOURCE, namespace: "", name: "" }, wanted);
    } else if (isManaged(stored)) {
      await replace(client, stored, wanted);
    }
  } catch (error) {
    // Another change leads here again.
    if (!isAlreadyExists(error) && !isNotFound(error) && !isConflict(error)) throw error;
  }
}

function serves(definition: ApiObject, name: string): boolean {
  const { spec } = definition as unknown as CustomResourceDefinition;
  return spec.versions.some((version) => version.served && `${version.name}.${spec.group}` === name);
}

async function replace(client: InternalClient, stored: ApiObject, wanted: JsonObject | undefined): Promise<void> {
  const target = targetOf(RESOURCE, stored);
  if (wanted === undefined) {
    await client.delete(target, { preconditions: { uid: stored.metadata.uid ?? "" } });
  } else if (!deepEqual((stored as APIService).spec, wanted["spec"])) {
    await client.update(target, { ...(stored as unknown as JsonObject), spec: wanted["spec"] });
  }
}

// Versions of equal priority are in the order of their names.
function apiServiceOf(name: string): JsonObject {
  const [version = "", ...group] = name.split(".");
  return {
    apiVersion: "apiregistration.k8s.io/v1",
    kind: "APIService",
    metadata: { name, labels: { [MANAGED]: "true" } },
    spec: { group: group.join("."), version, groupPriorityMinimum: 1000, versionPriority: 100 },
  };
}
