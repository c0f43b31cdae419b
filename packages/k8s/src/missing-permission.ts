/** The permissions that informers need, of which a server reports one at a time. */
const READING = ["get", "list", "watch"];

const RESOURCE = /\bcannot (?<verb>[a-z]+) resource "(?<resource>[a-z0-9.*/-]+)" in API group "(?<group>[a-z0-9.-]*)"/u;
const PATH = /\bcannot (?<verb>[a-z]+) path "(?<path>\/[\w./*-]*)"/u;

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
