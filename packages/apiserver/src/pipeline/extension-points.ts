import type { GroupVersion, GroupVersionKind, GroupVersionResource } from "@kubescaffold/k8s";

import { forbidden } from "../request/failures.ts";
import type { Annotation, RequestContext, RequestInfo, UserInfo, WebhookCall } from "../request/request-context.ts";
import type { ServerRequest, ServerResponse } from "../request/server-request.ts";
import type { ApiObject, JsonObject } from "../storage/api-object.ts";

/** Operations that pass admission. */
export type AdmissionOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** The attributes of a write in admission. */
export interface AdmissionAttributes {
  /** The operation, such as `CREATE`. */
  readonly operation: AdmissionOperation;
  /** The kind of {@link AdmissionAttributes.object}: `autoscaling/v1 Scale` for the subresource `scale`. */
  readonly kind: GroupVersionKind;
  /** The resource of the request. */
  readonly resource: GroupVersionResource;
  /** The subresource, such as `status`; empty for the resource itself. */
  readonly subresource: string;
  /** Whether objects of the resource are in namespaces. */
  readonly isNamespaced: boolean;
  /** The namespace; empty for cluster-scoped resources. */
  readonly namespace: string;
  /** Empty while a generated name is not made yet, and for the items of a deletecollection. */
  readonly name: string;
  /** The name in the path of the request; empty for creates by POST. */
  readonly requestName: string;
  /** Absent for deletes. */
  readonly object: ApiObject | undefined;
  /** The stored object in the version of the request; absent for creates. */
  readonly oldObject: ApiObject | undefined;
  /** The user of the request. */
  readonly user: UserInfo;
  /** Whether nothing is stored. */
  readonly isDryRun: boolean;
  /** `CreateOptions`, `UpdateOptions` or `DeleteOptions` of `meta.k8s.io/v1`, with kind and apiVersion; null for connections. */
  readonly options: JsonObject | null;
  /** Adds a `Warning` header to the response. */
  readonly warn: (text: string) => void;
  /** Adds an annotation to the audit event of the request, from a level on (default: `Metadata`); the first value of a key stays. */
  readonly annotate: (key: string, value: Annotation, level?: "Metadata" | "Request") => void;
  /** Notes a call of an admission webhook for the metrics. */
  readonly observeWebhook?: (call: WebhookCall) => void;
  /**
   * Decodes an object that a plugin has changed: sets defaults, and prunes it where that happens before storage. The input may be changed; the paths of
   * fields that a built-in kind does not have are added to the list, and numbers of an object that is the result of a merge are converted.
   */
  readonly normalize: (
    object: ApiObject,
    options?: { readonly unknownFields?: string[]; readonly isMerged?: boolean },
  ) => ApiObject;
}

/** Creates the error of a write that a plugin does not admit. */
export function refusal({ resource, name }: AdmissionAttributes, message: string): Error {
  return forbidden({ groupResource: resource, name }, message);
}

/**
 * Mutates or rejects writes.
 *
 * Fails: by throwing a `StatusError`, whose status becomes the answer.
 */
export interface AdmissionPlugin {
  /** The name in messages. */
  readonly name: string;
  /** Returns a changed object, or undefined to leave it; objects of the attributes are never changed in place. */
  mutate?(
    attributes: AdmissionAttributes,
    reinvocation: Reinvocation,
  ): ApiObject | undefined | Promise<ApiObject | undefined>;
  /** Throws a `StatusError` for an object that it does not admit. */
  validate?(attributes: AdmissionAttributes): void | Promise<void>;
}

/** The rounds in which the plugins of a chain mutate one write: a second one follows the first if a plugin requests it. */
export interface Reinvocation {
  /** Whether this is the second round. */
  readonly isSecond: boolean;
  /** Requests the second round. */
  request(): void;
  /** Returns what a plugin keeps between the rounds, which is made on first use. */
  stateOf<T>(plugin: string, make: () => T): T;
}

/** Result of an authenticator: a user, no credentials of its kind, or invalid credentials (401). */
export type AuthenticationResult =
  | { readonly kind: "user"; readonly user: UserInfo }
  | { readonly kind: "none" }
  | { readonly kind: "refused" };

/**
 * Authenticates a request.
 *
 * The pipeline adds the group `system:authenticated` to a user that has neither it nor `system:unauthenticated`.
 */
export interface Authenticator {
  /** Returns the user of a request, or that it does not know one. */
  authenticate(request: ServerRequest): AuthenticationResult | Promise<AuthenticationResult>;
}

/** Attributes of an authorization: a user's verb on a resource or a path. */
export interface AuthorizationAttributes extends RequestInfo {
  /** The field selector of a list, a watch, or a deletecollection. */
  readonly fieldSelector?: string;
  /** The user of the request. */
  readonly user: UserInfo;
}

/** The decision of an authorizer; a denied request's message ends with the reason. */
export interface AuthorizationDecision {
  /** Whether the request is permitted; if not, the next authorizer decides. */
  readonly allowed: boolean;
  /** Why, for messages. */
  readonly reason: string;
}

/** Authorizes a request. */
export interface Authorizer {
  /** Decides on a request. */
  authorize(attributes: AuthorizationAttributes): AuthorizationDecision | Promise<AuthorizationDecision>;
}

