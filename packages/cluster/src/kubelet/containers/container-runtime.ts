import type { ObjectReader } from "@kubescaffold/apiserver/cluster-api";
import type { Container, ContainerStatus, Pod, ServiceAccountTokenProjection } from "@kubescaffold/k8s/core/v1";
import { type Clock, realClock } from "@kubescaffold/platform/clock";

import { type ContainerConfig, containerConfig, refreshFiles } from "./container-config.ts";
import { untilStopped } from "./container-instance.ts";
import { creatingStatus, waitingStatus } from "./container-statuses.ts";
import { type ContainerFault, SimulatedContainer } from "./container.ts";
import { ContainerConfigError, mountProblems } from "./files/volume-files.ts";
import type { ContainerNetwork, ImageDefinition, ImageDefinitions } from "./image-definitions.ts";
import { imageProblem } from "./images/image-problems.ts";
import { checkNonRoot } from "./non-root.ts";
import type { PodFaults, SimulatedFault } from "./pod-faults.ts";
import { initRestartPolicy, isRestarted, isSidecar, type RestartPolicy } from "./restart-policy.ts";

/** Runs the containers of Pods whose images have a definition. */
export class ContainerRuntime {
  readonly images: ImageDefinitions;
  readonly faults: PodFaults;
  readonly #clock: Clock;
  readonly #surroundings: ContainerSurroundings;
  readonly #networkOf: (client: Pod) => ContainerNetwork;
  // By the uid of the Pod, then by the name of the container.
  readonly #pods = new Map<string, Map<string, SimulatedContainer>>();
  // Tokens of service accounts, by the uid of the Pod and what was requested.
  readonly #issued = new Map<string, Map<string, string>>();

  constructor({ images, faults, clock = realClock, surroundings }: RuntimeParts) {
    this.images = images;
    this.faults = faults;
    this.#clock = clock;
    this.#surroundings = surroundings;
    this.#networkOf = surroundings.networkAround(this);
  }

