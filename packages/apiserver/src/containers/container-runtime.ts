import type { ContainerStatus, Pod } from "@kubescaffold/k8s/core/v1";

import { type Clock, realClock } from "../clock/clock.ts";
import type { ObjectReader } from "../storage/object-reader.ts";
import { containerConfig, ContainerConfigError } from "./container-config.ts";
import { SimulatedContainer } from "./container.ts";
import { ImageDefinitions } from "./image-definitions.ts";

/** Runs the containers of Pods whose images have a definition. */
export class ContainerRuntime {
  readonly images: ImageDefinitions = new ImageDefinitions();
  readonly #clock: Clock;
  // By the uid of the Pod, then by the name of the container.
  readonly #pods = new Map<string, Map<string, SimulatedContainer>>();

  constructor(clock: Clock = realClock) {
    this.#clock = clock;
  }

  /** Starts the containers of a Pod that do not exist yet. Returns the statuses of the simulated ones by name. */
  sync(pod: Pod, objects: ObjectReader, onChange: () => void): ReadonlyMap<string, ContainerStatus> {
    const uid = pod.metadata.uid ?? "";
    const containers = this.#pods.get(uid) ?? new Map<string, SimulatedContainer>();
    const statuses = new Map<string, ContainerStatus>();
    for (const spec of pod.spec?.containers ?? []) {
      let container = containers.get(spec.name);
      const definition = container?.definition ?? this.images.find(spec.image ?? "");
      if (definition === undefined) continue;
      try {
        container ??= new SimulatedContainer({
          spec,
          pod,
          definition,
          config: containerConfig(spec, pod, objects),
          clock: this.#clock,
          onChange,
        });
        containers.set(spec.name, container);
        statuses.set(spec.name, container.status());
      } catch (error) {
        if (!(error instanceof ContainerConfigError)) throw error;
        statuses.set(spec.name, waitingStatus(spec, error.message));
      }
    }
    if (containers.size > 0) this.#pods.set(uid, containers);
    return statuses;
  }

  /** Returns a running or ended container. */
  find(uid: string, name: string): SimulatedContainer | undefined {
    return this.#pods.get(uid)?.get(name);
  }

  /** Returns the containers of a Pod. */
  containersOf(uid: string): readonly SimulatedContainer[] {
    return [...(this.#pods.get(uid)?.values() ?? [])];
  }

  /** Asks the containers of a Pod to stop; reports whether all have ended. */
  terminate(uid: string): boolean {
    const containers = this.containersOf(uid);
    for (const container of containers) container.stop();
    return containers.every(({ isRunning }) => !isRunning);
  }

  /** Ends the containers of a Pod that no longer exists. */
  remove(uid: string): void {
    for (const container of this.containersOf(uid)) container.kill();
    this.#pods.delete(uid);
  }

  /** Ends all containers. */
  stop(): void {
    for (const uid of this.#pods.keys()) this.remove(uid);
  }
}

function waitingStatus(
  { name, image = "" }: { readonly name: string; readonly image?: string },
  message: string,
): ContainerStatus {
  return {
    name,
    image,
    imageID: "",
    ready: false,
    started: false,
    restartCount: 0,
    state: { waiting: { reason: "CreateContainerConfigError", message } },
  };
}
