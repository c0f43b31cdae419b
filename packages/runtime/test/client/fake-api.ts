import type { RestConfig } from "@kubescaffold/k8s";

/** One request as a fake API got it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly accept: string;
  readonly contentType: string;
  readonly body: unknown;
}

/** A resource that a fake API has. */
interface FakeResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** An API of canned answers behind a transport, with real discovery. */
export interface FakeApi {
  readonly config: RestConfig;
  /** All requests but those for discovery. */
  readonly requests: readonly SeenRequest[];
  /** The paths asked for by discovery. */
  readonly discovery: readonly string[];
  /** What the API has; tests may change it. */
  readonly resources: FakeResource[];
}

/** Answers a request that is not about discovery: with a value that becomes JSON, or with a response. */
export type FakeAnswer = (request: SeenRequest) => unknown;

/** How a fake API behaves. */
export interface FakeApiOptions {
  readonly answer?: FakeAnswer;
  /** Without it the API tells of one group version at a time, as old servers do. */
  readonly aggregated?: boolean;
}

const RESOURCES: readonly FakeResource[] = [
  { group: "", version: "v1", resource: "pods", kind: "Pod", namespaced: true },
  { group: "", version: "v1", resource: "namespaces", kind: "Namespace", namespaced: false },
  { group: "apps", version: "v1", resource: "deployments", kind: "Deployment", namespaced: true },
  { group: "webapp.demo", version: "v1", resource: "guestbooks", kind: "Guestbook", namespaced: true },
  { group: "webapp.demo", version: "v1beta1", resource: "guestbooks", kind: "Guestbook", namespaced: true },
];

/** Creates a fake API. */
export function createFakeApi({ answer, aggregated = true }: FakeApiOptions = {}): FakeApi {
  const requests: SeenRequest[] = [];
  const discovery: string[] = [];
  const resources = [...RESOURCES];
  const transport = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    const known = discover(resources, { path: url.pathname, aggregated: aggregated && isAggregated(request) });
    if (known !== undefined) {
      discovery.push(url.pathname);
      return known;
    }
    const seen = await seenRequest(request, url);
    requests.push(seen);
    const body = answer === undefined ? seen.body : await answer(seen);
    return body instanceof Response ? body : Response.json(body ?? {});
  };
  return { config: { server: "http://fake", transport }, requests, discovery, resources };
}

/** Makes the answer of a failure. */
export function failure(code: number, reason: string, message: string = reason): Response {
  return Response.json(
    { kind: "Status", apiVersion: "v1", status: "Failure", code, reason, message },
    { status: code },
  );
}

async function seenRequest(request: Request, url: URL): Promise<SeenRequest> {
  const text = await request.text();
  return {
    method: request.method,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    accept: request.headers.get("accept") ?? "",
    contentType: request.headers.get("content-type") ?? "",
    body: text === "" ? undefined : (JSON.parse(text) as unknown),
  };
}

function isAggregated(request: Request): boolean {
  return (request.headers.get("accept") ?? "").includes("as=APIGroupDiscoveryList");
}

function discover(
  resources: readonly FakeResource[],
  { path, aggregated }: { readonly path: string; readonly aggregated: boolean },
): Response | undefined {
  if (path === "/api" || path === "/apis") {
    const groups = [...new Set(resources.map(({ group }) => group))].filter(
      (group) => (group === "") === (path === "/api"),
    );
    return aggregated ? aggregatedAnswer(resources, groups) : legacyGroups(resources, groups, path);
  }
  const [, group, version] = /^\/apis\/([^/]+)(?:\/([^/]+))?$/u.exec(path) ?? [];
  const core = /^\/api\/([^/]+)$/u.exec(path)?.[1];
  if (group !== undefined && version === undefined) {
    return resources.some((each) => each.group === group) ? Response.json(legacyGroup(resources, group)) : notFound();
  }
  const wanted = core === undefined ? { group, version } : { group: "", version: core };
  return wanted.group === undefined
    ? undefined
    : legacyResources(resources, wanted as { group: string; version: string });
}

function notFound(): Response {
  return new Response("404 page not found", { status: 404 });
}

function versionsOf(resources: readonly FakeResource[], group: string): readonly string[] {
  return [...new Set(resources.filter((each) => each.group === group).map(({ version }) => version))];
}

function aggregatedAnswer(resources: readonly FakeResource[], groups: readonly string[]): Response {
  const items = groups.map((group) => ({
    metadata: { name: group },
    versions: versionsOf(resources, group).map((version) => ({
      version,
      freshness: "Current",
      resources: resources
        .filter((each) => each.group === group && each.version === version)
        .map(({ resource, kind, namespaced }) => ({
          resource,
          responseKind: { group, version, kind },
          scope: namespaced ? "Namespaced" : "Cluster",
          verbs: ["get"],
          subresources: [{ subresource: "status", responseKind: { group, version, kind }, verbs: ["get"] }],
        })),
    })),
  }));
  const type = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  return new Response(JSON.stringify({ kind: "APIGroupDiscoveryList", items }), { headers: { "content-type": type } });
}

function legacyGroups(resources: readonly FakeResource[], groups: readonly string[], path: string): Response {
  return path === "/api"
    ? Response.json({ kind: "APIVersions", versions: versionsOf(resources, "") })
    : Response.json({ kind: "APIGroupList", groups: groups.map((group) => legacyGroup(resources, group)) });
}

function legacyGroup(resources: readonly FakeResource[], group: string): object {
  const versions = versionsOf(resources, group).map((version) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions: versions.toReversed(), preferredVersion: versions[0] };
}

function legacyResources(
  resources: readonly FakeResource[],
  { group, version }: { readonly group: string; readonly version: string },
): Response {
  const found = resources.filter((each) => each.group === group && each.version === version);
  return found.length === 0
    ? notFound()
    : Response.json({
        kind: "APIResourceList",
        resources: found.flatMap(({ resource, kind, namespaced }) => [
          { name: resource, kind, namespaced, verbs: ["get"] },
          { name: `${resource}/status`, kind, namespaced, verbs: ["get"] },
        ]),
      });
}
