import { type Controller, defineController, type IpFamily } from "@kubescaffold/apiserver/cluster-api";

import type { ContainerRuntime } from "./containers/container-runtime.ts";

/** What simulated nodes need. */
interface NodeParts {
  /** Loads the runtime of the containers. */
  readonly containers: { readonly load: () => Promise<ContainerRuntime> };
  /** The families of the addresses of Nodes and Pods. */
  readonly families: readonly IpFamily[];
}

/** Simulated kubelets: each write is made by the kubelet of its node. */
export const KUBELET_CONTROLLERS: readonly Controller<NodeParts>[] = [
  defineController({ name: "node-simulator", load: () => import("./node-simulator.ts") }),
  defineController({ name: "node-leases", load: () => import("./node-leases.ts") }),
  defineController({
    name: "pod-simulator",
    load: async ({ containers }) => {
      const [{ podSimulator }, runtime] = await Promise.all([import("./pod-simulator.ts"), containers.load()]);
      return { createController: podSimulator(runtime) };
    },
  }),
];
