import { crd } from "./kinds.ts";
import type { Json, RowContext } from "./row.ts";

/** A request that takes a body of a kind. */
export interface Endpoint {
  readonly method: "POST" | "PUT" | "DELETE";
  readonly path: string;
  /** A body that states its kind. */
  readonly full: Json;
}

interface ApiResource {
  readonly name: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

/** Returns a request for each resource without storage, and each subresource that takes a body, of the built-in groups. */
export async function endpointsOf(context: RowContext): Promise<readonly Endpoint[]> {
  return resourcesOf(context, takesBody, endpointOf);
}

/** Returns an update of an absent object for each resource with storage of the built-in groups. */
export async function storedEndpointsOf(context: RowContext): Promise<readonly Endpoint[]> {
  const isStored = ({ name, verbs }: ApiResource): boolean => !name.includes("/") && verbs.includes("update");
  return resourcesOf(context, isStored, (resource, { folder, version, namespace }) => {
    const scope = resource.namespaced ? `${folder}/namespaces/${namespace}` : folder;
    const full = { apiVersion: version, kind: resource.kind, metadata: { name: "absent" } };
    return { method: "PUT", path: `${scope}/${resource.name}/absent`, full };
  });
}

interface Place {
  readonly folder: string;
  readonly version: string;
  readonly namespace: string;
}

async function resourcesOf(
  { namespace, quietly }: RowContext,
  isWanted: (resource: ApiResource) => boolean,
  toEndpoint: (resource: ApiResource, place: Place) => Endpoint,
): Promise<readonly Endpoint[]> {
  const { body } = await quietly({ path: "/apis" });
  const { groups } = body as { readonly groups: readonly { readonly versions: readonly { groupVersion: string }[] }[] };
  const served = groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => groupVersion));
  const versions = ["v1", ...served.filter((each) => isBuiltIn(each)).sort()];
  const endpoints: Endpoint[] = [];
  for (const version of versions) {
    const folder = version === "v1" ? "/api/v1" : `/apis/${version}`;
    const list = (await quietly({ path: folder })).body as { readonly resources: readonly ApiResource[] };
    const wanted = list.resources.filter((each) => isWanted(each)).sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const resource of wanted) endpoints.push(toEndpoint(resource, { folder, version, namespace }));
  }
  return endpoints;
}

function isBuiltIn(groupVersion: string): boolean {
  return !groupVersion.includes("example.com") && !groupVersion.startsWith("metrics.k8s.io/");
}

// Proxies and streams pass their bodies on.
function takesBody({ name, verbs }: ApiResource): boolean {
  if (/\/(?:proxy|exec|attach|portforward)$/u.test(name)) return false;
  return name.includes("/") ? verbs.includes("update") || verbs.includes("create") : !verbs.includes("get");
}

function endpointOf(resource: ApiResource, { folder, version, namespace }: Place): Endpoint {
  const [plural = "", subresource] = resource.name.split("/");
  const kindVersion = [resource.group ?? "", resource.version ?? ""].filter((part) => part !== "").join("/");
  const scope = resource.namespaced ? `${folder}/namespaces/${namespace}` : folder;
  const path = subresource === undefined ? `${scope}/${plural}` : `${scope}/${plural}/absent/${subresource}`;
  const spec = SPECS[resource.kind]?.(namespace);
  return {
    method: resource.verbs.includes("create") ? "POST" : "PUT",
    path,
    full: {
      apiVersion: kindVersion === "" ? version : kindVersion,
      kind: resource.kind,
      metadata: subresource === undefined ? {} : { name: "absent" },
      ...(spec === undefined ? {} : { spec }),
    },
  };
}

const ATTRIBUTES = (namespace: string): Json => ({ verb: "get", resource: "pods", namespace });
const SPECS: Readonly<Record<string, (namespace: string) => Json>> = {
  SelfSubjectAccessReview: (namespace) => ({ resourceAttributes: ATTRIBUTES(namespace) }),
  SubjectAccessReview: (namespace) => ({ user: "ann", resourceAttributes: ATTRIBUTES(namespace) }),
  LocalSubjectAccessReview: (namespace) => ({ user: "ann", resourceAttributes: ATTRIBUTES(namespace) }),
  SelfSubjectRulesReview: (namespace) => ({ namespace }),
  TokenReview: () => ({ token: "unknown" }),
};

interface TypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Returns a message without fields in the envelope of protocol buffers, which states as much of its kind as is given. */
export function closeEnvelope({ apiVersion = "", kind = "" }: Partial<TypeMeta>): Uint8Array<ArrayBuffer> {
  const typeMeta = Buffer.concat([field(1, Buffer.from(apiVersion)), field(2, Buffer.from(kind))]);
  return Buffer.concat([Buffer.from("k8s\0", "latin1"), field(1, typeMeta), field(2, Buffer.alloc(0))]);
}

function field(number: number, bytes: Buffer): Buffer<ArrayBuffer> {
  return Buffer.concat([Buffer.of(number * 8 + 2, bytes.length), bytes]);
}

/** Returns the definition of a custom resource with a status and a scale. */
export function definition(group: string): Json {
  const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const base = crd({ group, kind: "Pump", schema: {} }) as { readonly spec: Json };
  const subresources = {
    status: {},
    scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
  };
  const versions = [{ name: "v1", served: true, storage: true, subresources, schema: { openAPIV3Schema: schema } }];
  return { ...base, spec: { ...base.spec, versions } };
}
