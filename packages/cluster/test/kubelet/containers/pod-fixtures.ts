import type { Clock } from "@kubescaffold/platform/clock";
import { expect, vi } from "vitest";

import { requestsOf, type Requests } from "../../../../apiserver/test/support/cluster-requests.ts";
import { createEmbeddedCluster, type EmbeddedCluster } from "../../../src/cluster/embedded-cluster.ts";

/** The path of the Pods of the default namespace. */
export const PODS = "/api/v1/namespaces/default/pods";

/** The fields of a Pod that tests read. */
interface PodBody {
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status: {
    readonly phase: string;
    readonly conditions: readonly { readonly type: string; readonly status: string; readonly reason?: string }[];
    readonly containerStatuses: readonly {
      readonly ready: boolean;
      readonly restartCount: number;
      readonly state: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
      readonly lastState?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    }[];
  };
}

/** A cluster with simulated workloads. */
export interface Simulation {
  readonly cluster: EmbeddedCluster;
  readonly admin: Requests;
  /** Creates a Pod of one container, whose name is `c`. */
  run(name: string, container?: object, spec?: object): Promise<void>;
  pod(name: string): Promise<PodBody>;
  /** Returns a Pod once it is as expected, or as it is after a while. */
  eventually(name: string, expected: object): Promise<PodBody>;
}

/** Starts a cluster with simulated workloads. */
export function simulation(clock?: Clock): Simulation {
  const cluster = createEmbeddedCluster({ workloadSimulation: true, ...(clock === undefined ? {} : { clock }) });
  const admin = requestsOf(cluster.config);
  cluster.server.start();
  const pod = async (name: string): Promise<PodBody> => (await admin.get(`${PODS}/${name}`)).body as unknown as PodBody;
  return {
    cluster,
    admin,
    pod,
    run: async (name, container = {}, spec = {}) => {
      const created = await admin.post(PODS, {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name },
        spec: { containers: [{ name: "c", image: "app:1", ...container }], ...spec },
      });
      expect(created).toMatchObject({ status: 201 });
      await cluster.server.idle();
    },
    eventually: async (name, expected) => {
      await vi.waitFor(async () => expect(await pod(name)).toMatchObject(expected), { timeout: 5000, interval: 5 });
      return await pod(name);
    },
  };
}
