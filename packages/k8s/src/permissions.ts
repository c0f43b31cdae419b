/** The facts about a request on which the permissions that it uses depend. */
export interface AuthorizedRequest {
  /** The verb by which the API server authorizes the request, such as `watch`. */
  readonly verb: string;
  /** The subresource, such as `exec`. Default: the resource itself. */
  readonly subresource?: string | undefined;
  /** The query parameter `sendInitialEvents`. Default: none. */
  readonly sendInitialEvents?: string | null | undefined;
  /** Whether an update or an apply created the object. Default: false. */
  readonly isCreated?: boolean | undefined;
  /** Whether the request opens a WebSocket. Default: false. */
  readonly opensWebSocket?: boolean | undefined;
}

/**
 * Returns the verbs that a role must permit for a request, sorted: more than the one by which the API server authorizes it if it uses others too, or would on another server.
 *
 * - A watch that streams the initial objects is a `list` and a `watch`: API servers without WatchList refuse it, and the client lists instead.
 * - An update or an apply that created the object needed `create`.
 * - A WebSocket to a Pod is a `get`, and API servers from 1.35 on also require `create`.
 *
 * @example
 * usedVerbs({ verb: "watch", sendInitialEvents: "true" }); // ["list", "watch"]
 */
export function usedVerbs(request: AuthorizedRequest): readonly string[] {
  const { verb, subresource = "" } = request;
  if (verb === "watch" && isTrueParameter(request.sendInitialEvents)) return ["list", "watch"];
  const creates =
    (request.isCreated === true && CHANGES.has(verb)) ||
    (request.opensWebSocket === true && verb === "get" && STREAMS.has(subresource));
  return creates ? ["create", verb] : [verb];
}

const CHANGES: ReadonlySet<string> = new Set(["patch", "update"]);
const STREAMS: ReadonlySet<string> = new Set(["attach", "exec", "portforward"]);

/** Reads a boolean of a query as the API does: anything but absence, `false`, and `0` is true. */
export function isTrueParameter(value: string | null | undefined): boolean {
  return value !== null && value !== undefined && value.toLowerCase() !== "false" && value !== "0";
}

/** The permissions that informers need, of which a server reports one at a time. */
const READING = ["get", "list", "watch"];

const RESOURCE = /\bcannot (?<verb>[a-z]+) resource "(?<resource>[a-z0-9.*/-]+)" in API group "(?<group>[a-z0-9.-]*)"/u;
const PATH = /\bcannot (?<verb>[a-z]+) path "(?<path>\/[\w./*-]*)"/u;

/** Returns the verb that was denied, by the message of a 403 response; undefined for other refusals, such as those of admission. */
export function deniedVerbIn(message: string): string | undefined {
  return (RESOURCE.exec(message) ?? PATH.exec(message))?.groups?.["verb"];
}

/**
 * Returns the `+kubebuilder:rbac` marker that permits what the message of a 403 response says is not permitted.
 *
 * A marker that permits `list` or `watch` permits all that informers need. Messages of admission have none.
 *
 * @example
 * rbacMarkerFor('pods is forbidden: User "me" cannot list resource "pods" in API group "" at the cluster scope');
 * // '+kubebuilder:rbac:groups="",resources=pods,verbs=get;list;watch'
 */
export function rbacMarkerFor(message: string): string | undefined {
  const { verb: resourceVerb, resource, group } = RESOURCE.exec(message)?.groups ?? {};
  if (resourceVerb !== undefined && resource !== undefined && group !== undefined) {
    const verbs = resourceVerb === "list" || resourceVerb === "watch" ? READING.join(";") : resourceVerb;
    return `+kubebuilder:rbac:groups=${group === "" ? '""' : group},resources=${resource},verbs=${verbs}`;
  }
  const { verb, path } = PATH.exec(message)?.groups ?? {};
  return verb === undefined || path === undefined ? undefined : `+kubebuilder:rbac:urls=${path},verbs=${verb}`;
}
