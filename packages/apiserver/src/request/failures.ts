import {
  newAlreadyExists,
  newBadRequest,
  newConflict,
  newForbidden,
  newGenerateNameConflict,
  newInternalError,
  newInvalid,
  newMethodNotSupported,
  newNotFound,
  newRequestEntityTooLarge,
  newResourceExpired,
  newUnauthorized,
  StatusError,
  type FieldError,
  type GroupKind,
  type GroupResource,
} from "@kubescaffold/k8s";
import type { Status, StatusCause, StatusDetails } from "@kubescaffold/k8s/meta/v1";

/** Subject of most failures: a resource, and the name of the object if there is one. */
interface FailureTarget {
  readonly groupResource: GroupResource;
  readonly name: string;
}

interface Failure {
  readonly code: number;
  readonly reason?: string;
  readonly message: string;
  readonly details?: StatusDetails;
}

/** Creates the error that answers with a failure `Status`. */
export function failure({ code, reason, message, details }: Failure): StatusError {
  return new StatusError({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  });
}

/** 404: the object does not exist. */
export function notFound({ groupResource, name }: FailureTarget): StatusError {
  return newNotFound(groupResource, name);
}

/** 409: an object of that name exists. */
export function alreadyExists({ groupResource, name }: FailureTarget, prefix: string = ""): StatusError {
  const error = newAlreadyExists(groupResource, name);
  return prefix === "" ? error : new StatusError({ ...error.status, message: `${prefix}${error.message}` });
}

/** 409: no name that was generated was free. */
export function generateNameConflict({ groupResource, name }: FailureTarget, prefix: string = ""): StatusError {
  const error = newGenerateNameConflict(groupResource, name, 1);
  return prefix === "" ? error : new StatusError({ ...error.status, message: `${prefix}${error.message}` });
}

/** The message of a write against an outdated resourceVersion. */
export const OBJECT_MODIFIED =
  "the object has been modified; please apply your changes to the latest version and try again";

/** 409: the write does not fit what is stored. */
export function conflict({ groupResource, name }: FailureTarget, message: string): StatusError {
  return newConflict(groupResource, name, message);
}

/** 422: fields of the object are wrong. */
export function invalid(
  { groupKind, name }: { readonly groupKind: GroupKind; readonly name: string },
  errors: readonly FieldError[],
): StatusError {
  return newInvalid(groupKind, name, errors);
}

/** 422 without any detail, for patches that do not fit. */
export function unprocessable(): StatusError {
  return failure({
    code: 422,
    reason: "Invalid",
    message: "the server rejected our request due to an error in our request",
    details: {},
  });
}

/** 400. */
export function badRequest(message: string): StatusError {
  return newBadRequest(message);
}

/** 403: the user may not, or nobody may. */
export function forbidden(
  { groupResource, name }: FailureTarget,
  message: string,
  causes?: readonly StatusCause[],
): StatusError {
  const error = newForbidden(groupResource, name, message);
  return causes === undefined
    ? error
    : new StatusError({ ...error.status, details: { ...error.status.details, causes: [...causes] } });
}

/** 401. */
export function unauthorized(): StatusError {
  return newUnauthorized("Unauthorized");
}

/** 404: the group-version is served, the resource is not. */
export function resourceNotFound(): StatusError {
  return failure({
    code: 404,
    reason: "NotFound",
    message: "the server could not find the requested resource",
    details: {},
  });
}

/** 405: the path exists, not for this method. */
export function methodNotAllowed(): StatusError {
  return failure({
    code: 405,
    reason: "MethodNotAllowed",
    message: "the server does not allow this method on the requested resource",
    details: {},
  });
}

/** 405: the resource does not have the verb. */
export function methodNotSupported(groupResource: GroupResource, verb: string): StatusError {
  return newMethodNotSupported(groupResource, verb);
}

/** 410: a resourceVersion or a page is too old. */
export function expired(message: string): StatusError {
  return newResourceExpired(message);
}

/** 500 with a reason. */
export function internalError(message: string): StatusError {
  return newInternalError(message);
}

/** 500 without a reason, as errors without their own class answer. */
export function plainError(message: string): StatusError {
  return failure({ code: 500, message });
}

/** 413: the body is beyond the limit. */
export function tooLarge(limitBytes: number): StatusError {
  return newRequestEntityTooLarge(`limit is ${limitBytes}`);
}

/** 421: the request was not meant for this server, by its `Host`. */
export function misdirected(message: string): StatusError {
  return failure({ code: 421, reason: "MisdirectedRequest", message });
}

