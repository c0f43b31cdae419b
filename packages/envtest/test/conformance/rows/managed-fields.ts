import type { ManagedFieldsEntry } from "@kubescaffold/k8s/meta/v1";

import { configMap, pathOf, widget } from "../kinds.ts";
import { objectOf, type Answer, type Call, type Json, type Row, type RowContext } from "../row.ts";
import { startWebhookServer, type WebhookServer } from "../webhook-server.ts";
import { CREATED_OBJECTS } from "./created-objects.ts";

const MERGE = "application/merge-patch+json";
const STRATEGIC = "application/strategic-merge-patch+json";
const JSON_PATCH = "application/json-patch+json";
const APPLY = "application/apply-patch+yaml";

/** Rows about the owners of fields that are recorded with every write. */
export const MANAGED_FIELDS_ROWS: readonly Row[] = [
  {
    row: 290,
    title: "a create records what the body states and what defaults add, for every kind",
    run: async (context) => {
      for (const { path, object } of CREATED_OBJECTS) {
        const text = JSON.stringify(object).replaceAll("{namespace}", context.namespace);
        const stated = JSON.parse(text) as Json;
        const body = { ...stated, metadata: { name: "created", ...(stated["metadata"] as Json | undefined) } };
        const place = path.replace("{namespace}", context.namespace);
        const answer = await context.quietly({
          method: "POST",
          path: `${place}?dryRun=All`,
          body,
          headers: { "user-agent": "maker/v1.2 (test)" },
        });
        noteOwners(context, `${String(object["apiVersion"])} ${String(object["kind"])}`, answer);
      }
    },
  },
  {
    row: 516,
    title: "an apply that removes the last element of a list leaves the list to its owner",
    run: async (context) => {
      for (const resource of ["podtemplates", "widgets"] as const) {
        const row = writer(context, resource);
        const collection = pathOf(resource, context.namespace);
        const path = `${collection}/a`;
        const body = (names: readonly string[]): Json =>
          resource === "widgets"
            ? { ...widget("a"), metadata: { name: "a", finalizers: names } }
            : templateWith(names.map((name) => ({ name, value: "1" })));
        const applied = { method: "PATCH", path: `${path}?fieldManager=one`, contentType: APPLY } as const;
        await row("create", { method: "POST", path: `${collection}?fieldManager=two`, body: body(["example.com/x"]) });
        await row("apply", { ...applied, path: `${applied.path}&force=true`, body: body(["example.com/z"]) });
        await row("update", { method: "PUT", path: `${path}?fieldManager=two`, body: body(["example.com/z"]) });
        await row("apply without the list", { ...applied, body: body([]) });
        await row("apply with it again", { ...applied, body: body(["example.com/y"]) });
      }
    },
  },
  {
    row: 291,
    title: "updates and patches of all types move fields to their manager, and what changes nothing does not",
    run: async (context) => {
      for (const resource of ["configmaps", "widgets"] as const) {
        const row = writer(context, resource);
        const first = resource === "widgets" ? widget("a") : configMap("a");
        const part = resource === "widgets" ? "spec" : "data";
        const value = resource === "widgets" ? 2 : "2";
        const field = resource === "widgets" ? "size" : "a";
        const created = await row("create", { method: "POST", path: pathOf(resource, context.namespace), body: first });
        await row("create again", { method: "POST", path: pathOf(resource, context.namespace), body: first });
        const path = pathOf(resource, context.namespace, "a");
        const { resourceVersion } = objectOf(created).metadata;
        const labeled = { ...first, metadata: { name: "a", resourceVersion, labels: { x: "1" } } };
        await row("update by another", { method: "PUT", path: `${path}?fieldManager=editor`, body: labeled });
        const patch = { [part]: { [field]: value } };
        await row("merge patch", { method: "PATCH", path, body: patch, contentType: MERGE, headers: agent("merger") });
        await row("the same again", { method: "PATCH", path, body: patch, contentType: MERGE, headers: agent("idle") });
        const operations = [{ op: "add", path: "/metadata/annotations", value: { note: "n" } }];
        const patched = { method: "PATCH", path, body: operations, contentType: JSON_PATCH } as const;
        await row("json patch", { ...patched, headers: agent("patcher with spaces/1") });
        await row("dry run", { ...patched, path: `${path}?dryRun=All&fieldManager=dry`, body: removal("annotations") });
        await row("what was removed has no owner", { ...patched, body: removal("labels") });
        await row("nothing is left of an owner", { ...patched, body: removal("annotations") });
      }
      const row = writer(context, "configmaps");
      const path = pathOf("configmaps", context.namespace, "a");
      const strategic = { method: "PATCH", path, contentType: STRATEGIC } as const;
      await row("strategic merge patch", {
        ...strategic,
        body: { data: { b: "1" }, metadata: { labels: { y: "2" } } },
      });
      await row("without a user agent", { ...strategic, body: { data: { c: "1" } }, headers: {} });
      const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "x", uid: "u-1" }];
      await row("owner references and finalizers", {
        ...strategic,
        body: { metadata: { ownerReferences, finalizers: ["example.com/hold"] } },
      });
      await row("status", {
        method: "PATCH",
        path: `${pathOf("widgets", context.namespace, "a")}/status`,
        body: { metadata: { labels: { ignored: "1" } }, spec: { size: 9 }, status: { phase: "Ready" } },
        contentType: MERGE,
      });
      await row("cleanup", { ...strategic, body: { metadata: { finalizers: null } } });
    },
  },
  {
    row: 292,
    title: "owners that a request states are stored if they can be read, and an empty entry ends the tracking",
    run: async (context) => {
      const row = writer(context, "configmaps");
      const path = pathOf("configmaps", context.namespace, "a");
      const merge = { method: "PATCH", path, contentType: MERGE } as const;
      const stating = (...managedFields: readonly unknown[]): Json => ({ metadata: { managedFields } });
      await row("create with owners", {
        method: "POST",
        path: pathOf("configmaps", context.namespace),
        body: configMap("a", { a: "1", b: "1" }, { managedFields: [entry({ "f:data": { "f:a": {} } })] }),
      });
      await row("owners", { ...merge, body: stating(entry({ "f:data": { ".": {}, "f:b": {} } })) });
      await row("in disorder", { ...merge, body: stating(entry({ "f:data": { "f:b": {}, "f:a": {} } })) });
      await row("and a change", {
        ...merge,
        body: { data: { c: "1" }, ...stating(entry({ "f:data": { "f:c": {} } })) },
      });
      for (const [step, bad] of Object.entries({
        operation: { operation: "Delete" },
        "no apiVersion": { apiVersion: "" },
        "no fieldsType": { fieldsType: "" },
        fieldsType: { fieldsType: "FieldsV2" },
        "short element": { fieldsV1: { f: {} } },
        "element without a colon": { fieldsV1: { fdata: {} } },
        "element of an unknown type": { fieldsV1: { "x:data": {}, "f:data": {} } },
        "no fields": { fieldsV1: {} },
        "a long manager": { manager: "m".repeat(129) },
        "another version": { apiVersion: "example.com/v1" },
      }))
        await row(`bad ${step}`, { ...merge, body: stating({ ...entry({ "f:data": { "f:a": {} } }), ...bad }) });
      await row("an empty entry", { ...merge, body: stating({}) });
      await row("a change after that", { ...merge, body: { data: { d: "1" } } });
      const applied = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { e: "1" } };
      const apply = { method: "PATCH", path: `${path}?fieldManager=applier`, contentType: APPLY } as const;
      await row("an apply after that", { ...apply, body: applied });
      const empty = [{ op: "add", path: "/metadata/managedFields", value: [] }];
      await row("an empty list", { ...merge, body: empty, contentType: JSON_PATCH });
      await row("create with an empty list", {
        method: "POST",
        path: pathOf("configmaps", context.namespace),
        body: configMap("b", { a: "1" }, { managedFields: [] }),
      });
      const custom = pathOf("widgets", context.namespace, "a");
      await row("a custom resource", { method: "POST", path: pathOf("widgets", context.namespace), body: widget("a") });
      await row("its status cannot", {
        ...merge,
        path: `${custom}/status`,
        body: { ...stating({}), status: { phase: "x" } },
      });
      await row("its empty list", { ...merge, path: custom, body: empty, contentType: JSON_PATCH });
      await row("its empty entry", { ...merge, path: custom, body: stating({}) });
    },
  },
  {
    row: 293,
    title: "the oldest of more than ten managers of updates become one",
    run: async (context) => {
      const row = writer(context, "configmaps");
      const path = pathOf("configmaps", context.namespace, "a");
      await row("create", { method: "POST", path: pathOf("configmaps", context.namespace), body: configMap("a", {}) });
      for (let index = 0; index < 14; index += 1) {
        const body = { data: { [`k${String(index).padStart(2, "0")}`]: "1" } };
        const call = { method: "PATCH", path: `${path}?fieldManager=m${String(index).padStart(2, "0")}` } as const;
        const write = { ...call, body, contentType: MERGE };
        // Times have seconds, and order the managers: all but the last few are of the same second on a fast server.
        if (index < 9) await context.quietly(write);
        else await row(`manager ${String(index)}`, write);
      }
    },
  },
  {
    row: 294,
    title: "what a mutating webhook changes has no owner, and owners that it breaks are restored",
    run: async (context) => {
      const server = await startWebhookServer(({ review }) => {
        const { name } = (review.request["object"] as { metadata: { name: string } }).metadata;
        const broken = [{ op: "replace", path: "/metadata/managedFields/0/operation", value: "Bad" }];
        const added = [{ op: "add", path: "/data/added", value: "1" }];
        const patch = Buffer.from(JSON.stringify(name === "broken" ? broken : added)).toString("base64");
        return { kind: "response", response: { allowed: true, patchType: "JSONPatch", patch } };
      });
      context.cleanUp(async () => server.close());
      await installWebhook(context, server);
      const row = writer(context, "configmaps");
      const path = pathOf("configmaps", context.namespace);
      await row("create", { method: "POST", path, body: configMap("a") });
      await row("patch", { method: "PATCH", path: `${path}/a`, body: { data: { b: "1" } }, contentType: MERGE });
      await row("remove what it adds", {
        method: "PATCH",
        path: `${path}/a`,
        body: { data: { added: null } },
        contentType: MERGE,
      });
      await row("broken owners", { method: "POST", path, body: configMap("broken") });
    },
  },
  {
    row: 295,
    title: "owners are compared in the version in which they wrote",
    run: async (context) => {
      const row = writer(context, "autoscalers");
      const at = (version: string): string =>
        `/apis/autoscaling/${version}/namespaces/${context.namespace}/horizontalpodautoscalers`;
      await row("create in v2", { method: "POST", path: at("v2"), body: AUTOSCALER });
      const merge = { method: "PATCH", contentType: MERGE } as const;
      await row("patch in v1", {
        ...merge,
        path: `${at("v1")}/a?fieldManager=one`,
        body: { spec: { targetCPUUtilizationPercentage: 60, maxReplicas: 6 } },
      });
      await row("patch in v2", {
        ...merge,
        path: `${at("v2")}/a?fieldManager=two`,
        body: { spec: { minReplicas: 3 } },
      });
      await row("read in v1", { path: `${at("v1")}/a` });
      const body = { ...AUTOSCALER, apiVersion: "autoscaling/v1", spec: { ...AUTOSCALER.spec, metrics: undefined } };
      await row("apply in v1", {
        method: "PATCH",
        path: `${at("v1")}/a?fieldManager=applier&force=true`,
        body,
        contentType: APPLY,
      });
    },
  },
];

