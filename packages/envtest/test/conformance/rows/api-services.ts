import { type ExtensionServer, startExtensionServer } from "../extension-server.ts";
import { pathOf } from "../kinds.ts";
import { type Answer, objectOf, type Json, type Row, type RowContext } from "../row.ts";
import { upgrade } from "../web-socket.ts";

const API_SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";
const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

export const API_SERVICE_ROWS: readonly Row[] = [
  {
    row: 400,
    title: "requests for the group version of an APIService reach the server of its Service with their user in headers",
    run: async (tools) => {
      const { send, note, user, quietly, namespace } = tools;
      const { group, server } = await startExtension(tools);
      const root = `/apis/${group}/v1`;
      note("the status", objectOf(await quietly({ path: `${API_SERVICES}/v1.${group}` })).status);
      const collection = `${root}/namespaces/${namespace}/tokens`;
      const calls = {
        get: { path: `${collection}/one?pretty=true&x=a+b` },
        "a path of another form": { path: `${collection}/a%20b%2Fc/` },
        create: { method: "POST", path: collection, body: { kind: "Token", metadata: { name: "one" } } },
        "as another user": {
          path: `${collection}/one`,
          headers: {
            "impersonate-user": "jane",
            "impersonate-group": "one",
            "impersonate-uid": "7",
            "impersonate-extra-scopes%2fa": "view",
            "x-remote-user": "eve",
            "x-remote-group": "system:masters",
            "x-remote-extra-more": "rights",
            "x-own": "kept",
            "audit-id": "chosen",
          },
        },
        missing: { path: `${collection}/missing` },
        moved: { path: `${collection}/moved` },
        empty: { path: `${collection}/empty` },
        cross: { path: `${collection}/cross` },
        broken: { path: `${collection}/broken` },
        "the version": { path: root },
      } as const;
      // Rights of the impersonated user.
      await bind(tools, { name: "jane", rule: { apiGroups: [group], resources: ["tokens"], verbs: ["get"] } });
      for (const [step, call] of Object.entries(calls)) {
        server.takeCalls();
        const answer = await send(step, {
          ...call,
          headers: { ...AS_ROOT, ...("headers" in call ? call.headers : {}) },
        });
        note(`headers of ${step}`, responseHeaders(answer));
        // A request whose connection breaks is sent several times.
        if (step !== "broken") note(`what arrived for ${step}`, server.takeCalls().map(callFact));
      }
      const alice = await user("row-400-alice");
      await send("without rights", { path: collection, as: alice });
      await bind(tools, {
        name: "row-400-alice",
        rule: { apiGroups: [group], resources: ["tokens"], verbs: ["list"] },
      });
      await tools.eventually({ path: collection, as: alice }, ({ status }) => status === 200);
      await send("with rights", { path: collection, as: alice });
      await send("another verb", { method: "DELETE", path: collection, as: alice });
    },
  },
  {
    row: 401,
    title: "the groups of other servers are part of discovery and OpenAPI",
    run: async (tools) => {
      for (const isModern of [false, true]) {
        const { group, server, remove } = await startExtension(tools, isModern);
        const step = isModern ? "of a server with documents" : "of a server without";
        const isListed = ({ body }: Answer): boolean => JSON.stringify(groupOf(body, group) ?? {}).includes("tokens");
        const aggregated = { path: "/apis", headers: { accept: AGGREGATED } };
        const { body } = await tools.eventually(aggregated, isListed);
        tools.note(`the entry ${step}`, groupOf(body, group));
        const list = objectOf(await tools.quietly({ path: "/apis" }))["groups"] as readonly Json[];
        tools.note(
          `the group ${step}`,
          list.find(({ name }) => name === group),
        );
        await tools.send(`the group alone ${step}`, { path: `/apis/${group}` });
        if (isModern) {
          const index = await tools.eventually({ path: "/openapi/v3" }, (answer) =>
            Object.hasOwn(objectOf(answer)["paths"] as Json, `apis/${group}/v1`),
          );
          tools.note(`the document ${step}`, (objectOf(index)["paths"] as Json)[`apis/${group}/v1`]);
          await tools.send(`the contents ${step}`, { path: `/openapi/v3/apis/${group}/v1` });
        }
        const root = objectOf(await tools.quietly({ path: "/" }))["paths"] as readonly string[];
        tools.note(
          `the paths ${step}`,
          root.filter((path) => path.includes(group)),
        );
        await remove();
        await tools.eventually({ path: `/apis/${group}` }, ({ status }) => status === 404);
        await tools.send(`the group after its end ${step}`, { path: `/apis/${group}` });
        await server.close();
      }
    },
  },
  {
    row: 402,
    title: "the condition Available tells why a server cannot be reached, and its requests fail with 503",
    isAlone: true,
    needs: ["controllers"],
    run: async (tools) => {
      const { namespace, quietly, send, note, eventually } = tools;
      const group = `${namespace}.example.com`;
      const services = pathOf("services", namespace);
      const path = `${API_SERVICES}/v1.${group}`;
      await createApiService(tools, group, { service: { namespace, name: "extension" } });
      const reason = async (wanted: string): Promise<void> => {
        await eventually({ path }, (answer) => JSON.stringify(answer.body).includes(wanted));
        note(wanted, conditionsOf(await quietly({ path }))[0]);
      };
      await reason("ServiceNotFound");
      await send("a request", { path: `/apis/${group}/v1/tokens` });
      await send("its discovery", { path: `/apis/${group}/v1` });
      const { body } = await eventually({ path: "/apis", headers: { accept: AGGREGATED } }, (answer) =>
        JSON.stringify(groupOf(answer.body, group) ?? {}).includes("Stale"),
      );
      note("the entry", groupOf(body, group));
      const service = { apiVersion: "v1", kind: "Service", metadata: { name: "extension" } };
      const create = async (spec: Json): Promise<void> => {
        await quietly({ method: "DELETE", path: `${services}/extension` });
        await quietly({ method: "POST", path: services, body: { ...service, spec } });
      };
      await create({ ports: [{ port: 8443 }] });
      await reason("ServicePortError");
      await create({ ports: [{ port: 443, name: "api" }] });
      await reason("EndpointsNotFound");
      const slice = {
        apiVersion: "discovery.k8s.io/v1",
        kind: "EndpointSlice",
        metadata: { name: "extension", labels: { "kubernetes.io/service-name": "extension" } },
        addressType: "IPv4",
        endpoints: [],
        ports: [{ name: "api", port: 443, protocol: "TCP" }],
      };
      await quietly({ method: "POST", path: slicesOf(namespace), body: slice });
      await reason("MissingEndpoints");
      await quietly({ method: "DELETE", path: `${slicesOf(namespace)}/extension` });
      await create({ type: "ExternalName", externalName: "127.0.0.1" });
      const [server, closed] = [await extensionServer(tools, "other.example.com"), await extensionServer(tools, group)];
      await closed.close();
      await replaceSpec(tools, group, { service: { namespace, name: "extension", port: server.port } });
      await reason("bad status");
      await replaceSpec(tools, group, { service: { namespace, name: "extension", port: closed.port } });
      await reason("connection refused");
      await send("a request to a closed port", { path: `/apis/${group}/v1/tokens` });
    },
  },
  {
    row: 403,
    title: "the certificate of another server is verified for requests, and not for its availability",
    run: async (tools) => {
      const { namespace, quietly, note } = tools;
      const { group, server } = await startExtension(tools);
      const other = await extensionServer(tools, group, "other.svc");
      const path = `/apis/${group}/v1/namespaces/${namespace}/tokens`;
      const service = { namespace, name: "extension", port: server.port };
      const specs: Readonly<Record<string, Json>> = {
        "of another authority": { service, caBundle: other.caBundle },
        "of another name": { service: { ...service, port: other.port }, caBundle: other.caBundle },
        "of an unknown authority": { service },
        "that is not verified": { service, insecureSkipTLSVerify: true },
      };
      for (const [step, spec] of Object.entries(specs)) {
        await replaceSpec(tools, group, spec);
        const answer = await tools.eventually({ path }, isSettled(step));
        note(`a certificate ${step}`, { status: answer.status, body: answer.body });
      }
      note("the status", objectOf(await quietly({ path: `${API_SERVICES}/v1.${group}` })).status);
    },
  },
  {
    row: 404,
    title: "APIServices are validated, and those without a Service are available at once",
    run: async ({ send, note, quietly, cleanUp, namespace }) => {
      const group = `${namespace}.example.com`;
      cleanUp(async () => await quietly({ method: "DELETE", path: `${API_SERVICES}/v1.${group}` }));
      const create = async (step: string, name: string, spec: Json, metadata: Json = {}): Promise<void> => {
        const body = {
          apiVersion: "apiregistration.k8s.io/v1",
          kind: "APIService",
          metadata: { name, ...metadata },
          spec,
        };
        await send(step, { method: "POST", path: API_SERVICES, body });
      };
      const valid = { group, version: "v1", groupPriorityMinimum: 10, versionPriority: 10 };
      const service = { namespace: "default", name: "s" };
      await create("another name", "v1.other", valid);
      await create("a name that is no segment", "v1%", valid);
      await create("nothing", "v1.", {});
      await create("no group", "v2.", { version: "v2", groupPriorityMinimum: 10, versionPriority: 10 });
      await create("a group that is no domain", "v1.A_b", { ...valid, group: "A_b" });
      await create("a version that is no label", `1.${group}`, { ...valid, version: "1" });
      await create("priorities out of range", `v1.${group}`, {
        ...valid,
        groupPriorityMinimum: 20_001,
        versionPriority: 1001,
      });
      await create("certificates of a local one", `v1.${group}`, {
        ...valid,
        caBundle: "YWJj",
        insecureSkipTLSVerify: true,
      });
      await create("an empty service", `v1.${group}`, { ...valid, service: {} });
      await create("a port out of range", `v1.${group}`, { ...valid, service: { ...service, port: 70_000 } });
      await create("certificates that are not verified", `v1.${group}`, {
        ...valid,
        service,
        caBundle: "YWJj",
        insecureSkipTLSVerify: true,
      });
      await create("a valid one", `v1.${group}`, valid, { labels: { a: "b" } });
      const path = `${API_SERVICES}/v1.${group}`;
      const stored = objectOf(await quietly({ path }));
      const { resourceVersion: _, ...unversioned } = stored.metadata;
      await send("an update without a version", { method: "PUT", path, body: { ...stored, metadata: unversioned } });
      await send("another group", {
        method: "PATCH",
        path,
        contentType: "application/merge-patch+json",
        body: { spec: { group: "other.example.com" } },
      });
      await send("an unknown condition status", {
        method: "PATCH",
        path: `${path}/status`,
        contentType: "application/merge-patch+json",
        body: { metadata: { labels: { a: "c" } }, status: { conditions: [{ type: "Available", status: "Maybe" }] } },
      });
      await send("labels by the status", {
        method: "PATCH",
        path: `${path}/status`,
        contentType: "application/merge-patch+json",
        body: { metadata: { labels: { a: "c" }, annotations: { d: "e" } } },
      });
      const table = await quietly({ path, headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" } });
      const [row] = objectOf(table)["rows"] as readonly { readonly cells: readonly unknown[] }[];
      note("a table", row?.cells.slice(0, -1));
    },
  },
  {
    row: 405,
    title: "definitions have an APIService for each version that they serve",
    run: async (tools) => {
      const { namespace, quietly, send, note, eventually, cleanUp } = tools;
      const group = `${namespace}.example.com`;
      const definition = definitionOf(group);
      const name = `things.${group}`;
      cleanUp(async () => await quietly({ method: "DELETE", path: `${DEFINITIONS}/${name}` }));
      await quietly({ method: "POST", path: DEFINITIONS, body: definition });
      const first = { path: `${API_SERVICES}/v1.${group}` };
      const second = { path: `${API_SERVICES}/v1beta1.${group}` };
      await eventually(first, ({ status }) => status === 200);
      await send("the first version", first);
      await eventually(second, ({ status }) => status === 200);
      const { uid } = objectOf(await quietly(first)).metadata;
      await quietly({ ...first, method: "DELETE" });
      await eventually(
        first,
        ({ status, body }) => status === 200 && objectOf({ body } as Answer).metadata.uid !== uid,
      );
      note("a deleted one is created again", (await quietly(first)).status);
      const patch = { method: "PATCH", contentType: "application/merge-patch+json" } as const;
      await quietly({ ...first, ...patch, body: { spec: { versionPriority: 7 } } });
      await eventually(first, (answer) => objectOf(answer).spec?.["versionPriority"] === 100);
      note("a changed one is restored", objectOf(await quietly(first)).spec);
      const versions = definition.spec.versions.map((version) => ({ ...version, served: version.name === "v1" }));
      await quietly({ ...patch, path: `${DEFINITIONS}/${name}`, body: { spec: { versions } } });
      await eventually(second, ({ status }) => status === 404);
      await send("a version that is no longer served", second);
      await quietly({ method: "DELETE", path: `${DEFINITIONS}/${name}` });
      await eventually(first, ({ status }) => status === 404);
      await send("after the definition", first);
    },
  },
  {
    row: 406,
    title: "watches and upgraded connections reach the server of an APIService",
    run: async (tools) => {
      const { namespace, note, watch, admin } = tools;
      const { group } = await startExtension(tools);
      const path = `/apis/${group}/v1/namespaces/${namespace}/tokens`;
      const stream = await watch(`${path}?watch=true`);
      note("events", await stream.take(2));
      for (const [step, headers] of Object.entries({
        "a connection": {},
        "a connection with protocols": { "sec-websocket-protocol": "one, two" },
      })) {
        const answer = await upgrade(admin, { path: `${path}/one`, headers: { ...AS_ROOT, ...headers } });
        if (answer.kind === "refused") {
          note(step, { status: answer.status, text: answer.text });
          continue;
        }
        const frame = await answer.socket.next();
        note(step, { protocol: answer.protocol, text: frame?.payload.toString("utf8") });
        answer.socket.close();
      }
      const refused = await upgrade(admin, { path: `${path}/refused` });
      note("a refused one", refused.kind === "refused" ? { status: refused.status, text: refused.text } : "upgraded");
    },
  },
];

interface Extension {
  readonly group: string;
  readonly server: ExtensionServer;
  readonly remove: () => Promise<unknown>;
}

// A Service with an external name leads to loopback on both servers.
async function startExtension(tools: RowContext, isModern: boolean = false): Promise<Extension> {
  const { namespace, quietly, eventually } = tools;
  const group = `${namespace}${isModern ? "-modern" : ""}.example.com`;
  const server = await extensionServer(tools, group, `extension.${namespace}.svc`, isModern);
  const spec = { type: "ExternalName", externalName: "127.0.0.1" };
  const service = { apiVersion: "v1", kind: "Service", metadata: { name: "extension" }, spec };
  await quietly({ method: "POST", path: pathOf("services", namespace), body: service });
  const reference = { namespace, name: "extension", port: server.port };
  await createApiService(tools, group, { service: reference, caBundle: server.caBundle });
  await eventually({ path: `/apis/${group}/v1` }, ({ status }) => status === 200);
  return {
    group,
    server,
    remove: async () => await quietly({ method: "DELETE", path: `${API_SERVICES}/v1.${group}` }),
  };
}

async function extensionServer(
  { cleanUp }: RowContext,
  group: string,
  dnsName: string = "extension.svc",
  isModern: boolean = false,
): Promise<ExtensionServer> {
  const server = await startExtensionServer({ group, dnsNames: [dnsName], isModern });
  cleanUp(async () => await server.close());
  return server;
}

async function createApiService({ quietly, cleanUp }: RowContext, group: string, spec: Json): Promise<void> {
  const path = `${API_SERVICES}/v1.${group}`;
  cleanUp(async () => await quietly({ method: "DELETE", path }));
  await quietly({ method: "POST", path: API_SERVICES, body: apiService(group, spec) });
}

// The server writes the status meanwhile, so a version may be old by the time of the replacement.
async function replaceSpec({ quietly }: RowContext, group: string, spec: Json): Promise<void> {
  const path = `${API_SERVICES}/v1.${group}`;
  const object = apiService(group, spec);
  for (;;) {
    const { metadata } = objectOf(await quietly({ path }));
    const { resourceVersion } = metadata;
    const body = { ...object, metadata: { name: metadata.name, resourceVersion } };
    const { status } = await quietly({ method: "PUT", path, body });
    if (status !== 409) return;
  }
}

function apiService(group: string, spec: Json): Json {
  return {
    apiVersion: "apiregistration.k8s.io/v1",
    kind: "APIService",
    metadata: { name: `v1.${group}` },
    spec: { group, version: "v1", groupPriorityMinimum: 1000, versionPriority: 15, ...spec },
  };
}

function definitionOf(group: string) {
  const schema = { openAPIV3Schema: { type: "object" } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "things", kind: "Thing" },
      versions: [
        { name: "v1", served: true, storage: true, schema },
        { name: "v1beta1", served: true, storage: false, schema },
      ],
    },
  };
}

