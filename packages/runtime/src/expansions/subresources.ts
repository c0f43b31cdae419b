import { TokenRequest } from "@kubescaffold/k8s/authentication/v1";
import type { Scale } from "@kubescaffold/k8s/autoscaling/v1";
import type { CertificateSigningRequest } from "@kubescaffold/k8s/certificates/v1";
import { type Namespace, ServiceAccount } from "@kubescaffold/k8s/core/v1";
import type { ReadonlyObject } from "@kubescaffold/k8s/meta/v1";

import type { ApplyConfiguration, Client, ObjectKey } from "../client/client.ts";
import { MissingFieldOwnerError } from "../client/errors.ts";
import type { ApplyOptions, GetOptions, SubResourceCreateOptions, UpdateOptions } from "../client/options.ts";

/**
 * Reads the scale of an object: a Deployment, StatefulSet, or any other kind with that subresource.
 *
 * client-go: scale.ScaleInterface
 */
export async function getScale(client: Client, object: ReadonlyObject, options: GetOptions = {}): Promise<Scale> {
  return await client.subResource("scale").get<Scale>(object, options);
}

/**
 * Replaces the scale of an object. Returns the stored scale.
 *
 * Fails: `isConflict` when the object changed since the scale was read.
 *
 * client-go: scale.ScaleInterface
 *
 * @example
 * const scale = await getScale(client, deployment);
 * await updateScale(client, deployment, { ...scale, spec: { replicas: 3 } });
 */
export async function updateScale(
  client: Client,
  object: ReadonlyObject,
  scale: Scale,
  options: UpdateOptions = {},
): Promise<Scale> {
  const stored: unknown = await client.subResource("scale").update(object, { ...options, body: scale });
  return stored as Scale;
}

/**
 * Applies the scale of an object with server-side apply. Returns the stored scale.
 *
 * Fails: {@link MissingFieldOwnerError}; `isConflict` when another field manager set other values.
 *
 * client-go: kubernetes/typed/apps/v1.DeploymentInterface
 */
export async function applyScale(
  client: Client,
  object: ReadonlyObject,
  scale: ApplyConfiguration<Scale>,
  options: ApplyOptions,
): Promise<Scale> {
  if (options.fieldOwner === undefined || options.fieldOwner === "") {
    throw new MissingFieldOwnerError(`Scale ${object.metadata.name ?? ""}`);
  }
  const patch = { type: "application/apply-patch+yaml", data: () => scale } as const;
  const stored: unknown = await client.subResource("scale").patch(object, patch, options);
  return stored as Scale;
}

/**
 * Creates a token of a service account. Returns the request, with the token in its status.
 *
 * client-go: kubernetes/typed/core/v1.ServiceAccountInterface
 *
 * @example
 * const { status } = await createToken(client, { namespace: "default", name: "robot" }, { audiences: ["vault"], expirationSeconds: 600 });
 */
export async function createToken(
  client: Client,
  key: ObjectKey,
  spec: TokenRequest["spec"],
  options: SubResourceCreateOptions = {},
): Promise<TokenRequest> {
  const account = ServiceAccount.create({ metadata: { ...key } });
  return await client.subResource("token").create(account, TokenRequest.create({ metadata: {}, spec }), options);
}

/** The reason of an approval. */
export interface ApprovalOptions extends UpdateOptions {
  /** The reason in CamelCase. */
  readonly reason: string;
  /** The message for people. Default: none. */
  readonly message?: string;
}

/**
 * Approves a certificate signing request. Returns the stored request; an approved one is returned without a request.
 *
 * Fails: `isInvalid` when the request was denied, `isConflict` when it changed since it was read.
 *
 * client-go: kubernetes/typed/certificates/v1.CertificateSigningRequestInterface
 *
 * @example
 * const request = await client.get(CertificateSigningRequest, { name: "node-1" });
 * await approveCertificateSigningRequest(client, request, { reason: "NodeVerified" });
 */
export async function approveCertificateSigningRequest(
  client: Client,
  request: CertificateSigningRequest,
  { reason, message, ...options }: ApprovalOptions,
): Promise<CertificateSigningRequest> {
  const conditions = request.status?.conditions ?? [];
  if (conditions.some(({ type }) => type === "Approved")) {
    return request;
  }
  const condition = {
    type: "Approved",
    status: "True",
    reason,
    ...(message === undefined ? {} : { message }),
  } as const;
  const approved = { ...request, status: { ...request.status, conditions: [...conditions, condition] } };
  return await client.subResource("approval").update(approved, options);
}

/**
 * Replaces the finalizers in the spec of a namespace. Returns the stored namespace.
 *
 * client-go: kubernetes/typed/core/v1.NamespaceExpansion
 *
 * @example
 * await finalizeNamespace(client, { ...namespace, spec: { finalizers: [] } });
 */
export async function finalizeNamespace(
  client: Client,
  namespace: Namespace,
  options: UpdateOptions = {},
): Promise<Namespace> {
  return await client.subResource("finalize").update(namespace, options);
}
