import { isTrueParameter } from "@kubescaffold/k8s";

/** A request to an API server, as its address describes it. */
export interface ChaosRequest {
  /** The HTTP method. */
  readonly method: string;
  /** The path, without the query. */
  readonly path: string;
  /** The verb, such as `list` or `watch`; the method in lower case where the path names no resource. */
  readonly verb: string;
  /** The API group; empty for the core group. */
  readonly group: string;
  /** The plural resource, such as `configmaps`; empty where the path names no resource. */
  readonly resource: string;
  /** The subresource, such as `status`; empty without one. */
  readonly subresource: string;
  /** The namespace; empty without one. */
  readonly namespace: string;
  /** The name of the object; empty without one. */
  readonly name: string;
}

/** Selects requests: those that have all given values. */
export type ChaosMatch = Readonly<Partial<ChaosRequest>>;

/** Reports whether a request has all values of a match. */
export function matchesRequest(match: ChaosMatch, request: ChaosRequest): boolean {
  return (Object.keys(match) as (keyof ChaosRequest)[]).every(
    (key) => match[key] === undefined || match[key] === request[key],
  );
}

/** Reads what a method and an address ask for. */
export function describeRequest(method: string, { pathname, searchParams }: URL): ChaosRequest {
  const { group, segments } = apiSegments(pathname);
  const place = placeOf(segments);
  const [resource = "", name = "", subresource = ""] = place.segments;
  const isWatch = isTrueParameter(searchParams.get("watch"));
  return {
    method,
    path: pathname,
    verb: resource === "" ? method.toLowerCase() : verbOf(method, { isWatch, hasName: name !== "" }),
    group,
    resource,
    subresource,
    namespace: place.namespace,
    name,
  };
}

function apiSegments(pathname: string): { readonly group: string; readonly segments: readonly string[] } {
  const [root, ...rest] = pathname.split("/").filter((segment) => segment !== "");
  if (root === "api") return { group: "", segments: rest.slice(1) };
  if (root === "apis") return { group: rest[0] ?? "", segments: rest.slice(2) };
  return { group: "", segments: [] };
}

const NAMESPACE_SUBRESOURCES = ["status", "finalize"];

// A namespace is a resource itself, and the place of others.
function placeOf(segments: readonly string[]): { readonly namespace: string; readonly segments: readonly string[] } {
  const [first, namespace = "", third] = segments;
  const isPlace = first === "namespaces" && third !== undefined && !NAMESPACE_SUBRESOURCES.includes(third);
  return isPlace ? { namespace, segments: segments.slice(2) } : { namespace: "", segments };
}

function verbOf(
  method: string,
  { isWatch, hasName }: { readonly isWatch: boolean; readonly hasName: boolean },
): string {
  switch (method) {
    case "GET":
      return isWatch ? "watch" : hasName ? "get" : "list";
    case "POST":
      return "create";
    case "PUT":
      return "update";
    case "DELETE":
      return hasName ? "delete" : "deletecollection";
    default:
      return method.toLowerCase();
  }
}
