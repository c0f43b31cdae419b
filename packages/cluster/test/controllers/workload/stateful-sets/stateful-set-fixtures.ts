import { KUBERNETES_MINOR } from "@kubescaffold/k8s";
import type { ControllerRevision, StatefulSet, StatefulSetStatus } from "@kubescaffold/k8s/apps/v1";
import type { Event, PersistentVolumeClaim, Pod } from "@kubescaffold/k8s/core/v1";
import { FakeClock } from "@kubescaffold/platform/clock";

import { type Answer, requestsOf, type Requests } from "../../../../../apiserver/test/support/cluster-requests.ts";
import { createEmbeddedCluster, type EmbeddedCluster } from "../../../../src/cluster/embedded-cluster.ts";

export const SETS = "/apis/apps/v1/namespaces/default/statefulsets";
export const PODS = "/api/v1/namespaces/default/pods";
export const CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
export const REVISIONS = "/apis/apps/v1/namespaces/default/controllerrevisions";
const EVENTS = "/api/v1/namespaces/default/events";
const LABELS = { app: "web" };

/** A cluster with stateful sets, and shorthands for what its tests do. */
export class StatefulSetCluster {
  readonly clock = new FakeClock();
  readonly cluster: EmbeddedCluster;
  readonly admin: Requests;

  constructor(kubernetesVersion: string = KUBERNETES_MINOR) {
    this.cluster = createEmbeddedCluster({ clock: this.clock, workloadSimulation: true, kubernetesVersion });
    this.admin = requestsOf(this.cluster.config);
    this.cluster.server.start();
  }

  async settle(): Promise<void> {
    await this.cluster.server.idle();
  }

  /** Creates the set `web`; the test says when pods for another scheduler are ready. */
  async createSet(
    spec: object = {},
    { isManual = false, annotations = {} }: { readonly isManual?: boolean; readonly annotations?: object } = {},
  ): Promise<StatefulSet> {
    const template = {
      metadata: { labels: LABELS },
      spec: { ...(isManual ? { schedulerName: "manual" } : {}), containers: [{ name: "c", image: "busybox:1" }] },
    };
    const answer = await this.admin.post(SETS, {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata: { name: "web", annotations },
      spec: { replicas: 2, serviceName: "web", selector: { matchLabels: LABELS }, template, ...spec },
    });
    requireSuccess(answer);
    await this.settle();
    return answer.body as unknown as StatefulSet;
  }

  async patchSet(patch: object): Promise<void> {
    requireSuccess(await this.admin.patch(`${SETS}/web`, patch));
    await this.settle();
  }

  async setImage(image: string): Promise<void> {
    await this.patchSet({ spec: { template: { spec: { containers: [{ name: "c", image }] } } } });
  }

  async status(): Promise<StatefulSetStatus | undefined> {
    return ((await this.admin.get(`${SETS}/web`)).body as unknown as StatefulSet).status;
  }

  async pods(): Promise<readonly Pod[]> {
    return await this.#list<Pod>(PODS);
  }

  async podNames(): Promise<readonly (string | undefined)[]> {
    return (await this.pods()).map(({ metadata }) => metadata.name);
  }

  /** Returns the image of each pod by its name. */
  async images(): Promise<Readonly<Record<string, string | undefined>>> {
    const pods = await this.pods();
    return Object.fromEntries(pods.map(({ metadata, spec }) => [metadata.name ?? "", spec?.containers[0]?.image]));
  }

  async claims(): Promise<readonly PersistentVolumeClaim[]> {
    return await this.#list<PersistentVolumeClaim>(CLAIMS);
  }

  async revisions(): Promise<readonly ControllerRevision[]> {
    const revisions = await this.#list<ControllerRevision>(REVISIONS);
    return revisions.toSorted((left, right) => left.revision - right.revision);
  }

  /** Makes a pod without a node run, ready or not, or end. */
  async report(name: string, phase: "Running" | "Failed" | "Succeeded", isReady = phase === "Running"): Promise<void> {
    const lastTransitionTime = `${new Date(this.clock.now()).toISOString().slice(0, 19)}Z`;
    const conditions = [{ type: "Ready", status: isReady ? "True" : "False", lastTransitionTime }];
    const answer = await this.admin.patch(`${PODS}/${name}/status`, { status: { phase, conditions } });
    requireSuccess(answer);
    await this.settle();
  }

  async advance(seconds: number): Promise<void> {
    this.clock.step(seconds * 1000);
    await this.settle();
  }

  async events(): Promise<readonly string[]> {
    const events = await this.#list<Event>(`${EVENTS}?fieldSelector=involvedObject.name=web`);
    return events
      .flatMap(({ type = "", reason = "", message = "", count = 1 }) =>
        Array.from({ length: count }, () => `${type} ${reason}: ${message}`),
      )
      .toSorted();
  }

  async #list<T>(path: string): Promise<readonly T[]> {
    return ((await this.admin.get(path)).body as { readonly items: readonly T[] }).items;
  }
}

function requireSuccess({ status, body }: Answer): void {
  if (status >= 300) throw new Error(`a request of the fixture failed: ${JSON.stringify(body)}`);
}
