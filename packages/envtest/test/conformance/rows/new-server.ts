import { generateKeyPairSync } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";

import type { FlagRow } from "../flag-row.ts";
import { type Answer, objectOf, type Json, type KubeObject, type RowContext } from "../row.ts";

// The paths, documents, and objects of a server that nobody has written to yet.
export const NEW_SERVER_ROWS: readonly FlagRow[] = [
  {
    row: 450,
    title: "a new server has the paths of OpenAPI documents and the resources of discovery",
    flags: tokenFlags,
    run: async (tools) => {
      await noteDocuments(tools);
      await noteResources(tools);
    },
  },
  {
    row: 451,
    title: "a new server has these objects and no others",
    flags: tokenFlags,
    run: async (tools) => {
      // The server creates some of them after it is ready.
      await tools.eventually({ path: `${LEASES}?labelSelector=${IDENTITY}` }, ({ body }) => itemsIn(body).length > 0);
      await tools.eventually({ path: `${RBAC}/clusterrolebindings/system:node` }, ({ status }) => status === 200);
      for (const { groupVersion, resources } of await resourceLists(tools)) {
        for (const { name, verbs } of resources) {
          if (verbs.includes("list") && !isSeenElsewhere(groupVersion, name))
            await noteObjects(tools, groupVersion, name);
        }
      }
    },
  },
  {
    row: 452,
    title: "a new server answers paths that name no resource",
    flags: tokenFlags,
    run: async ({ send, quietly, note }) => {
      for (const each of PATHS) await send(each, { path: each });
      const { body } = await quietly({ path: "/version" });
      const { major, minor } = objectOf({ body } as Answer);
      note("version", { major, minor, fields: Object.keys(body as Json).sort() });
      const { paths } = objectOf(await quietly({ path: "/" }));
      note("paths", paths);
      for (const each of HTML_PATHS) {
        const { status } = await quietly({ path: each, headers: { accept: "text/html" } });
        note(`${each} as HTML`, status);
      }
    },
  },
  {
    row: 453,
    title: "definitions add their paths to the OpenAPI documents",
    flags: tokenFlags,
    run: async (tools) => {
      for (const definition of DEFINITIONS) {
        await tools.quietly({
          method: "POST",
          path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
          body: definition,
        });
      }
      const wanted = ({ body }: { readonly body: unknown }): boolean => {
        const { paths = {} } = body as { readonly paths?: Json };
        return Object.keys(paths).some((each) => each.includes("gadgets")) && JSON.stringify(paths).includes("widgets");
      };
      await tools.eventually({ path: "/openapi/v3/apis/shop.example.com/v1" }, wanted);
      const { body } = await tools.eventually({ path: "/openapi/v2" }, wanted);
      const index = objectOf(await tools.quietly({ path: "/openapi/v3" }))["paths"] as Json;
      tools.note(
        "documents",
        Object.keys(index).filter((name) => name.includes("shop")),
      );
      for (const [name, paths] of [
        ["version 2", (body as Document).paths],
        ["version 3", objectOf(await tools.quietly({ path: "/openapi/v3/apis/shop.example.com/v1" }))["paths"]],
      ] as const) {
        const own = Object.entries(paths as Document["paths"]).filter(([each]) => each.includes("shop"));
        tools.note(name, operationNames(Object.fromEntries(own)));
      }
    },
  },
];

const LEASES = "/apis/coordination.k8s.io/v1/leases";
const IDENTITY = encodeURIComponent("apiserver.kubernetes.io/identity");
const RBAC = "/apis/rbac.authorization.k8s.io/v1";

const DEFINITIONS = [
  definition("Widget", "Namespaced", {
    status: {},
    scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
  }),
  definition("Gadget", "Cluster", {}),
];

