import { type DeepReadonly, ignoreNotFound, isInvalid } from "@kubescaffold/k8s";
import { Service, type ServicePort } from "@kubescaffold/k8s/core/v1";
import { Ingress } from "@kubescaffold/k8s/networking/v1";
import {
  type Client,
  controllerutil,
  type EventRecorder,
  type Manager,
  newControllerManagedBy,
  type RecordedEvent,
  type ReconcileContext,
  type Request,
  type Result,
  type Stored,
} from "@kubescaffold/runtime";

import { hostOf, isControlledBy, PORT_ANNOTATION, portOf, withDesiredRules } from "./service_ingress.ts";

/** ServiceReconciler reconciles Service objects. */
export class ServiceReconciler {
  readonly client: Client;
  #recorder: EventRecorder | undefined;

  constructor(client: Client) {
    this.client = client;
  }

  // The minimal permissions: the garbage collector deletes the Ingress of a deleted Service. API servers can require the permission on finalizers
  // to set owner references.
  // +kubebuilder:rbac:groups="",resources=services,verbs=get;list;watch
  // +kubebuilder:rbac:groups="",resources=services/finalizers,verbs=update
  // +kubebuilder:rbac:groups=networking.k8s.io,resources=ingresses,verbs=get;list;watch;create;update;delete
  // +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch

  /** Creates or updates the Ingress of a Service with a host, and deletes the one of a Service without. */
  async reconcile(request: Request, context: ReconcileContext): Promise<Result> {
    const service = await ignoreNotFound(this.client.get(Service, request));
    if (service === undefined || service.metadata.deletionTimestamp !== undefined) return {};
    const [host, port] = [hostOf(service), portOf(service)];
    if (host === undefined) return await this.#delete(service, context);
    if (port !== undefined) return await this.#apply(service, { host, port }, context);
    const note = `cannot create an Ingress: the Service has no ports, or none that ${PORT_ANNOTATION} selects`;
    this.#tell(service, { type: "Warning", reason: "PortMissing", note });
    return await this.#delete(service, context);
  }

  /** Registers the controller with the manager. */
  async setupWithManager(mgr: Manager): Promise<void> {
    this.#recorder = mgr.getEventRecorder("service-controller");
    await newControllerManagedBy(mgr).for(Service).owns(Ingress).named("service").complete(this);
  }

  async #apply(
    service: DeepReadonly<Stored<Service>>,
    { host, port }: Exposed,
    { log }: ReconcileContext,
  ): Promise<Result> {
    try {
      const { result, object } = await controllerutil.createOrUpdate(this.client, emptyIngress(service), (ingress) => {
        if (ingress.metadata.uid !== undefined && !isControlledBy(service, ingress)) throw new IngressTakenError();
        return withDesiredRules(service, ingress, host, port);
      });
      if (result === "unchanged") return {};
      log.info("Reconciled an Ingress", { ingress: object.metadata.name, host, result });
      const reason = result === "created" ? "IngressCreated" : "IngressUpdated";
      this.#tell(service, { type: "Normal", reason, note: `${result} the Ingress for ${host}`, related: object });
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      // Another attempt would fail, too: the next change of the Service or of its Ingress leads to one.
      this.#tell(service, { type: "Warning", ...refusal });
    }
    return {};
  }

  async #delete(service: DeepReadonly<Stored<Service>>, { log }: ReconcileContext): Promise<Result> {
    const { name, namespace } = service.metadata;
    const ingress = await ignoreNotFound(this.client.get(Ingress, { name, namespace }));
    if (ingress === undefined || !isControlledBy(service, ingress)) return {};
    if (ingress.metadata.deletionTimestamp !== undefined) return {};
    await ignoreNotFound(this.client.delete(ingress));
    log.info("Deleted an Ingress", { ingress: name });
    this.#tell(service, { type: "Normal", reason: "IngressDeleted", note: `deleted the Ingress ${name}` });
    return {};
  }

  #tell(service: DeepReadonly<Stored<Service>>, event: Omit<RecordedEvent, "action">): void {
    this.#recorder?.event(service, { ...event, action: "Reconcile" });
  }
}

interface Exposed {
  readonly host: string;
  readonly port: ServicePort;
}

/** IngressTakenError is thrown if an Ingress with the name of the Service exists that the Service does not control. */
export class IngressTakenError extends Error {
  constructor() {
    super("an Ingress with the name of the Service exists, and the Service does not control it");
  }
}

function refusalOf(error: unknown): { readonly reason: string; readonly note: string } | undefined {
  if (error instanceof IngressTakenError) return { reason: "IngressTaken", note: error.message };
  return isInvalid(error) && error instanceof Error ? { reason: "IngressInvalid", note: error.message } : undefined;
}

function emptyIngress({ metadata }: DeepReadonly<Stored<Service>>): Ingress {
  return Ingress.create({ metadata: { name: metadata.name, namespace: metadata.namespace } });
}