/** 403: a page of another origin sent the request. */
export function foreignOrigin(message: string): StatusError {
  return failure({ code: 403, reason: "Forbidden", message, details: {} });
}

/** 406: no type of the `Accept` header can be given. */
export function notAcceptable(accepted: readonly string[]): StatusError {
  return failure({
    code: 406,
    reason: "NotAcceptable",
    message: `only the following media types are accepted: ${accepted.join(", ")}`,
  });
}

/** 406: no route has a representation of a type of the `Accept` header. */
export function unroutableAccept(representations: readonly string[]): StatusError {
  return failure({
    code: 406,
    reason: "NotAcceptable",
    message: `406: Not Acceptable\n\nAvailable representations: ${representations.join(", ")}`,
    details: {},
  });
}

/** 415: the body is of a type that is not read. */
export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  return failure({
    code: 415,
    reason: "UnsupportedMediaType",
    message: `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`,
  });
}

/** 415: no route of a built-in resource reads a body of this type. */
export function unroutableMediaType(): StatusError {
  return failure({ code: 415, reason: "UnsupportedMediaType", message: "415: Unsupported Media Type", details: {} });
}

/** Reports whether a status is that of a request that no route takes: its details are there, and empty. */
export function isUnroutable({ details }: Status): boolean {
  return details !== undefined && Object.keys(details).length === 0;
}

/** 406: an object, or a list, cannot be turned into what was asked for. */
export function untransformable(message: string): StatusError {
  return failure({ code: 406, reason: "NotAcceptable", message });
}

/** 504: the resourceVersion asked for lies in the future. */
export function resourceVersionTooLarge(requested: bigint, current: number): StatusError {
  const message = "Too large resource version";
  return failure({
    code: 504,
    reason: "Timeout",
    message: `Timeout: ${message}: ${requested}, current: ${current}`,
    details: { causes: [{ reason: "ResourceVersionTooLarge", message }], retryAfterSeconds: 1 },
  });
}

/** 504: the request took too long, or nobody waits for its answer. */
export function timedOut(): StatusError {
  return failure({
    code: 504,
    reason: "Timeout",
    message: "Timeout: request did not complete within the allotted timeout",
    details: {},
  });
}

/** 501: the feature is not built. */
function notImplemented(feature: string): StatusError {
  return failure({
    code: 501,
    reason: "NotImplemented",
    message: `the embedded API server does not support ${feature} yet`,
  });
}

/** Features of real API servers that are not implemented; a request that needs one fails with 501. */
export const UNSUPPORTED = {
  "pod-streams":
    "proxies to nodes; and logs, exec, attach, port-forward, and proxies of containers whose image has no definition (images.define)",
  "virtual-resource": "this resource, which has no storage and no handler",
} as const;

/** Names one thing that is not built. */
type UnsupportedFeature = keyof typeof UNSUPPORTED;

/** The subresources that need a container, a node, or a network, with the commands that use them. */
export const STREAMS: ReadonlyMap<string, string> = new Map([
  ["attach", "attach (kubectl attach, kubectl run -i, and kubectl debug -i)"],
  ["exec", "exec (kubectl exec and kubectl cp)"],
  ["log", "logs (kubectl logs)"],
  ["portforward", "port-forward (kubectl port-forward)"],
  ["proxy", "proxies to pods, services, and nodes"],
]);

/** Answers with 501 and a status that states how to simulate the container. */
export function throwNoContainer(
  subresource: string,
  { name, image }: { readonly name: string; readonly image: string },
): never {
  throw failure({
    code: 501,
    reason: "NotImplemented",
    message:
      `the embedded API server does not support ${STREAMS.get(subresource) ?? subresource} for the container ${name}: ` +
      `its image ${image} has no definition; define its behavior with images.define of the cluster before the pod is created, or use a cluster with nodes, such as kind`,
  });
}

/** Answers with 501 and a status that names the stream that is missing, why, and where it works. */
export function throwNoStream(subresource: string): never {
  throw failure({
    code: 501,
    reason: "NotImplemented",
    message:
      `the embedded API server does not support ${STREAMS.get(subresource) ?? subresource}: its pods are simulated and run no containers; ` +
      "use a cluster with nodes, such as kind",
  });
}

/** Answers with 501 and a status that names what is not built. */
export function throwNotBuilt(feature: UnsupportedFeature): never {
  throw notImplemented(UNSUPPORTED[feature]);
}
