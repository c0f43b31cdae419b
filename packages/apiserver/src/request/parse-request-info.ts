import { fieldSelectorName } from "./field-selector-name.ts";
import type { RequestInfo, Verb } from "./request-info.ts";

const VERBS: Readonly<Record<string, Verb>> = {
  POST: "create",
  GET: "get",
  HEAD: "get",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};

/** Reads what a request is about from its method, path and query. */
export function parseRequestInfo({
  method,
  path,
  query,
}: {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
}): RequestInfo {
  const segments = path
    .split("/")
    .filter((segment) => segment !== "")
    .map(decodeSegment);
  const location = locate(segments);
  if (location === undefined) {
    return { ...NOTHING, path, verb: method.toLowerCase() };
  }
  const { group, version, rest, isWatchPath } = location;
  const target = parseTarget(rest);
  const verb = isWatchPath ? "watch" : refineVerb({ verb: VERBS[method] ?? "", name: target.name, query });
  const isCollection = verb === "list" || verb === "watch" || verb === "deletecollection";
  const name = isCollection && target.name === "" ? fieldSelectorName(query.get("fieldSelector")) : target.name;
  return { isResourceRequest: true, path, verb, group, version, ...target, name };
}

/** Reads a boolean of a query as the API does: anything but absence, `false` and `0` is true. */
export function queryFlag(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  return value !== null && value.toLowerCase() !== "false" && value !== "0";
}

const NOTHING = {
  isResourceRequest: false,
  group: "",
  version: "",
  namespace: "",
  resource: "",
  subresource: "",
  name: "",
} as const;

const NAMESPACE_SUBRESOURCES: ReadonlySet<string> = new Set(["status", "finalize"]);

interface Location {
  readonly group: string;
  readonly version: string;
  readonly rest: readonly string[];
  readonly isWatchPath: boolean;
}

function locate(segments: readonly string[]): Location | undefined {
  const [prefix, first = "", second = ""] = segments;
  const depth = prefix === "api" ? 2 : prefix === "apis" ? 3 : undefined;
  if (depth === undefined || segments.length <= depth) {
    return undefined;
  }
  const isWatchPath = segments[depth] === "watch";
  const rest = segments.slice(isWatchPath ? depth + 1 : depth);
  if (rest.length === 0) {
    return undefined;
  }
  return prefix === "api"
    ? { group: "", version: first, rest, isWatchPath }
    : { group: first, version: second, rest, isWatchPath };
}

function parseTarget(rest: readonly string[]): Pick<RequestInfo, "namespace" | "resource" | "name" | "subresource"> {
  const [first = "", second, third = ""] = rest;
  if (first !== "namespaces" || second === undefined) {
    return { namespace: "", resource: first, name: second ?? "", subresource: rest.slice(2).join("/") };
  }
  if (rest.length === 2 || NAMESPACE_SUBRESOURCES.has(third)) {
    return { namespace: second, resource: "namespaces", name: second, subresource: third };
  }
  return { namespace: second, resource: third, name: rest[3] ?? "", subresource: rest.slice(4).join("/") };
}

function refineVerb({ verb, name, query }: { verb: Verb; name: string; query: URLSearchParams }): Verb {
  if (name !== "") {
    return verb;
  }
  if (verb === "get") {
    return queryFlag(query, "watch") ? "watch" : "list";
  }
  return verb === "delete" ? "deletecollection" : verb;
}

function decodeSegment(segment: string): string {
  if (!segment.includes("%")) {
    return segment;
  }
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
