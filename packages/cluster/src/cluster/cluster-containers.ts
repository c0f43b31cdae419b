import { loadOnce } from "@kubescaffold/apiserver/cluster-api";
import type { Clock } from "@kubescaffold/platform/clock";

import type { ContainerRuntime, ContainerSurroundings } from "../kubelet/containers/container-runtime.ts";
import { ImageDefinitions } from "../kubelet/containers/image-definitions.ts";
import { PodFaults } from "../kubelet/containers/pod-faults.ts";

/**
 * The containers of a cluster: their images and faults, which exist from the start, and the runtime.
 *
 * Guarantees: the runtime is loaded when it is first needed, since most servers run no Pods and start faster without it.
 */
export class ClusterContainers {
  readonly images: ImageDefinitions = new ImageDefinitions();
  readonly faults: PodFaults = new PodFaults();
  /** Loads the runtime: the same one each time. */
  readonly load: () => Promise<ContainerRuntime>;
  #runtime: ContainerRuntime | undefined;

  constructor(clock: Clock | undefined, surroundings: ContainerSurroundings) {
    this.load = loadOnce(async () => {
      const { ContainerRuntime } = await import("../kubelet/containers/container-runtime.ts");
      this.#runtime = new ContainerRuntime({ images: this.images, faults: this.faults, surroundings, clock });
      return this.#runtime;
    });
  }

  /** The runtime; undefined until it is needed, when no container exists. */
  get runtime(): ContainerRuntime | undefined {
    return this.#runtime;
  }
}