function conditionsOf(answer: Answer): readonly Json[] {
  return (objectOf(answer).status?.["conditions"] ?? []) as readonly Json[];
}

function groupOf(body: unknown, group: string): unknown {
  const { items = [] } = body as { readonly items?: readonly { readonly metadata: { readonly name?: string } }[] };
  return items.find(({ metadata }) => metadata.name === group);
}

// The state that the server reaches after the APIService has changed.
function isSettled(step: string): (answer: Answer) => boolean {
  const texts: Readonly<Record<string, string>> = {
    "of another authority": "unknown authority",
    "of another name": "certificate is valid for",
    "of an unknown authority": "unknown authority",
  };
  return ({ status, body }) => (texts[step] === undefined ? status === 200 : String(body).includes(texts[step]));
}

// Administrators have other names on each server.
const AS_ROOT = { "impersonate-user": "root", "impersonate-group": "system:masters" } as const;

const VARYING: ReadonlySet<string> = new Set([
  "audit-id",
  "connection",
  "content-length",
  "date",
  "keep-alive",
  "transfer-encoding",
]);

function responseHeaders({ headers }: Answer): Json {
  const shown = [...headers].filter(([name]) => !VARYING.has(name) && !name.startsWith("x-kubernetes-pf-"));
  return Object.fromEntries(shown.sort(([left], [right]) => (left < right ? -1 : 1)));
}

