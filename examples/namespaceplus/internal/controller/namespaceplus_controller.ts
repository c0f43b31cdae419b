import { isDeepStrictEqual } from "node:util";

import { type DeepReadonly, ignoreNotFound, isForbidden, isInvalid } from "@kubescaffold/k8s";
import { Namespace, ResourceQuota } from "@kubescaffold/k8s/core/v1";
import type { ReadonlyObject } from "@kubescaffold/k8s/meta/v1";
import {
  type Client,
  controllerutil,
  type EventRecorder,
  handler,
  type Manager,
  newControllerManagedBy,
  patch,
  type ReconcileContext,
  type Request,
  type Result,
  type Stored,
} from "@kubescaffold/runtime";

import { NamespacePlus, type NamespacePlusStatus } from "../../api/v1/namespaceplus_types.ts";
import {
  isOwn,
  isRetained,
  isTaken,
  isTerminating,
  released,
  withDesiredLabels,
  withDesiredLimits,
} from "./namespaceplus_children.ts";
import { type Verdict, withVerdict } from "./namespaceplus_conditions.ts";

/** Blocks the deletion of a NamespacePlus until a retained Namespace is released; other policies need no finalizer. */
export const FINALIZER = "tenancy.demo/release";

/** The name of the ResourceQuota in each Namespace. */
export const QUOTA_NAME = "namespaceplus";

/** NamespacePlusReconciler reconciles NamespacePlus objects. */
export class NamespacePlusReconciler {
  readonly client: Client;
  #recorder: EventRecorder | undefined;

  constructor(client: Client) {
    this.client = client;
  }

  // +kubebuilder:rbac:groups=tenancy.demo,resources=namespacepluses,verbs=get;list;watch;create;update;patch;delete
  // +kubebuilder:rbac:groups=tenancy.demo,resources=namespacepluses/status,verbs=get;update;patch
  // +kubebuilder:rbac:groups=tenancy.demo,resources=namespacepluses/finalizers,verbs=update
  // +kubebuilder:rbac:groups="",resources=namespaces,verbs=get;list;watch;create;update;patch
  // +kubebuilder:rbac:groups="",resources=resourcequotas,verbs=get;list;watch;create;update;patch;delete
  // +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch

