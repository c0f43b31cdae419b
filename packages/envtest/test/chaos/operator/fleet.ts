import { type DeepReadonly, isNotFound } from "@kubescaffold/k8s";
import { ConfigMap, Secret } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import {
  type Client,
  controllerutil,
  handler,
  type KindRef,
  type Manager,
  newControllerManagedBy,
  type ReconcileFunction,
  type Request,
} from "@kubescaffold/runtime";

/** An owner of ConfigMaps, as a Deployment owns Pods. */
export interface Fleet extends KubernetesObject {
  readonly spec: {
    /** The number of ConfigMaps. */
    readonly size: number;
    /** The data of each. */
    readonly value: string;
  };
  readonly status?: FleetStatus;
}

/** The part of a fleet that the controller has reconciled. */
interface FleetStatus {
  /** The number of ConfigMaps that have the value. */
  readonly ready: number;
  /** The generation that the status refers to. */
  readonly observedGeneration: number;
}

const API_VERSION = "chaos.example.com/v1";

/** The kind of fleets. */
export const FLEET: KindRef<Fleet> = { group: "chaos.example.com", version: "v1", kind: "Fleet" };

/** Keeps the external resource of a fleet, a Secret without an owner, from being forgotten. */
const FINALIZER = "chaos.example.com/external";

/** The namespace of the fleets. */
export const NAMESPACE = "default";

const FIELDS = { type: "object", properties: { size: { type: "integer" }, value: { type: "string" } } };
const STATUS = { type: "object", properties: { ready: { type: "integer" }, observedGeneration: { type: "integer" } } };

/** The definition of fleets. */
export const FLEET_DEFINITION: object = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "fleets.chaos.example.com" },
  spec: {
    group: FLEET.group,
    scope: "Namespaced",
    names: { plural: "fleets", singular: "fleet", kind: FLEET.kind, listKind: "FleetList" },
    versions: [
      {
        name: FLEET.version,
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", properties: { spec: FIELDS, status: STATUS } } },
      },
    ],
  },
};

/** Returns a fleet to create. */
export function newFleet(name: string, spec: Fleet["spec"]): Fleet {
  return { apiVersion: API_VERSION, kind: FLEET.kind, metadata: { namespace: NAMESPACE, name }, spec };
}

/** Returns the names of the ConfigMaps of a fleet. */
export function memberNames(fleet: DeepReadonly<Fleet>): readonly string[] {
  return Array.from({ length: fleet.spec.size }, (_, index) => `${fleet.metadata.name ?? ""}-${String(index)}`);
}

/** Returns the name of the external resource of a fleet. */
export function externalName(name: string): string {
  return `${name}-external`;
}

const EXTERNAL = /^(?<fleet>.+)-external$/u;

/** Adds the controller of fleets to a manager. */
export async function setupFleets(manager: Manager, client: Client): Promise<void> {
  await newControllerManagedBy(manager)
    .for(FLEET)
    .owns(ConfigMap)
    // Secrets are read from the cache, which may be stale: a later event must repair what a reconcile did not see.
    .watches(
      Secret,
      handler.enqueueRequestsFromMapFunc<Secret>(({ metadata }) => fleetsOfExternal(metadata.name)),
    )
    .complete(fleetReconciler(client));
}

function fleetsOfExternal(name: string | undefined): readonly Request[] {
  const fleet = EXTERNAL.exec(name ?? "")?.groups?.["fleet"];
  return fleet === undefined ? [] : [{ namespace: NAMESPACE, name: fleet }];
}

function fleetReconciler(client: Client): ReconcileFunction {
  return async (key) => {
    const fleet = await found(client.get(FLEET, key));
    if (fleet === undefined) return;
    if (fleet.metadata.deletionTimestamp !== undefined) await forget(client, key, fleet);
    else if (!controllerutil.containsFinalizer(fleet, FINALIZER)) {
      await client.update(controllerutil.addFinalizer(fleet, FINALIZER));
    } else await reconcileFleet(client, fleet);
  };
}

async function forget(client: Client, key: Request, fleet: DeepReadonly<Fleet>): Promise<void> {
  if (!controllerutil.containsFinalizer(fleet, FINALIZER)) return;
  const metadata = { namespace: NAMESPACE, name: externalName(key.name) };
  await found(client.delete(Secret.create({ metadata })));
  await client.update(controllerutil.removeFinalizer(fleet, FINALIZER));
}

async function reconcileFleet(client: Client, fleet: DeepReadonly<Fleet>): Promise<void> {
  const name = fleet.metadata.name ?? "";
  const external = Secret.create({ metadata: { namespace: NAMESPACE, name: externalName(name) } });
  await controllerutil.createOrUpdate(client, external, (current) => ({
    ...current,
    data: { value: Buffer.from(fleet.spec.value).toString("base64") },
  }));
  const wanted = memberNames(fleet);
  for (const member of wanted) await reconcileMember(client, fleet, member);
  const { items } = await client.list(ConfigMap, { namespace: NAMESPACE, labels: { fleet: name } });
  for (const item of items) {
    if (!wanted.includes(item.metadata.name ?? "")) await found(client.delete(item));
  }
  const ready = items.filter(
    ({ metadata, data }) => wanted.includes(metadata.name ?? "") && data?.["value"] === fleet.spec.value,
  ).length;
  await reconcileStatus(client, fleet, { ready, observedGeneration: fleet.metadata.generation ?? 0 });
}

async function reconcileMember(client: Client, fleet: DeepReadonly<Fleet>, member: string): Promise<void> {
  const object = ConfigMap.create({ metadata: { namespace: NAMESPACE, name: member } });
  await controllerutil.createOrUpdate(client, object, (current) =>
    controllerutil.setControllerReference(fleet, {
      ...current,
      metadata: { ...current.metadata, labels: { ...current.metadata.labels, fleet: fleet.metadata.name ?? "" } },
      data: { value: fleet.spec.value },
    }),
  );
}

async function reconcileStatus(client: Client, fleet: DeepReadonly<Fleet>, status: FleetStatus): Promise<void> {
  const { ready, observedGeneration } = fleet.status ?? {};
  if (ready === status.ready && observedGeneration === status.observedGeneration) return;
  await client.status().update({ ...fleet, status });
}

// Returns undefined where the object does not exist.
async function found<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
