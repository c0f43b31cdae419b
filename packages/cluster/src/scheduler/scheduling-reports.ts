import {
  type ControllerIdentity,
  type InternalClient,
  type ServerContext,
  serviceAccountUser,
} from "@kubescaffold/apiserver/cluster-api";
import { isConflict, isNotFound, toTime } from "@kubescaffold/k8s";
import type { Pod, PodCondition } from "@kubescaffold/k8s/core/v1";

import { eventWriter, type EventWriter } from "../controllers/workload/event-writer.ts";
import { PODS } from "../controllers/workload/workload-objects.ts";
import type { Placement } from "./placement.ts";
import type { MissingClaim } from "./resource-claims.ts";

const STRATEGIC = "application/strategic-merge-patch+json";

/** The controller whose events about claims the scheduler writes. */
export const RESOURCE_CLAIM_CONTROLLER = "resource-claim-controller";

/** Carries decisions of the scheduler out, and reports them in events and in the status of pods. */
export class Reporter {
  readonly #context: ServerContext;
  readonly #client: InternalClient;
  readonly #events: EventWriter;
  readonly #claimEvents: EventWriter;

  constructor(context: ServerContext, { name, user }: ControllerIdentity) {
    this.#context = context;
    this.#client = context.clientFor(user);
    this.#events = eventWriter(context, user, name);
    this.#claimEvents = eventWriter(context, serviceAccountUser(RESOURCE_CLAIM_CONTROLLER), "resource_claim");
  }

  /** Gives a pod its node. */
  async bind(pod: Pod, node: string): Promise<void> {
    const { namespace = "", name = "", uid } = pod.metadata;
    await this.#client.create(
      { ...PODS, namespace, name, subresource: "binding" },
      {
        apiVersion: "v1",
        kind: "Binding",
        metadata: { namespace, name, uid: uid ?? "" },
        target: { kind: "Node", name: node },
      },
    );
    const message = `Successfully assigned ${namespace}/${name} to ${node}`;
    await this.#events.write(pod, { type: "Normal", reason: "Scheduled", message, action: "Binding" });
  }

  /** Reports why a pod has no node, unless that is known, and removes the pods that it needs the room of. */
  async reportFailure(pod: Pod, failure: Extract<Placement, { readonly kind: "none" }>): Promise<void> {
    const { message, nominated, victims } = failure;
    const nominatedNodeName = nominated ?? pod.status?.nominatedNodeName ?? "";
    await this.#reportUnscheduled(pod, { reason: "Unschedulable", message, nominatedNodeName });
    for (const victim of victims) await this.#remove(victim, { pod, node: nominatedNodeName });
  }

  /** Names the node of a pod that is bound to it later. */
  async nominate(pod: Pod, node: string): Promise<void> {
    if (pod.status?.nominatedNodeName === node) return;
    // The pod is bound to it even if this fails.
    await this.#patchStatus(pod, { nominatedNodeName: node }).catch(() => undefined);
  }

  /** Reports why a pod could not be bound to its node. */
  async reportError(pod: Pod, message: string): Promise<void> {
    try {
      await this.#reportUnscheduled(pod, { reason: "SchedulerError", message, nominatedNodeName: "" });
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  /** Reports a template of claims that does not exist, as the controller of claims does; the scheduler itself reports no missing claim. */
  async reportMissingClaim(pod: Pod, { name, template }: MissingClaim): Promise<void> {
    if (template === undefined) return;
    const quoted = JSON.stringify(template);
    const message = `PodResourceClaim ${name}: resource claim template ${quoted}: resourceclaimtemplate.resource.k8s.io ${quoted} not found`;
    await this.#claimEvents.write(pod, { type: "Warning", reason: "FailedResourceClaimCreation", message });
  }

  async #reportUnscheduled(
    pod: Pod,
    {
      reason,
      message,
      nominatedNodeName,
    }: { readonly reason: string; readonly message: string; readonly nominatedNodeName: string },
  ): Promise<void> {
    const former = pod.status?.conditions?.find(({ type }) => type === "PodScheduled");
    const isKnown = former?.status === "False" && former.reason === reason && former.message === message;
    if (!isKnown) {
      const event = { type: "Warning", reason: "FailedScheduling", message, action: "Scheduling" } as const;
      await this.#events.write(pod, event);
    }
    const isNominated = nominatedNodeName !== (pod.status?.nominatedNodeName ?? "");
    if (isKnown && !isNominated) return;
    const isSame = former?.status === "False";
    const condition: PodCondition = {
      type: "PodScheduled",
      status: "False",
      reason,
      message,
      observedGeneration: pod.metadata.generation ?? 1,
      lastTransitionTime: (isSame ? former.lastTransitionTime : undefined) ?? this.#now(),
    };
    const nomination = isNominated ? { nominatedNodeName: nominatedNodeName === "" ? null : nominatedNodeName } : {};
    await this.#patchStatus(pod, { conditions: [condition], ...nomination });
  }

  async #remove(victim: Pod, { pod, node }: { readonly pod: Pod; readonly node: string }): Promise<void> {
    const { namespace = "", name = "" } = victim.metadata;
    const condition: PodCondition = {
      type: "DisruptionTarget",
      status: "True",
      reason: "PreemptionByScheduler",
      message: `${pod.spec?.schedulerName ?? "default-scheduler"}: preempting to accommodate a higher priority pod`,
      observedGeneration: victim.metadata.generation ?? 1,
      lastTransitionTime: this.#now(),
    };
    try {
      await this.#patchStatus(victim, { conditions: [condition] });
      await this.#client.delete({ ...PODS, namespace, name });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return;
    }
    const message = `Preempted by pod ${pod.metadata.uid ?? ""} on node ${node}`;
    // Since 1.36, kube-scheduler hands a wrapper of the pod to its recorder, which drops it.
    const related = this.#context.release.since("1.36") ? {} : { related: pod };
    const event = { type: "Normal", reason: "Preempted", message, action: "Preempting", ...related } as const;
    await this.#events.write(victim, event);
  }

  async #patchStatus(pod: Pod, status: object): Promise<void> {
    const { namespace = "", name = "", uid } = pod.metadata;
    const body = { metadata: { uid }, status };
    await this.#client.patch({ ...PODS, namespace, name, subresource: "status" }, { contentType: STRATEGIC, body });
  }

  #now(): string {
    return toTime(this.#context.clock.now());
  }
}
