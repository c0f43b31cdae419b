import { crd } from "../kinds.ts";
import type { Json, Row, RowContext } from "../row.ts";
import { startWebhookServer, type WebhookCall, type WebhookReply, type WebhookServer } from "../webhook-server.ts";
import { CRDS_PATH, installCrd } from "./install-crd.ts";
import { untilCached } from "./until-cached.ts";

const MERGE = "application/merge-patch+json";
const CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1";
const GROUP = "row130.example.com";

export const EQUIVALENT_VERSION_ROWS: readonly Row[] = [
  {
    row: 130,
    title:
      "a webhook sees a write in the version that its rules name, and what it patches comes back in that of the request",
    run: async (context) => {
      const server = await startWebhookServer((call) => answer(call));
      context.cleanUp(() => server.close());
      await serve(context, server);
      const tell = telling(context, server);
      for (const [ruled, written] of [
        ["v1", "v2"],
        ["v2", "v1"],
      ] as const) {
        await configure(context, server, { version: ruled, matchPolicy: "Equivalent" });
        const name = `in-${written}`;
        const path = pathOf(context, written, name);
        await tell(`create ${name}`, { method: "POST", path: pathOf(context, written), body: pump(written, name) });
        await tell(`patch ${name}`, { method: "PATCH", path, body: { spec: { replicas: 2 } }, contentType: MERGE });
        const ready = { method: "PATCH", body: { status: { ready: true } }, contentType: MERGE } as const;
        await tell(`status of ${name}`, { ...ready, path: `${path}/status` });
        const scaled = { method: "PATCH", body: { spec: { replicas: 5 } }, contentType: MERGE } as const;
        await tell(`scale of ${name}`, { ...scaled, path: `${path}/scale` });
        await tell(`delete ${name}`, { method: "DELETE", path });
      }
      const broken = pump("v1", "broken");
      await tell("what cannot be converted", { method: "POST", path: pathOf(context, "v1"), body: broken });
      await configure(context, server, { version: "v2", matchPolicy: "Equivalent", type: "Validating" });
      await tell("what cannot be converted to be validated", {
        method: "POST",
        path: pathOf(context, "v1"),
        body: broken,
      });
      await tell("a dry run that is validated", {
        method: "POST",
        path: `${pathOf(context, "v1")}?dryRun=All`,
        body: pump("v1", "dry"),
      });
      await configure(context, server, { version: "v2", matchPolicy: "Exact" });
      await tell("a policy that is exact", { method: "POST", path: pathOf(context, "v1"), body: pump("v1", "exact") });
    },
  },
];

type Call = Parameters<RowContext["quietly"]>[0];

// Sends a request, and notes what the webhook was asked on the way.
function telling(context: RowContext, server: WebhookServer): (step: string, call: Call) => Promise<void> {
  return async (step, call) => {
    server.takeCalls();
    const answer = await context.send(step, call);
    const asked = server.takeCalls().filter(({ url }) => !url.startsWith("/convert"));
    context.note(`${step}: asked`, asked.map(told));
    await untilCached(context, call, answer);
  };
}

function told({ review: { request } }: WebhookCall): Json {
  const shown = (object: unknown): unknown => {
    if (object === null || object === undefined) return object;
    const { apiVersion, kind, spec, status } = object as Json;
    return JSON.parse(JSON.stringify({ apiVersion, kind, spec, status })) as unknown;
  };
  const { kind, resource, subResource, requestKind, requestResource, requestSubResource, operation } = request;
  const asked = { kind, resource, subResource, requestKind, requestResource, requestSubResource, operation };
  const objects = { object: shown(request["object"]), oldObject: shown(request["oldObject"]) };
  return JSON.parse(JSON.stringify({ ...asked, ...objects })) as Json;
}