function definition(kind: string, scope: string, subresources: Json): Json {
  const plural = `${kind.toLowerCase()}s`;
  const schema = {
    openAPIV3Schema: {
      type: "object",
      properties: { spec: { type: "object", properties: { replicas: { type: "integer" } } } },
    },
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.shop.example.com` },
    spec: {
      group: "shop.example.com",
      names: { kind, plural },
      scope,
      versions: [{ name: "v1", served: true, storage: true, schema, subresources }],
    },
  };
}

// Keys, without which the issuer of tokens publishes nothing.
/** Returns flags of a server that issues tokens. */
export async function tokenFlags(folder: string): Promise<readonly string[]> {
  const file = path.join(folder, "token.key");
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  await writeFile(file, privateKey.export({ type: "pkcs1", format: "pem" }), { mode: 0o600 });
  return [`--service-account-key-file=${file}`, `--service-account-signing-key-file=${file}`];
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

async function noteDocuments({ quietly, note }: RowContext): Promise<void> {
  const index = objectOf(await quietly({ path: "/openapi/v3" }))["paths"] as Json;
  const all: Record<string, string> = {};
  for (const name of Object.keys(index).sort()) {
    const paths = pathsIn(await quietly({ path: `/openapi/v3/${name}` }));
    note(name, paths);
    Object.assign(all, paths);
  }
  const second = pathsIn(await quietly({ path: "/openapi/v2" }));
  note("paths that only version 3 has", without(all, second));
  note("paths that only version 2 has", without(second, all));
}

function pathsIn({ body }: { readonly body: unknown }): Readonly<Record<string, string>> {
  const { paths } = body as Document;
  const entries = Object.entries(paths).map(([name, operations]): [string, string] => [
    name,
    methodsOf(operations).join(" "),
  ]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function operationNames(paths: Document["paths"]): Json {
  const names = Object.entries(paths).map(([name, operations]): [string, unknown] => [
    name,
    Object.fromEntries(methodsOf(operations).map((method) => [method, operations[method]?.operationId])),
  ]);
  return Object.fromEntries(names.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function methodsOf(operations: Json): readonly string[] {
  return Object.keys(operations)
    .filter((method) => method !== "parameters")
    .sort();
}

function without(all: Readonly<Record<string, string>>, others: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(all).filter((name) => all[name] !== others[name]);
}

interface ResourceList {
  readonly groupVersion: string;
  readonly resources: readonly Resource[];
}

interface Resource {
  readonly name: string;
  readonly verbs: readonly string[];
}

interface Groups {
  readonly groups: readonly { readonly versions: readonly { readonly groupVersion: string }[] }[];
}

async function resourceLists({ quietly }: RowContext): Promise<readonly ResourceList[]> {
  const { groups } = objectOf(await quietly({ path: "/apis" })) as unknown as Groups;
  const paths = [
    "/api/v1",
    ...groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => `/apis/${groupVersion}`)),
  ];
  const lists: ResourceList[] = [];
  for (const each of paths) lists.push(objectOf(await quietly({ path: each })) as unknown as ResourceList);
  return lists;
}

// The hashes of storage versions are no part of the API.
async function noteResources(tools: RowContext): Promise<void> {
  for (const { groupVersion, resources } of await resourceLists(tools)) {
    const lines = resources.map((resource) => {
      const { storageVersionHash: _hash, verbs, ...entry } = resource as Resource & Json;
      return { ...entry, verbs: verbs.join(" ") };
    });
    tools.note(`resources of ${groupVersion}`, lines);
  }
}

// Versions and groups that show the objects of others.
function isSeenElsewhere(groupVersion: string, name: string): boolean {
  return groupVersion === "events.k8s.io/v1" || (groupVersion === "autoscaling/v1" && name.startsWith("horizontal"));
}

async function noteObjects(tools: RowContext, groupVersion: string, resource: string): Promise<void> {
  const place = groupVersion === "v1" ? "/api/v1" : `/apis/${groupVersion}`;
  const { body } = await tools.quietly({ path: `${place}/${resource}` });
  for (const object of itemsIn(body).toSorted(byName)) {
    if (object.metadata.name === tools.namespace) continue;
    tools.note(`${resource} ${placeOf(object)}`, contentOf(object));
  }
}

function itemsIn(body: unknown): readonly KubeObject[] {
  return (body as { readonly items?: readonly KubeObject[] }).items ?? [];
}

function byName(a: KubeObject, b: KubeObject): number {
  return placeOf(a) < placeOf(b) ? -1 : 1;
}

function placeOf({ metadata }: KubeObject): string {
  const namespace = metadata["namespace"] as string | undefined;
  const name = metadata.name.replace(/^apiserver-[a-z0-9]{26}$/u, "apiserver-<hash>");
  return namespace === undefined ? name : `${namespace}/${name}`;
}

// What differs from server to server: its port, its name, and its certificates. The embedded server has its own texts.
function contentOf(object: KubeObject): unknown {
  const { uid: _uid, resourceVersion: _version, creationTimestamp: _time, name: _name, ...metadata } = object.metadata;
  const shown = { ...object, metadata, description: undefined };
  const text = JSON.stringify(shown)
    .replace(/apiserver-[a-z0-9]{26}/gu, "apiserver-<hash>")
    .replace(/"kubernetes\.io\/hostname":"[^"]*"/gu, '"kubernetes.io/hostname":"<host>"')
    .replace(/"targetPort":\d+/gu, '"targetPort":"<port>"')
    .replace(/-----BEGIN CERTIFICATE-----[^"]*/gu, "<certificate>")
    .replace(/\d{4}-\d\d-\d\d(?=")/gu, "<date>")
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/gu, "<time>");
  return JSON.parse(text) as unknown;
}

// Browsers ask for HTML.
const HTML_PATHS = [
  "/",
  "/index.html",
  "/api",
  "/apis",
  "/apis/apps",
  "/version",
  "/healthz",
  "/readyz?verbose",
  "/openapi/v2",
];

const PATHS = [
  "/api",
  "/apis",
  "/healthz",
  "/livez",
  "/readyz",
  "/healthz?verbose",
  "/livez?verbose",
  "/readyz?verbose",
  "/livez?verbose&exclude=etcd",
  "/readyz?verbose&exclude=etcd&exclude=unknown",
  "/healthz?exclude=etcd",
  "/healthz/",
  "/healthz/ping",
  "/livez/etcd",
  "/readyz/informer-sync",
  "/readyz/shutdown",
  "/livez/shutdown",
  "/readyz/unknown",
  "/healthz/poststarthook/rbac/bootstrap-roles",
  "/healthz/autoregister-completion",
  "/openid/v1/jwks/",
  "/.well-known/openid-configuration",
  "/.well-known",
  "/openid",
  "/openid/v1",
  "/openapi",
  "/swagger.json",
  "/swaggerapi",
  "/swagger-2.0.0.pb-v1",
  "/version/x",
  "/ui",
  "/static",
  "/unknown",
  "/api/",
  "/api/v2",
  "/apis/",
  "/apis/unknown",
  "/apis/apps/v2",
  "/apis/apps/v2/deployments",
  "/apis/apps/v2/namespaces/default/deployments",
  "/apis/unknown/v1",
  "/apis/unknown/v1/things",
  "/api/v2/pods",
  "/apis/apps",
  "/logs",
  "/flagz",
  "/statusz",
  "/configz",
  "/metrics/unknown",
] as const;