/** Records the permissions that users used and lacked. */
export interface PermissionRecorder {
  /** Counts one decision about a user's verb. */
  record(attributes: AuthorizationAttributes, isAllowed: boolean): void;
}

/**
 * Decides whether the user of a request may do something else that the request needs, such as to create the object that an apply does not find, and records it.
 *
 * `isOptional` is set where the request may succeed without the permission: a denial is not recorded then.
 */
export async function checkPermission(
  { authorizer, permissions }: { readonly authorizer: Authorizer; readonly permissions: PermissionRecorder },
  attributes: AuthorizationAttributes,
  { isOptional = false }: { readonly isOptional?: boolean } = {},
): Promise<AuthorizationDecision> {
  const decision = await authorizer.authorize(attributes);
  if (decision.allowed || !isOptional) permissions.record(attributes, decision.allowed);
  return decision;
}

/** Creates the 403 failure of a denied request. */
export function denial(attributes: AuthorizationAttributes, decision: AuthorizationDecision): Error {
  const { group, resource, name, isResourceRequest } = attributes;
  const reason = decision.reason === "" ? "" : `: ${decision.reason}`;
  const subject = isResourceRequest ? { group, resource } : { group: "", resource: "" };
  return forbidden(
    { groupResource: subject, name: isResourceRequest ? name : "" },
    `${denialText(attributes)}${reason}`,
  );
}

function denialText(attributes: AuthorizationAttributes): string {
  const { user, verb, isResourceRequest, path, group, namespace } = attributes;
  const who = `User ${quoted(user.name)} cannot ${escapeHtml(verb)}`;
  if (!isResourceRequest) {
    return `${who} path ${quoted(path)}`;
  }
  const { resource, subresource } = attributes;
  const what = subresource === "" ? resource : `${resource}/${subresource}`;
  const where = namespace === "" ? "at the cluster scope" : `in the namespace ${quoted(namespace)}`;
  return `${who} resource ${quoted(what)} in API group ${quoted(group)} ${where}`;
}

/** Quotes a text whose characters of HTML are escaped, as kube-apiserver does in plain texts. */
export function quoted(text: string): string {
  return JSON.stringify(escapeHtml(text));
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** A create request for a resource without storage: reviews, tokens, evictions, bindings. */
export interface VirtualCreate {
  /** The user of the request. */
  readonly user: UserInfo;
  /** The namespace of the request; empty for cluster-scoped resources. */
  readonly namespace: string;
  /** The name of the parent object for a subresource, else empty. */
  readonly name: string;
  /** The decoded body, checked to be of the kind that the resource takes. */
  readonly object: ApiObject;
  /** Whether the request must have no effect. */
  readonly isDryRun: boolean;
  /** Adds an annotation to the audit event of the request. */
  readonly annotate?: (key: string, value: string) => void;
}

/** Handles create requests for a resource without storage, such as `selfsubjectaccessreviews` or `serviceaccounts/token`. */
export interface VirtualResource {
  /** The API group. */
  readonly group: string;
  /** The version of the API. */
  readonly version: string;
  /** The plural name. */
  readonly resource: string;
  /** Empty for the resource itself. */
  readonly subresource: string;
  /** The kind of the request and response body. */
  readonly kind: GroupVersionKind;
  /** Other API versions of the kind that a body may have. */
  readonly otherVersions?: readonly GroupVersion[];
  /** Returns the object of the response (201). */
  create(request: VirtualCreate): ApiObject | Promise<ApiObject>;
}

/** Serves the streams of pods: `log`, `exec`, `attach`, and `portforward`. */
export interface PodStreams {
  /** Answers a request that is authorized. Fails: with a `StatusError`. */
  serve(context: RequestContext): Promise<ServerResponse>;
}

/** Serves the group versions of other API servers, and lists them beside those of this server. */
export interface Aggregator {
  /**
   * Answers a request that is authorized; undefined where no other server is concerned. `answerLocally` answers a request as a server without others does.
   */
  serve(
    context: RequestContext,
    answerLocally: (context: RequestContext) => Promise<ServerResponse>,
  ): Promise<ServerResponse> | undefined;
}

/** Classifies requests, and tells clients how. */
export interface RequestClassifier {
  /** Returns the headers that state the class of a request in its response. */
  headersFor(info: RequestInfo, user: UserInfo): Readonly<Record<string, string>>;
}

/** A document that the server serves besides objects. */
export interface ServedDocument {
  /** Its media type. */
  readonly contentType: string;
  /** Further headers of the response. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Its text. */
  readonly body: string;
}

/** Finds the handler of a resource without storage. */
export interface VirtualResources {
  find(info: RequestInfo): VirtualResource | undefined;
}

/** Creates the table of handlers. */
export function createVirtualResources(resources: readonly VirtualResource[]): VirtualResources {
  const byPath = new Map(resources.map((resource) => [pathOf(resource), resource]));
  return { find: (info) => byPath.get(pathOf(info)) };
}

function pathOf(resource: Pick<VirtualResource, "group" | "version" | "resource" | "subresource">): string {
  return [resource.group, resource.version, resource.resource, resource.subresource].join("/");
}

/** Reports whether a list of a rule names a value, or everything with a star. */
export function includesOrStar(values: readonly string[] | undefined, value: string): boolean {
  return (values ?? []).some((each) => each === "*" || each === value);
}
