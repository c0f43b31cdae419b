import { isConflict, isNotFound, toTime } from "@kubescaffold/k8s";
import type { APIService, APIServiceCondition } from "@kubescaffold/k8s/apiregistration/v1";
import type { Timer } from "@kubescaffold/platform/clock";

import type { ControllerIdentity } from "../../controllers/define-controller.ts";
import { storeController, targetOf } from "../../controllers/store-controller.ts";
import type { InProcessController, ServerContext } from "../../pipeline/server-context.ts";
import type { ApiObject, JsonObject } from "../../storage/api-object.ts";
import type { StoreEvent } from "../../storage/object-reader.ts";
import { API_SERVICES, isDelegated, namesService, registeredVersion } from "../api-services.ts";
import type { BackendClient } from "../backend-client.ts";
import type { BackendFinder } from "../routes.ts";
import { type Availability, checkAvailability } from "./availability-check.ts";

const FIRST_RETRY_MS = 5;
const RECHECK_MS = 30_000;

const LOCAL: Availability = {
  status: "True",
  reason: "Local",
  message: "Local APIServices are always available",
};

/** Keeps the condition `Available` of APIServices, as kube-apiserver does. */
export function createController(
  context: ServerContext,
  self: ControllerIdentity,
  { backends }: { readonly backends: { readonly client: BackendClient; readonly find: BackendFinder } },
): InProcessController {
  const { objects, clock } = context;
  const client = context.clientFor(self.user);
  const rechecks = new Map<string, Timer>();
  const failures = new Map<string, number>();
  const recheck = (name: string, delayMs: number, add: () => void): void => {
    rechecks.get(name)?.cancel();
    rechecks.set(name, clock.setTimeout(add, delayMs).unref());
  };
  return storeController({
    name: self.name,
    context,
    watches: [
      API_SERVICES,
      { group: "", resource: "services" },
      { group: "discovery.k8s.io", resource: "endpointslices" },
    ],
    keysOf: (event) => concerned(context, event),
    initialKeys: () => objects.list(API_SERVICES).map(({ metadata }) => metadata.name ?? ""),
    onStop: () => {
      for (const timer of rechecks.values()) timer.cancel();
      rechecks.clear();
      failures.clear();
    },
    work: async (name, worker) => {
      const object = objects.get(API_SERVICES, { namespace: "", name });
      if (object === undefined) return;
      const version = registeredVersion(object);
      if (!isDelegated(version)) {
        await write(context, client, { object, availability: LOCAL });
        return;
      }
      const availability = await checkAvailability({ objects, clock, ...backends }, version);
      await write(context, client, { object, availability });
      const failed = availability.reason === "FailedDiscoveryCheck" ? (failures.get(name) ?? 0) + 1 : 0;
      failures.set(name, failed);
      recheck(name, failed === 0 ? RECHECK_MS : Math.min(FIRST_RETRY_MS * 2 ** (failed - 1), RECHECK_MS), () =>
        worker.add(name),
      );
    },
  });
}

function concerned({ objects }: ServerContext, { groupResource, object: { metadata } }: StoreEvent): readonly string[] {
  if (groupResource.resource === API_SERVICES.resource) return [metadata.name ?? ""];
  const name = groupResource.resource === "services" ? metadata.name : metadata.labels?.["kubernetes.io/service-name"];
  return objects
    .list(API_SERVICES)
    .filter((object) => namesService(object))
    .map((object) => registeredVersion(object))
    .filter(({ backend }) => backend?.service.name === name && backend?.service.namespace === metadata.namespace)
    .map((each) => each.name);
}

async function write(
  { clock }: ServerContext,
  client: ReturnType<ServerContext["clientFor"]>,
  { object, availability }: { readonly object: ApiObject; readonly availability: Availability },
): Promise<void> {
  const { conditions = [] } = (object as APIService).status ?? {};
  const former = conditions.find(({ type }) => type === "Available");
  const isSame =
    former?.status === availability.status &&
    former.reason === availability.reason &&
    former.message === availability.message;
  if (isSame) return;
  const lastTransitionTime = former?.status === availability.status ? former.lastTransitionTime : toTime(clock.now());
  const condition = { type: "Available", lastTransitionTime, ...availability } as APIServiceCondition;
  const others = conditions.filter(({ type }) => type !== "Available");
  const status = { conditions: [...others, condition] };
  try {
    const target = targetOf({ ...API_SERVICES, version: "v1" }, object, "status");
    await client.update(target, { ...object, status } as unknown as JsonObject);
  } catch (error) {
    // Another change leads here again.
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