const AUTOSCALER = {
  apiVersion: "autoscaling/v2",
  kind: "HorizontalPodAutoscaler",
  metadata: { name: "a" },
  spec: {
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "none" },
    maxReplicas: 5,
    metrics: [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } }],
  },
};

function agent(name: string): Readonly<Record<string, string>> {
  return { "user-agent": name };
}

function removal(field: string): readonly Json[] {
  return [{ op: "remove", path: `/metadata/${field}` }];
}

function entry(fieldsV1: Json): Json {
  return {
    manager: "stated",
    operation: "Update",
    apiVersion: "v1",
    time: "2020-01-02T03:04:05Z",
    fieldsType: "FieldsV1",
    fieldsV1,
  };
}

type Write = (step: string, call: Call) => Promise<Answer>;

// Notes status, warnings, and owners of the answer, and whether the version has changed.
function writer(context: RowContext, kind: string): Write {
  let last = "";
  return async (step, call) => {
    const answer = await context.quietly({ headers: agent("tester/v1"), ...call });
    noteOwners(context, `${kind}: ${step}`, answer);
    const version = objectOf(answer).metadata.resourceVersion;
    context.note(`${kind}: ${step}: is a new version`, version !== last);
    last = version;
    return answer;
  };
}

// The controllers of a real control plane write the status whenever they come to it.
function noteOwners({ note }: RowContext, step: string, { status, headers, body }: Answer): void {
  const { metadata, message } = body as { readonly metadata?: Json; readonly message?: string };
  const entries = (metadata?.["managedFields"] ?? []) as readonly ManagedFieldsEntry[];
  const owners = entries
    .filter(({ manager }) => manager !== "kube-controller-manager")
    .map(({ time, ...others }) => ({ ...others, hasTime: time !== undefined }))
    .toSorted((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));
  const warning = headers.get("warning");
  note(step, { status, ...(warning === null ? {} : { warning }), ...(status < 400 ? { owners } : { message }) });
}