function callFact({ method, url, headers, body }: ReturnType<ExtensionServer["takeCalls"]>[number]): Json {
  const shown = Object.entries(headers).filter(([name]) => SHOWN.test(name));
  return {
    method,
    url,
    body,
    headers: Object.fromEntries(shown.sort(([left], [right]) => (left < right ? -1 : 1))),
    hasAuditId: headers["audit-id"] !== undefined,
    isChosen: headers["audit-id"]?.[0] === "chosen",
  };
}

const SHOWN = /^(?:x-.*|accept|authorization|content-type|host|impersonate-.*)$/u;

async function bind({ quietly, cleanUp }: RowContext, { name, rule }: { name: string; rule: Json }): Promise<void> {
  const rbac = "/apis/rbac.authorization.k8s.io/v1";
  const role = `row-400-${name}`;
  for (const kind of ["clusterroles", "clusterrolebindings"])
    cleanUp(async () => await quietly({ method: "DELETE", path: `${rbac}/${kind}/${role}` }));
  await quietly({ method: "POST", path: `${rbac}/clusterroles`, body: { metadata: { name: role }, rules: [rule] } });
  const apiGroup = "rbac.authorization.k8s.io";
  await quietly({
    method: "POST",
    path: `${rbac}/clusterrolebindings`,
    body: {
      metadata: { name: role },
      roleRef: { apiGroup, kind: "ClusterRole", name: role },
      subjects: [{ apiGroup, kind: "User", name }],
    },
  });
}

function slicesOf(namespace: string): string {
  return `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`;
}
