// The examples whose objects own a Deployment and a Service with their name.
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { Service } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import { Guestbook } from "../../../../../examples/guestbook/api/v1/guestbook_types.ts";
import { GuestbookReconciler } from "../../../../../examples/guestbook/internal/controller/guestbook_controller.ts";
import { Memcached } from "../../../../../examples/memcached/api/v1alpha1/memcached_types.ts";
import { MemcachedReconciler } from "../../../../../examples/memcached/internal/controller/memcached_controller.ts";
import { Relay } from "../../../../../examples/multiversion/api/v1/relay_types.ts";
import { RelayReconciler } from "../../../../../examples/multiversion/internal/controller/relay_controller.ts";
import {
  byName,
  type CreateExample,
  DesiredObjects,
  differences,
  mapValues,
  NAMESPACE,
  type Surroundings,
} from "./example.ts";

const NAMES = ["a", "b", "c", "d", "e", "f"];

interface Workload {
  readonly replicas: number | undefined;
  readonly port: number | undefined;
}

/** The example guestbook. */
export const createGuestbook: CreateExample = (surroundings) => {
  const { number } = randomsOf(surroundings);
  const desired = new DesiredObjects(surroundings, {
    kind: Guestbook,
    names: NAMES,
    create: (name) =>
      Guestbook.create({
        metadata: { namespace: NAMESPACE, name },
        spec: { size: number(1, 9), port: number(8080, 8090) },
      }),
  });
  const workloadOf = ({ spec }: Guestbook): Workload => ({ replicas: spec.size, port: spec.port });
  return {
    name: "guestbook",
    setup: (mgr) => new GuestbookReconciler(mgr.getClient()).setupWithManager(mgr),
    act: () => desired.act(),
    violations: () => workloadViolations(surroundings, desired, workloadOf),
  };
};

/** The example memcached. */
export const createMemcached: CreateExample = (surroundings) => {
  const { number } = randomsOf(surroundings);
  const desired = new DesiredObjects(surroundings, {
    kind: Memcached,
    names: NAMES,
    create: (name) =>
      Memcached.create({
        metadata: { namespace: NAMESPACE, name },
        spec: { size: number(1, 3), containerPort: number(11_211, 11_220) },
      }),
  });
  const workloadOf = ({ spec }: Memcached): Workload => ({ replicas: spec.size, port: spec.containerPort });
  return {
    name: "memcached",
    setup: (mgr) => new MemcachedReconciler(mgr.getClient()).setupWithManager(mgr),
    act: () => desired.act(),
    violations: () => workloadViolations(surroundings, desired, workloadOf),
  };
};

/** The example multiversion, in its storage version: no API server of this test converts. */
export const createMultiversion: CreateExample = (surroundings) => {
  const { number } = randomsOf(surroundings);
  const desired = new DesiredObjects(surroundings, {
    kind: Relay,
    names: NAMES,
    create: (name) =>
      Relay.create({
        metadata: { namespace: NAMESPACE, name },
        spec: {
          target: { host: "mail.example.com", port: 25 },
          replicas: number(0, 9),
          listenPort: number(2500, 2510),
        },
      }),
  });
  const workloadOf = ({ spec }: Relay): Workload => ({ replicas: spec.replicas, port: spec.listenPort });
  return {
    name: "multiversion",
    setup: (mgr) => new RelayReconciler(mgr.getClient()).setupWithManager(mgr),
    act: () => desired.act(),
    violations: () => workloadViolations(surroundings, desired, workloadOf),
  };
};

type Reported = KubernetesObject & { readonly status?: { readonly observedGeneration?: number } };

async function workloadViolations<T extends Reported>(
  { client }: Surroundings,
  desired: DesiredObjects<T>,
  workloadOf: (object: T) => Workload,
): Promise<readonly string[]> {
  const found = await desired.found();
  const [deployments, services] = await Promise.all([
    client.list(Deployment, { namespace: NAMESPACE }),
    client.list(Service, { namespace: NAMESPACE }),
  ]);
  const wanted = mapValues(desired.objects, workloadOf);
  const own = services.items.filter(({ metadata }) => metadata.name !== "kubernetes");
  const unreported = [...found.values()].filter(
    ({ metadata, status }) => status?.observedGeneration !== metadata.generation,
  );
  return [
    ...differences("object", mapValues(found, workloadOf), wanted),
    ...differences(
      "Deployment",
      mapValues(byName(deployments.items), ({ spec }) => spec?.replicas),
      mapValues(wanted, ({ replicas }) => replicas),
    ),
    ...differences(
      "Service",
      mapValues(byName(own), ({ spec }) => spec?.ports?.[0]?.port),
      mapValues(wanted, ({ port }) => port),
    ),
    ...unreported.map(({ metadata }) => `the status of ${metadata.name ?? ""} is outdated`),
  ];
}

function randomsOf({ random }: Surroundings): { readonly number: (least: number, most: number) => number } {
  return { number: (least, most) => least + Math.floor(random() * (most - least + 1)) };
}