function templateWith(env: readonly Json[]): Json {
  const container = { name: "main", image: "i", ...(env.length === 0 ? {} : { env }) };
  return {
    apiVersion: "v1",
    kind: "PodTemplate",
    metadata: { name: "a" },
    template: { spec: { containers: [container] } },
  };
}

function nameOf({ manager, operation, apiVersion, subresource = "" }: ManagedFieldsEntry): string {
  return [manager, operation, apiVersion, subresource].join("/");
}

async function installWebhook(context: RowContext, server: WebhookServer): Promise<void> {
  const path = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
  const { namespace } = context;
  await context.quietly({
    method: "POST",
    path,
    body: {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "MutatingWebhookConfiguration",
      metadata: { name: `${namespace}-owners` },
      webhooks: [
        {
          name: "owners.example.com",
          clientConfig: { url: `${server.url}/mutate`, caBundle: server.caBundle },
          rules: [
            { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: ["configmaps"] },
          ],
          namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
          admissionReviewVersions: ["v1"],
          sideEffects: "None",
        },
      ],
    },
  });
  context.cleanUp(async () => context.quietly({ method: "DELETE", path: `${path}/${namespace}-owners` }));
  const probe = {
    method: "POST",
    path: `${pathOf("configmaps", namespace)}?dryRun=All`,
    body: configMap("probe"),
  } as const;
  await context.eventually(probe, ({ body }) => JSON.stringify(body).includes("added"));
}
