import { printLosslessJson } from "@kubescaffold/k8s";

import { crd, pathOf } from "../kinds.ts";
import { objectOf, type Call, type Json, type Row } from "../row.ts";
import { startWebhookServer, type WebhookCall, type WebhookReply } from "../webhook-server.ts";
import { installCrd } from "./install-crd.ts";

const MERGE = "application/merge-patch+json";
const JSON_PATCH = "application/json-patch+json";
const STRATEGIC = "application/strategic-merge-patch+json";
const APPLY = "application/apply-patch+yaml";

/** The first integer that a number cannot hold, and the first and last that a server can. */
const LARGE = 9_007_199_254_740_993n;
const LAST = 2n ** 63n - 1n;
const FIRST = -(2n ** 63n);

export const LARGE_INTEGER_ROWS: readonly Row[] = [
  {
    row: 420,
    title: "integers of 64 bits keep their digits in every request, and larger ones become floats",
    run: async (context) => {
      const { send, note, quietly, watch, namespace } = context;
      const group = "row420.example.com";
      await installCrd(context, counterCrd(group));
      const path = pathsOf(group, namespace);
      const events = await watch(`${path()}?watch=true`);
      await send("create", { method: "POST", path: path(), body: counter(group, "a", { count: LARGE, least: FIRST }) });
      await send("read", { path: path("a") });
      const yaml = await quietly({ path: path("a"), headers: { accept: "application/yaml" } });
      note("as YAML", String(yaml.body).match(/^ {2}(?:count|least|initial): .*$/gmu));
      const table = await quietly({
        path: path("a"),
        headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
      });
      note("as a table", (table.body as { readonly rows: readonly Json[] }).rows[0]?.["cells"]);
      await send("list", { path: path() });
      await send("select", { path: `${path()}?fieldSelector=spec.count%3D${String(LARGE)}` });
      await send("select its neighbor", { path: `${path()}?fieldSelector=spec.count%3D${String(LARGE - 1n)}` });
      const { metadata } = objectOf(await quietly({ path: path("a") }));
      const updated = counter(group, "a", { count: LARGE + 2n, least: FIRST });
      await send("update", {
        method: "PUT",
        path: path("a"),
        body: { ...updated, metadata: { name: "a", resourceVersion: metadata.resourceVersion } },
      });
      await send("merge patch", patch(path("a"), MERGE, { spec: { count: LAST } }));
      await send("a patch that changes nothing", patch(path("a"), MERGE, { spec: { count: LAST } }));
      await send(
        "JSON patch",
        patch(path("a"), JSON_PATCH, [
          { op: "test", path: "/spec/count", value: LAST },
          { op: "replace", path: "/spec/count", value: LARGE },
          { op: "copy", from: "/spec/count", path: "/spec/free" },
        ]),
      );
      await send(
        "a test of a neighbor",
        patch(path("a"), JSON_PATCH, [{ op: "test", path: "/spec/count", value: LAST - 1n }]),
      );
      await send(
        "apply",
        patch(`${path("a")}?fieldManager=x`, APPLY, counter(group, "a", { free: LAST, least: FIRST })),
      );
      await send("a conflict", patch(`${path("a")}?fieldManager=y`, APPLY, counter(group, "a", { free: FIRST })));
      await send("apply in YAML", {
        method: "PATCH",
        path: `${path("b")}?fieldManager=x`,
        text: `apiVersion: ${group}/v1\nkind: Counter\nmetadata:\n  name: b\nspec:\n  count: ${String(LARGE)}\n  free: 0x7fffffffffffffff\n`,
        contentType: APPLY,
      });
      await send("the status", patch(`${path("b")}/status`, MERGE, { status: { seen: LARGE } }));
      await send("beyond 64 bits", patch(path("b"), MERGE, { spec: { free: [LAST + 1n, FIRST - 1n, 2n ** 65n] } }));
      await send("floats", {
        method: "PATCH",
        path: path("b"),
        text: '{"spec":{"free":[1e16,9007199254740993.0,1.5e300]}}',
        contentType: MERGE,
      });
      await send("delete", { method: "DELETE", path: path("b") });
      const seen = (await events.take(9)).map(({ type, object }) => {
        const { spec, status = null } = object as Json;
        return { type, spec, status };
      });
      note("events", seen);
    },
  },
  {
    row: 421,
    title: "integers of 64 bits are validated, compared, and defaulted exactly",
    run: async (context) => {
      const { send } = context;
      const group = "row421.example.com";
      await installCrd(context, counterCrd(group));
      const path = pathsOf(group, context.namespace);
      for (const [step, spec] of Object.entries(CHECKED))
        await send(step, { method: "POST", path: `${path()}?dryRun=All`, body: counter(group, "a", spec) });
      for (const [step, text] of Object.entries(TEXTS)) {
        const body = printLosslessJson(counter(group, "a", { free: "here" })).replace('"free":"here"', text);
        await send(step, { method: "POST", path: `${path()}?dryRun=All`, text: body });
      }
    },
  },
  {
    row: 422,
    title: "webhooks that convert objects receive and return integers of 64 bits",
    run: async (context) => {
      const { send, note, namespace } = context;
      const group = "row422.example.com";
      const server = await startWebhookServer((call) => converted(call));
      context.cleanUp(() => server.close());
      const clientConfig = { url: `${server.url}/convert`, caBundle: server.caBundle };
      const conversion = { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1"], clientConfig } };
      await installCrd(context, counterCrd(group, conversion));
      await context.eventually({ path: pathsOf(group, namespace, "v2")() }, ({ status }) => status === 200);
      server.takeCalls();
      const path = pathsOf(group, namespace);
      await send("create", { method: "POST", path: path(), body: counter(group, "a", { count: LARGE, free: LAST }) });
      await send("read in another version", { path: pathsOf(group, namespace, "v2")("a") });
      const [call] = server.takeCalls();
      note(
        "what the webhook is asked",
        (call?.review.request["objects"] as readonly Json[] | undefined)?.[0]?.["spec"],
      );
    },
  },
  {
    row: 423,
    title: "built-in kinds keep integers of 64 bits, and refuse larger ones",
    run: async ({ send, quietly, note, namespace }) => {
      const path = pathOf("podtemplates", namespace);
      const period = { terminationGracePeriodSeconds: LARGE };
      await send("create", { method: "POST", path, body: podTemplate("a", period) });
      await send("in YAML", {
        method: "POST",
        path,
        text: `apiVersion: v1\nkind: PodTemplate\nmetadata:\n  name: b\ntemplate:\n  spec:\n    terminationGracePeriodSeconds: ${String(LARGE)}\n    containers:\n    - name: c\n      image: i\n`,
        contentType: "application/yaml",
      });
      const yaml = await quietly({ path: `${path}/a`, headers: { accept: "application/yaml" } });
      note("read as YAML", String(yaml.body).match(/^ *terminationGracePeriodSeconds: .*$/gmu));
      const tolerations = [{ key: "a", operator: "Exists", effect: "NoExecute", tolerationSeconds: LARGE }];
      await send("strategic merge patch", patch(`${path}/a`, STRATEGIC, { template: { spec: { tolerations } } }));
      const other = { terminationGracePeriodSeconds: LARGE + 2n };
      await send("a conflict", patch(`${path}/a?fieldManager=x`, APPLY, podTemplate("a", other)));
      await send("apply", patch(`${path}/a?fieldManager=x`, APPLY, podTemplate("a", period)));
      for (const [step, spec] of Object.entries(POD_SPECS))
        await send(step, { method: "POST", path: `${path}?dryRun=All`, body: podTemplate("c", spec) });
    },
  },
];

function patch(path: string, contentType: string, body: unknown): Call {
  return { method: "PATCH", path, body, contentType };
}

const CHECKED: Readonly<Record<string, Json>> = {
  "beyond a maximum": { most: LARGE },
  "at a maximum that has no float": { most: 9_007_199_254_740_992n },
  "below a minimum": { most: FIRST },
  "of an enum": { choice: LARGE },
  "beside an enum": { choice: LARGE + 2n },
  "a multiple": { tens: 9_007_199_254_740_990n * 10n },
  "no multiple": { tens: LARGE },
  "beyond 64 bits": { count: LAST + 1n },
  "beyond 64 bits, as a number": { ratio: LAST + 1n },
  "as a number": { ratio: LARGE },
  "as an integer or text": { port: LARGE },
  "twice in a set": { set: [LARGE, LARGE] },
  "beside each other in a set": { set: [LARGE, LARGE + 1n, LARGE + 2n] },
  "a rule that holds": { count: LARGE, twin: LARGE },
  "a rule that does not hold": { count: LARGE, twin: LARGE + 1n },
  "a rule that overflows": { count: LAST, sum: 1n },
  "a text": { name: LARGE },
};

const TEXTS: Readonly<Record<string, string>> = {
  "a float of the same value": '"count":9007199254740993.0',
  "an exponent": '"count":9007199254740993e0',
  "a negative zero": '"count":-0',
};

function pathsOf(group: string, namespace: string, version = "v1"): (name?: string) => string {
  return (name = "") => `/apis/${group}/${version}/namespaces/${namespace}/counters${name === "" ? "" : `/${name}`}`;
}

function counter(group: string, name: string, spec: Json): Json {
  return { apiVersion: `${group}/v1`, kind: "Counter", metadata: { name }, spec };
}

function podTemplate(name: string, spec: Json): Json {
  const containers = [{ name: "c", image: "i" }];
  const template = { spec: { containers, ...spec } };
  return { apiVersion: "v1", kind: "PodTemplate", metadata: { name }, template };
}

const POD_SPECS: Readonly<Record<string, Json>> = {
  "beyond 64 bits": { terminationGracePeriodSeconds: LAST + 1n },
  "beyond 32 bits": { priority: LARGE },
  "a text": { hostname: LARGE },
  "out of range": { activeDeadlineSeconds: LARGE, securityContext: { runAsUser: LAST, fsGroup: FIRST } },
  "a quantity": { overhead: { cpu: LARGE } },
};

function counterCrd(group: string, conversion: Json = { strategy: "None" }): Json {
  const definition = crd({ group, kind: "Counter", schema: {} }) as { readonly spec: Json };
  const version = (name: string): Json => ({
    name,
    served: true,
    storage: name === "v1",
    subresources: { status: {} },
    selectableFields: [{ jsonPath: ".spec.count" }],
    additionalPrinterColumns: [
      { name: "Count", type: "integer", jsonPath: ".spec.count" },
      { name: "Least", type: "string", jsonPath: ".spec.least" },
      { name: "Default", type: "number", jsonPath: ".spec.initial" },
    ],
    schema: { openAPIV3Schema: { type: "object", properties: COUNTER_FIELDS } },
  });
  return { ...definition, spec: { ...definition.spec, conversion, versions: [version("v1"), version("v2")] } };
}

const integer = { type: "integer", format: "int64" } as const;

const COUNTER_FIELDS = {
  spec: {
    type: "object",
    "x-kubernetes-validations": [
      { rule: "!has(self.twin) || self.twin == self.count", message: "not a twin" },
      { rule: "!has(self.sum) || self.sum + self.count > 0" },
    ],
    properties: {
      count: integer,
      twin: integer,
      sum: integer,
      least: integer,
      initial: { ...integer, default: LARGE },
      most: { type: "integer", minimum: -1000, maximum: LARGE },
      choice: { type: "integer", enum: [1, LARGE] },
      tens: { type: "integer", multipleOf: 10 },
      ratio: { type: "number" },
      port: { "x-kubernetes-int-or-string": true },
      name: { type: "string" },
      set: { type: "array", "x-kubernetes-list-type": "set", items: { type: "integer" } },
      free: { "x-kubernetes-preserve-unknown-fields": true },
    },
  },
  status: { type: "object", properties: { seen: integer } },
};

function converted({ review }: WebhookCall): WebhookReply {
  const { uid, desiredAPIVersion, objects } = review.request as unknown as {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly Json[];
  };
  const response = {
    uid,
    result: { status: "Success" },
    convertedObjects: objects.map((object) => ({ ...object, apiVersion: desiredAPIVersion })),
  };
  const body = { apiVersion: review["apiVersion"], kind: "ConversionReview", response };
  return { kind: "raw", status: 200, body: printLosslessJson(body) };
}
