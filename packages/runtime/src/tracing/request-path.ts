/** The parts of the path of a resource; values are encoded as in the path. */
export interface RequestPath {
  readonly template: string;
  /** The path without what a program sends through a proxy. */
  readonly safePath: string;
  /** The plural name with the group, such as `deployments.apps`. */
  readonly resource: string;
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

// Subresources of a namespace, which look like resources in it.
const OF_NAMESPACE: ReadonlySet<string> = new Set(["status", "finalize"]);

/** Reads a path of the form /api/<version>/… or /apis/<group>/<version>/…, then [namespaces/<namespace>/]<resource>[/<name>[/<subresource>[/…]]].; undefined for other paths. */
export function readPath(path: string): RequestPath | undefined {
  const segments = path.split("/");
  const rootLength = segments[1] === "api" ? 3 : segments[1] === "apis" ? 4 : undefined;
  if (rootLength === undefined || segments.length <= rootLength) return undefined;
  const rest = segments.slice(rootLength);
  const isNamespaced = rest[0] === "namespaces" && rest.length > 2 && !OF_NAMESPACE.has(rest[2] ?? "");
  const [resource = "", name, subresource, ...proxied] = isNamespaced ? rest.slice(2) : rest;
  const root = segments.slice(0, rootLength).join("/");
  const print = (namespace: string, object: string, behind: string): string =>
    [root, ...(isNamespaced ? ["namespaces", namespace] : []), resource]
      .concat(name === undefined ? [] : [object], subresource === undefined ? [] : [subresource])
      .concat(proxied.length === 0 ? [] : [behind])
      .join("/");
  return {
    template: print("{namespace}", "{name}", "{path}"),
    safePath: print(rest[1] ?? "", name ?? "", "REDACTED"),
    resource: segments[1] === "api" ? resource : `${resource}.${segments[2] ?? ""}`,
    group: segments[1] === "api" ? "" : (segments[2] ?? ""),
    version: segments[rootLength - 1] ?? "",
    plural: resource,
    namespace: isNamespaced ? rest[1] : undefined,
    name,
    subresource,
  };
}
