import { apiVersionOf } from "@kubescaffold/k8s";
import type { AdmissionRequest, AdmissionReview, Operation } from "@kubescaffold/k8s/admission/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { type admission, WebhookServer, type WebhookServerOptions } from "@kubescaffold/runtime";

// The one webhook that is asked for something else than admission.
const CONVERT_PATH = "/convert";

/** Admits everything in place of the webhooks that are registered, and notes what each was asked about one object. */
export class AdmittingServer extends WebhookServer {
  readonly #object: KubernetesObject;
  readonly #asked = new Map<string, Set<Operation>>();
  readonly #roles = new Map<string, admission.AdmissionRole | undefined>();

  constructor(object: KubernetesObject, options: WebhookServerOptions) {
    super(options);
    this.#object = object;
  }

  /** Returns the operations that each webhook was asked about, by its path. */
  asked(): Readonly<Record<string, readonly Operation[]>> {
    return Object.fromEntries([...this.#asked].map(([path, operations]) => [path, [...operations]]));
  }

  /** Returns what the webhook at a path does, where its handler says so. */
  roleOf(path: string): admission.AdmissionRole | undefined {
    return this.#roles.get(path);
  }

  override register(path: string, handler: admission.AdmissionEndpoint): void {
    if (path === CONVERT_PATH) {
      super.register(path, handler);
      return;
    }
    const operations = new Set<Operation>();
    this.#asked.set(path, operations);
    this.#roles.set(path, handler.role);
    super.register(path, (request) => this.#admit(request, operations));
  }

  async #admit(request: Request, operations: Set<Operation>): Promise<Response> {
    const review = (await request.json()) as AdmissionReview;
    if (review.request === undefined) return new Response("there is no request in the review", { status: 400 });
    if (this.#isAboutObject(review.request)) operations.add(review.request.operation);
    const { apiVersion, kind } = review;
    return Response.json({ apiVersion, kind, response: { uid: review.request.uid, allowed: true } });
  }

  // It may be asked about objects that others write, too; and in the version of its kind, or it could not read them.
  #isAboutObject({ kind: { group, version, kind }, object, oldObject }: AdmissionRequest): boolean {
    const found = (object ?? oldObject) as KubernetesObject | undefined;
    const isKind = kind === this.#object.kind && apiVersionOf({ group, version }) === this.#object.apiVersion;
    return isKind && found?.metadata.name === this.#object.metadata.name;
  }
}
