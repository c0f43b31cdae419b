import { isDeepStrictEqual } from "node:util";

import { type DeepReadonly, ignoreNotFound, objectKey, setCondition } from "@kubescaffold/k8s";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { Service } from "@kubescaffold/k8s/core/v1";
import type { ReadonlyObject } from "@kubescaffold/k8s/meta/v1";
import {
  type Client,
  controllerutil,
  type EventRecorder,
  type Manager,
  newControllerManagedBy,
  patch,
  type ReconcileContext,
  type Request,
  type Result,
  type Stored,
} from "@kubescaffold/runtime";

import { Guestbook, type GuestbookStatus } from "../../api/v1/guestbook_types.ts";
import { withDesiredPods, withDesiredPorts } from "./guestbook_children.ts";

/** Blocks the deletion of a Guestbook until its Service is deleted, so that no traffic reaches terminating Pods. */
export const FINALIZER = "webapp.demo/guestbook";

/** GuestbookReconciler reconciles Guestbook objects. */
export class GuestbookReconciler {
  readonly client: Client;
  #recorder: EventRecorder | undefined;

  constructor(client: Client) {
    this.client = client;
  }

  // +kubebuilder:rbac:groups=webapp.demo,resources=guestbooks,verbs=get;list;watch;create;update;patch;delete
  // +kubebuilder:rbac:groups=webapp.demo,resources=guestbooks/status,verbs=get;update;patch
  // +kubebuilder:rbac:groups=webapp.demo,resources=guestbooks/finalizers,verbs=update
  // +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch;create;update;patch;delete
  // +kubebuilder:rbac:groups="",resources=services,verbs=get;list;watch;create;update;patch;delete
  // +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch

  /** Creates or updates the Deployment and the Service of a Guestbook, and updates its status. */
  async reconcile(request: Request, context: ReconcileContext): Promise<Result> {
    const guestbook = await ignoreNotFound(this.client.get(Guestbook, request));
    if (guestbook === undefined) return {};
    if (guestbook.metadata.deletionTimestamp !== undefined) return await this.#cleanUp(guestbook);
    if (!controllerutil.containsFinalizer(guestbook, FINALIZER)) {
      await this.client.patch(
        controllerutil.addFinalizer(guestbook, FINALIZER),
        patch.mergeFrom(guestbook, { optimisticLock: true }),
      );
      return {};
    }
    const deployment = await this.#applyDeployment(guestbook);
    await this.#applyService(guestbook);
    await this.#report(guestbook, deployment, context);
    return {};
  }

  /** Registers the controller with the manager. */
  async setupWithManager(mgr: Manager): Promise<void> {
    this.#recorder = mgr.getEventRecorder("guestbook-controller");
    await newControllerManagedBy(mgr).for(Guestbook).owns(Deployment).owns(Service).named("guestbook").complete(this);
  }

  async #applyDeployment(guestbook: DeepReadonly<Stored<Guestbook>>): Promise<DeepReadonly<Deployment>> {
    const { object, result } = await controllerutil.createOrUpdate(
      this.client,
      Deployment.create({ metadata: objectKey(guestbook) }),
      (deployment) => controllerutil.setControllerReference(guestbook, withDesiredPods(guestbook, deployment)),
    );
    if (result !== "unchanged") this.#tell(guestbook, object, result);
    return object;
  }

  async #applyService(guestbook: DeepReadonly<Stored<Guestbook>>): Promise<void> {
    const { object, result } = await controllerutil.createOrUpdate(
      this.client,
      Service.create({ metadata: objectKey(guestbook) }),
      (service) => controllerutil.setControllerReference(guestbook, withDesiredPorts(guestbook, service)),
    );
    if (result !== "unchanged") this.#tell(guestbook, object, result);
  }

  async #report(
    guestbook: DeepReadonly<Stored<Guestbook>>,
    deployment: DeepReadonly<Deployment>,
    { log }: ReconcileContext,
  ): Promise<void> {
    const size = guestbook.spec.size ?? 1;
    const availableReplicas = deployment.status?.availableReplicas ?? 0;
    const isCurrent = deployment.status?.observedGeneration === deployment.metadata.generation;
    const isAvailable = isCurrent && availableReplicas >= size;
    const message = `${String(availableReplicas)} of ${String(size)} Pods are available`;
    const { conditions } = setCondition(guestbook.status?.conditions, {
      type: "Available",
      status: isAvailable ? "True" : "False",
      reason: isAvailable ? "AllPodsAvailable" : "PodsNotAvailable",
      message,
      observedGeneration: guestbook.metadata.generation,
    });
    const status: GuestbookStatus = {
      observedGeneration: guestbook.metadata.generation ?? 0,
      availableReplicas,
      conditions,
    };
    if (isDeepStrictEqual(status, guestbook.status)) return;
    await this.client.status().patch({ ...guestbook, status }, patch.mergeFrom(guestbook));
    log.info("Reported", { available: isAvailable, message });
  }

  async #cleanUp(guestbook: DeepReadonly<Stored<Guestbook>>): Promise<Result> {
    if (!controllerutil.containsFinalizer(guestbook, FINALIZER)) return {};
    await ignoreNotFound(this.#deleteService(guestbook));
    // The cache may still contain a deleted object.
    await ignoreNotFound(
      this.client.patch(
        controllerutil.removeFinalizer(guestbook, FINALIZER),
        patch.mergeFrom(guestbook, { optimisticLock: true }),
      ),
    );
    return {};
  }

  async #deleteService(guestbook: DeepReadonly<Stored<Guestbook>>): Promise<void> {
    const service = Service.create({ metadata: objectKey(guestbook) });
    await this.client.delete(service);
    this.#tell(guestbook, service, "deleted");
  }

  // The reason distinguishes events, so it contains the kind and the operation: DeploymentCreated.
  #tell(guestbook: DeepReadonly<Stored<Guestbook>>, child: ReadonlyObject, result: string): void {
    const reason = `${child.kind}${result.slice(0, 1).toUpperCase()}${result.slice(1)}`;
    const note = `${child.kind} ${child.metadata.name ?? ""} ${result}`;
    this.#recorder?.event(guestbook, { type: "Normal", reason, action: "Reconcile", note });
  }
}