async function serve(context: RowContext, { url, caBundle }: WebhookServer): Promise<void> {
  const definition = crd({ group: GROUP, kind: "Pump", schema: {} }) as { readonly spec: Json };
  const version = (name: string, spec: Json): Json => ({
    name,
    served: true,
    storage: name === "v1",
    subresources: { status: {}, scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" } },
    schema: {
      openAPIV3Schema: {
        type: "object",
        properties: {
          spec: { type: "object", properties: { ...spec, replicas: { type: "integer" }, seen: { type: "string" } } },
          status: { type: "object", properties: { ready: { type: "boolean" }, replicas: { type: "integer" } } },
        },
      },
    },
  });
  const versions = [
    version("v1", { host: { type: "string" }, old: { type: "string", default: "o" } }),
    version("v2", { address: { type: "string" }, extra: { type: "string", default: "e" } }),
  ];
  const clientConfig = { url: `${url}/convert`, caBundle };
  const conversion = { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1"], clientConfig } };
  await installCrd(context, { ...definition, spec: { ...definition.spec, conversion, versions } });
  await context.eventually({ path: pathOf(context, "v2") }, ({ status }) => status === 200);
  // A real server knows which versions are the same a moment after it serves them.
  await context.eventually({ path: `${CRDS_PATH}/pumps.${GROUP}` }, ({ status }) => status === 200);
}

async function configure(
  { namespace, quietly, eventually, cleanUp }: RowContext,
  server: WebhookServer,
  {
    version,
    matchPolicy,
    type = "Mutating",
  }: { readonly version: string; readonly matchPolicy: string; readonly type?: "Mutating" | "Validating" },
): Promise<void> {
  const path = `/${type.toLowerCase()}-${version}-${matchPolicy.toLowerCase()}`;
  const resources = ["pumps", "pumps/status", "pumps/scale"];
  const operations = ["CREATE", "UPDATE", "DELETE"];
  const name = `pumps-${namespace}`;
  const webhook = {
    name: "pumps.example.com",
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
    clientConfig: { url: `${server.url}${path}`, caBundle: server.caBundle },
    rules: [{ apiGroups: [GROUP], apiVersions: [version], resources, operations }],
    matchPolicy,
  };
  const body = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: `${type}WebhookConfiguration`,
    metadata: { name },
    webhooks: [webhook],
  };
  const remove = async (): Promise<void> => {
    for (const each of ["mutating", "validating"])
      await quietly({ method: "DELETE", path: `${CONFIGURATIONS}/${each}webhookconfigurations/${name}` });
  };
  await remove();
  await quietly({ method: "POST", path: `${CONFIGURATIONS}/${type.toLowerCase()}webhookconfigurations`, body });
  cleanUp(remove);
  const folder = `/apis/${GROUP}/${version}/namespaces/${namespace}/pumps`;
  const probe = { method: "POST", path: `${folder}?dryRun=All`, body: pump(version, "probe") } as const;
  // A real server learns of the two kinds of configuration apart: the old one is gone when nothing else is asked.
  await eventually(probe, () => {
    const asked = server.takeCalls().filter(({ url }) => !url.startsWith("/convert"));
    return asked.length > 0 && asked.every(({ url }) => url.startsWith(path));
  });
}

function pathOf({ namespace }: RowContext, version: string, name = ""): string {
  return `/apis/${GROUP}/${version}/namespaces/${namespace}/pumps${name === "" ? "" : `/${name}`}`;
}

function pump(version: string, name: string): Json {
  const spec = version === "v1" ? { host: "h" } : { address: "a" };
  return { apiVersion: `${GROUP}/${version}`, kind: "Pump", metadata: { name }, spec: { ...spec, replicas: 1 } };
}

function answer(call: WebhookCall): WebhookReply {
  return call.url.startsWith("/convert") ? conversion(call) : admission(call);
}

function admission({ url, review: { request } }: WebhookCall): WebhookReply {
  const changes =
    url.startsWith("/mutating") && (request["subResource"] ?? "") === "" && request["operation"] !== "DELETE";
  const patch = Buffer.from(JSON.stringify([{ op: "add", path: "/spec/seen", value: url.split("?")[0] }]));
  return {
    kind: "response",
    response: { allowed: true, ...(changes ? { patchType: "JSONPatch", patch: patch.toString("base64") } : {}) },
  };
}

interface Convertible extends Json {
  readonly metadata: { readonly name: string };
  readonly spec: Json;
}

function conversion({ review }: WebhookCall): WebhookReply {
  const { uid, desiredAPIVersion, objects } = review.request as unknown as {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly Convertible[];
  };
  const isBroken = objects.some(({ metadata }) => metadata.name === "broken");
  const result = isBroken ? { status: "Failed", message: "this pump has no pipe" } : { status: "Success" };
  const convertedObjects = isBroken ? [] : objects.map((object) => converted(object, desiredAPIVersion));
  const { apiVersion, kind } = review;
  return {
    kind: "raw",
    status: 200,
    body: JSON.stringify({ apiVersion, kind, response: { uid, result, convertedObjects } }),
  };
}

function converted({ spec, ...object }: Convertible, apiVersion: string): Json {
  const { host, address, old: _old, extra: _extra, ...common } = spec;
  const own = apiVersion.endsWith("v1") ? { host: address } : { address: host };
  return { ...object, apiVersion, spec: { ...common, ...own } };
}