  /** Creates or updates the Namespace and the ResourceQuota of a NamespacePlus, and updates its status. */
  async reconcile(request: Request, context: ReconcileContext): Promise<Result> {
    const owner = await ignoreNotFound(this.client.get(NamespacePlus, { name: request.name }));
    if (owner === undefined) return {};
    if (isTerminating(owner)) return await this.#release(owner);
    if (isRetained(owner) !== controllerutil.containsFinalizer(owner, FINALIZER)) {
      const change = isRetained(owner) ? controllerutil.addFinalizer : controllerutil.removeFinalizer;
      await this.client.patch(change(owner, FINALIZER), patch.mergeFrom(owner, { optimisticLock: true }));
      return {};
    }
    try {
      await this.#report(owner, await this.#apply(owner), context);
    } catch (error) {
      const verdict = refusal(error);
      if (verdict !== undefined) {
        await this.#report(owner, verdict, context);
        this.#recorder?.event(owner, {
          type: "Warning",
          reason: verdict.reason,
          action: "Reconcile",
          note: verdict.message,
        });
      }
      throw error;
    }
    return {};
  }

  /** Registers the controller with the manager. */
  async setupWithManager(mgr: Manager): Promise<void> {
    this.#recorder = mgr.getEventRecorder("namespaceplus-controller");
    // A retained Namespace has no owner reference, but the name of its NamespacePlus.
    const byName = handler.enqueueRequestsFromMapFunc<Namespace>(({ metadata }) => [
      { namespace: "", name: metadata.name },
    ]);
    await newControllerManagedBy(mgr)
      .for(NamespacePlus)
      .watches(Namespace, byName)
      .owns(ResourceQuota)
      .named("namespaceplus")
      .complete(this);
  }

  async #apply(owner: DeepReadonly<Stored<NamespacePlus>>): Promise<Verdict> {
    const name = owner.metadata.name;
    const { object, result } = await controllerutil.createOrUpdate(
      this.client,
      Namespace.create({ metadata: { name } }),
      (namespace) =>
        isTaken(owner, namespace) || isTerminating(namespace) ? namespace : withDesiredLabels(owner, namespace),
    );
    if (isTaken(owner, object)) {
      return { status: "False", reason: "NamespaceTaken", message: `the Namespace ${name} belongs to another owner` };
    }
    if (isTerminating(object)) {
      return { status: "False", reason: "NamespaceTerminating", message: `the Namespace ${name} is being deleted` };
    }
    if (result !== "unchanged") this.#tell(owner, object, result);
    await this.#applyQuota(owner, name);
    return { status: "True", reason: "AsSpecified", message: `the Namespace ${name} is as specified` };
  }

  async #applyQuota(owner: DeepReadonly<Stored<NamespacePlus>>, namespace: string): Promise<void> {
    const empty = ResourceQuota.create({ metadata: { name: QUOTA_NAME, namespace } });
    if (owner.spec.quota === undefined) return await this.#removeQuota(owner, empty);
    const { object, result } = await controllerutil.createOrUpdate(this.client, empty, (quota) =>
      withDesiredLimits(owner, quota),
    );
    if (result !== "unchanged") this.#tell(owner, object, result);
  }

  async #removeQuota(owner: DeepReadonly<Stored<NamespacePlus>>, quota: ResourceQuota): Promise<void> {
    const { name = "", namespace = "" } = quota.metadata;
    const existing = await ignoreNotFound(this.client.get(ResourceQuota, { name, namespace }));
    if (existing === undefined || !controllerutil.hasOwnerReference(owner, existing) || isTerminating(existing)) return;
    await ignoreNotFound(this.client.delete(existing));
    this.#tell(owner, existing, "deleted");
  }

  async #report(
    owner: DeepReadonly<Stored<NamespacePlus>>,
    verdict: Verdict,
    { log }: ReconcileContext,
  ): Promise<void> {
    const status: NamespacePlusStatus = {
      observedGeneration: owner.metadata.generation ?? 0,
      conditions: withVerdict(owner, verdict, new Date()),
    };
    if (isDeepStrictEqual(status, owner.status)) return;
    await this.client.status().patch({ ...owner, status }, patch.mergeFrom(owner));
    log.info("Reported", { ready: verdict.status, reason: verdict.reason, message: verdict.message });
  }

  async #release(owner: DeepReadonly<Stored<NamespacePlus>>): Promise<Result> {
    if (!controllerutil.containsFinalizer(owner, FINALIZER)) return {};
    const namespace = await ignoreNotFound(this.client.get(Namespace, { name: owner.metadata.name }));
    if (namespace !== undefined && isOwn(owner, namespace)) {
      await ignoreNotFound(
        this.client.patch(released(namespace), patch.mergeFrom(namespace, { optimisticLock: true })),
      );
      this.#tell(owner, namespace, "released");
    }
    // The cache may still contain a deleted object.
    await ignoreNotFound(
      this.client.patch(
        controllerutil.removeFinalizer(owner, FINALIZER),
        patch.mergeFrom(owner, { optimisticLock: true }),
      ),
    );
    return {};
  }

  // The reason distinguishes events, so it contains the kind and the operation: NamespaceCreated.
  #tell(owner: DeepReadonly<Stored<NamespacePlus>>, child: Stored<ReadonlyObject>, result: string): void {
    const reason = `${child.kind}${result.slice(0, 1).toUpperCase()}${result.slice(1)}`;
    const note = `${child.kind} ${child.metadata.name} ${result}`;
    this.#recorder?.event(owner, { type: "Normal", reason, action: "Reconcile", note });
  }
}

// Errors that need a user to fix them: a missing permission, or a spec that the API server rejects.
function refusal(error: unknown): Extract<Verdict, { readonly status: "False" }> | undefined {
  const message = error instanceof Error ? error.message : String(error);
  if (isForbidden(error)) return { status: "False", reason: "Forbidden", message };
  return isInvalid(error) ? { status: "False", reason: "Refused", message } : undefined;
}