  /** Returns why the volumes of a Pod that has not started cannot be set up, by the name of the volume; only containers whose images have a definition need theirs. */
  mountProblems(pod: Pod, objects: ObjectReader): ReadonlyMap<string, string> {
    if (this.#pods.has(pod.metadata.uid ?? "")) return new Map();
    const { initContainers = [], containers = [] } = pod.spec ?? {};
    const defined = [...initContainers, ...containers].filter(
      ({ image = "" }) => this.images.find(image) !== undefined,
    );
    return new Map(
      defined.flatMap((container) => [...mountProblems({ container, pod, objects, tokenFor: this.#tokens })]),
    );
  }

  /** Starts the containers of a Pod that do not exist yet, each when the hook `postStart` of those before it has ended. Returns the statuses of the simulated ones by name. */
  sync(pod: Pod, objects: ObjectReader, onChange: () => void): ReadonlyMap<string, ContainerStatus> {
    const uid = pod.metadata.uid ?? "";
    const containers = this.#pods.get(uid) ?? new Map<string, SimulatedContainer>();
    const statuses = new Map<string, ContainerStatus>();
    const fault = this.faults.faultOf(pod);
    let isBlocked = false;
    for (const spec of pod.spec?.containers ?? []) {
      if (isBlocked && !containers.has(spec.name)) {
        statuses.set(spec.name, creatingStatus(spec, { restartCount: 0 }));
        continue;
      }
      if (containers.get(spec.name)?.fault?.name !== faultName(fault)) {
        containers.get(spec.name)?.kill();
        containers.delete(spec.name);
      }
      const plan = planOf(fault, spec, this.images.find(spec.image ?? ""));
      const status = this.#start({ spec, pod, objects, onChange, containers, ...plan });
      if (status !== undefined) statuses.set(spec.name, status);
      isBlocked ||= containers.get(spec.name)?.isStarting === true;
    }
    if (containers.size > 0) this.#pods.set(uid, containers);
    return statuses;
  }

  /** Starts the init containers of a Pod in their order, each when the one before it has succeeded, or has started as a sidecar. */
  syncInit(pod: Pod, objects: ObjectReader, onChange: () => void): InitProgress {
    const uid = pod.metadata.uid ?? "";
    const containers = this.#pods.get(uid) ?? new Map<string, SimulatedContainer>();
    // Sidecars that are restarted later do not hold the others back.
    const hasStarted = (pod.status?.containerStatuses ?? []).some(
      ({ state, lastState }) => (state?.running ?? state?.terminated ?? lastState?.terminated) !== undefined,
    );
    const statuses = new Map<string, ContainerStatus>();
    for (const spec of pod.spec?.initContainers ?? []) {
      const goesOn = isSidecar(spec);
      const restartPolicy = goesOn ? "Always" : initRestartPolicy(pod);
      const definition = this.images.find(spec.image ?? "");
      if (imageProblem(spec, definition) !== undefined) return { statuses, blockedBy: spec.name, hasFailed: false };
      const status = this.#start({
        spec,
        pod,
        objects,
        onChange,
        containers,
        restartPolicy,
        ...(definition === undefined ? {} : { definition }),
      });
      const exitCode = status?.state?.terminated?.exitCode;
      // One without a definition has nothing to do.
      const isDone = status === undefined || (goesOn ? hasStarted || status.started === true : exitCode === 0);
      if (status !== undefined) statuses.set(spec.name, goesOn ? status : { ...status, ready: exitCode === 0 });
      if (isDone) continue;
      const hasFailed = exitCode !== undefined && !isRestarted(spec, restartPolicy, exitCode);
      if (containers.size > 0) this.#pods.set(uid, containers);
      return { statuses, blockedBy: spec.name, hasFailed };
    }
    if (containers.size > 0) this.#pods.set(uid, containers);
    return { statuses, blockedBy: undefined, hasFailed: false };
  }

  /** Starts the ephemeral containers of a Pod, which are never restarted. Returns the statuses of the simulated ones by name. */
  syncEphemeral(pod: Pod, objects: ObjectReader, onChange: () => void): ReadonlyMap<string, ContainerStatus> {
    const uid = pod.metadata.uid ?? "";
    const containers = this.#pods.get(uid) ?? new Map<string, SimulatedContainer>();
    const statuses = new Map<string, ContainerStatus>();
    for (const spec of pod.spec?.ephemeralContainers ?? []) {
      const definition = this.images.find(spec.image ?? "");
      if (definition === undefined || imageProblem(spec, definition) !== undefined) continue;
      const status = this.#start({ spec, pod, objects, onChange, containers, restartPolicy: "Never", definition });
      if (status === undefined) continue;
      const { started: _started, ...reported } = status;
      statuses.set(spec.name, { ...reported, ready: false });
    }
    if (containers.size > 0) this.#pods.set(uid, containers);
    return statuses;
  }

  // Returns the status of a container, which is started unless it exists; undefined without a definition.
  #start(wanted: WantedContainer): ContainerStatus | undefined {
    const { spec, pod, objects, containers, definition, ...parts } = wanted;
    const existing = containers.get(spec.name);
    const configOf = (): ContainerConfig => {
      checkNonRoot(spec, pod, (definition ?? existing?.definition)?.user);
      const others = [...containers.values()].filter((container) => container !== existing);
      const bytesOfOthers = others.reduce((sum, { config }) => sum + config.argumentBytes, 0);
      return containerConfig({ container: spec, pod, objects, tokenFor: this.#tokens }, bytesOfOthers);
    };
    if (existing !== undefined && (definition !== undefined || existing.spec.image === spec.image)) {
      existing.update({ spec, pod, definition: definition ?? existing.definition, configOf });
      return existing.status();
    }
    // The new image of the container has no definition.
    existing?.kill();
    containers.delete(spec.name);
    if (definition === undefined) return undefined;
    try {
      const plan = { spec, pod, definition, configOf };
      const container = new SimulatedContainer({
        ...parts,
        ...plan,
        clock: this.#clock,
        kubeletMinor: this.#surroundings.kubeletMinor,
        network: this.#networkOf(pod),
      });
      containers.set(spec.name, container);
      return container.status();
    } catch (error) {
      if (!(error instanceof ContainerConfigError)) throw error;
      return waitingStatus(spec, "CreateContainerConfigError", error.message);
    }
  }

  /** Whether any container was started. */
  get isEmpty(): boolean {
    return this.#pods.size === 0;
  }

  /** Brings the files of the containers of a Pod up to date; they keep their tokens. */
  refreshFiles(pod: Pod, objects: ObjectReader): void {
    const { containers = [], initContainers = [] } = pod.spec ?? {};
    for (const { isRunning, config, spec } of this.containersOf(pod.metadata.uid ?? "")) {
      if (!isRunning) continue;
      const container = [...containers, ...initContainers].find(({ name }) => name === spec.name) ?? spec;
      refreshFiles(config, { container, pod, objects, tokenFor: this.#tokens });
    }
  }

  // Returns the token of a Pod, the same one as long as the Pod lives.
  readonly #tokens = (pod: Pod, projection: ServiceAccountTokenProjection): string | undefined => {
    const uid = pod.metadata.uid ?? "";
    const known = this.#issued.get(uid) ?? new Map<string, string>();
    const key = JSON.stringify(projection);
    const token = known.get(key) ?? this.#surroundings.tokenFor(pod, projection);
    if (token !== undefined) this.#issued.set(uid, known.set(key, token));
    return token;
  };

  /** Resolves when no container of a Pod runs that crashes. */
  async crashed(uid: string): Promise<void> {
    for (const container of this.containersOf(uid)) {
      while (container.fault !== undefined && container.isRunning) await container.ended();
    }
  }

  /** Returns a running or ended container. */
  find(uid: string, name: string): SimulatedContainer | undefined {
    return this.#pods.get(uid)?.get(name);
  }

  /** Returns the containers of a Pod. */
  containersOf(uid: string): readonly SimulatedContainer[] {
    return [...(this.#pods.get(uid)?.values() ?? [])];
  }

  /** Asks the containers of a Pod to stop, within its own grace period unless another one applies; reports whether all have ended. */
  terminate(uid: string, graceSeconds?: number): boolean {
    const containers = this.containersOf(uid);
    for (const container of containers) container.stop(graceSeconds);
    return containers.every(({ isRunning }) => !isRunning);
  }

  /** Stops what still runs of a Pod whose containers have ended: sidecars one after another, the last one first. */
  finish(pod: Pod): void {
    const sidecars = (pod.spec?.initContainers ?? []).filter(isSidecar).map(({ name }) => name);
    const remaining = this.containersOf(pod.metadata.uid ?? "").toSorted(
      (left, right) => sidecars.indexOf(left.spec.name) - sidecars.indexOf(right.spec.name),
    );
    // A sidecar that waits for its restart has ended.
    for (const container of remaining)
      if (!container.isRunning || !sidecars.includes(container.spec.name)) container.finish();
    remaining.findLast(({ isRunning }) => isRunning)?.finish();
  }

  /** Ends the containers of a Pod that no longer exists. */
  remove(uid: string): void {
    for (const container of this.containersOf(uid)) container.kill();
    this.#pods.delete(uid);
    this.#issued.delete(uid);
    this.faults.forget(uid);
  }

  /** Ends all containers. */
  stop(): void {
    for (const uid of this.#pods.keys()) this.remove(uid);
  }
}

/** The parts of a runtime. */
interface RuntimeParts {
  readonly images: ImageDefinitions;
  readonly faults: PodFaults;
  readonly surroundings: ContainerSurroundings;
  /** Default: the real clock. */
  readonly clock?: Clock | undefined;
}

/** What containers reach. */
export interface ContainerSurroundings {
  /** The minor version of the kubelets, which their requests name. */
  readonly kubeletMinor: string;
  /** Returns how the Pods of a runtime reach each other and others: a function that returns the network of a Pod. */
  readonly networkAround: (runtime: ContainerRuntime) => (client: Pod) => ContainerNetwork;
  /** Issues a token of the service account of a Pod; undefined if there is none. */
  readonly tokenFor: (pod: Pod, projection: ServiceAccountTokenProjection) => string | undefined;
}

/** How far the init containers of a Pod are. */
export interface InitProgress {
  /** The statuses of the simulated ones that have started, by name. */
  readonly statuses: ReadonlyMap<string, ContainerStatus>;
  /** The container that the next ones wait for; undefined when all are done. */
  readonly blockedBy: string | undefined;
  /** Whether it has ended for good. */
  readonly hasFailed: boolean;
}

interface WantedContainer {
  readonly spec: Container;
  readonly pod: Pod;
  readonly objects: ObjectReader;
  readonly onChange: () => void;
  readonly containers: Map<string, SimulatedContainer>;
  readonly definition?: ImageDefinition;
  readonly fault?: ContainerFault;
  readonly restartPolicy?: RestartPolicy;
}

// What a container runs, with a fault or without.
interface ContainerPlan {
  readonly definition: ImageDefinition;
  readonly fault?: ContainerFault;
}

function faultName(fault: SimulatedFault | undefined): string | undefined {
  return fault === undefined || !FAULTY_CONTAINERS.has(fault.kind) ? undefined : fault.kind;
}

// The other faults are those of the Pod.
const FAULTY_CONTAINERS: ReadonlySet<SimulatedFault["kind"]> = new Set([
  "crash-loop",
  "never-ready",
  "oom",
  "slow-start",
]);
const KILLED_EXIT_CODE = 137;

function planOf(
  fault: SimulatedFault | undefined,
  spec: Container,
  defined: ImageDefinition | undefined,
): ContainerPlan | undefined {
  const definition = defined ?? { run: untilStopped };
  switch (fault?.kind) {
    case "crash-loop":
      return {
        definition: { ...definition, run: () => 1 },
        fault: { name: fault.kind, readyAfterMs: Number.POSITIVE_INFINITY },
      };
    case "oom":
      return {
        definition: { ...definition, run: () => KILLED_EXIT_CODE },
        fault: { name: fault.kind, exitReason: "OOMKilled", readyAfterMs: Number.POSITIVE_INFINITY },
      };
    case "never-ready":
      return { definition, fault: { name: fault.kind, readyAfterMs: Number.POSITIVE_INFINITY } };
    case "slow-start":
      return { definition, fault: { name: fault.kind, readyAfterMs: fault.delayMs, startsLate: true } };
    default:
      return defined === undefined || imageProblem(spec, defined) !== undefined ? undefined : { definition: defined };
  }
}
