import { configMap, gadget, GROUP, pathOf, widget } from "../kinds.ts";
import type { Json, Row, RowContext } from "../row.ts";
import { startWebhookServer, type WebhookCall, type WebhookReply, type WebhookServer } from "../webhook-server.ts";
import { untilCached } from "./until-cached.ts";

const ADMISSION = "/apis/admissionregistration.k8s.io/v1";
const MERGE = "application/merge-patch+json";
const ALLOWED: WebhookReply = { kind: "response", response: { allowed: true } };

export const ADMISSION_ROWS: readonly Row[] = [
  {
    row: 99,
    title: "the patch of a mutating webhook is seen, defaulted again and pruned",
    run: async (context) => {
      const { namespace, send } = context;
      const server = await serve(context, (call) => patchOf(call));
      await install(
        context,
        server,
        [{ name: "mutate.example.com", rules: [rule([GROUP], ["gadgets"]), rule([""], ["configmaps"])] }],
        { kind: "mutating", probe: gadget("probe") },
      );
      await send("create a custom resource", {
        method: "POST",
        path: pathOf("gadgets", namespace),
        body: gadget("g", { level: "high", count: 2 }),
      });
      await send("what was stored", { path: pathOf("gadgets", namespace, "g") });
      await send("create a configmap", { method: "POST", path: pathOf("configmaps", namespace), body: configMap("c") });
      await send("a patch that breaks the schema", {
        method: "POST",
        path: pathOf("gadgets", namespace),
        body: gadget("bad", { count: 3 }),
      });
      await send("a patch that cannot be applied", {
        method: "POST",
        path: pathOf("gadgets", namespace),
        body: gadget("worse", { count: 4 }),
      });
      await send("a merge patch", {
        method: "PATCH",
        path: pathOf("gadgets", namespace, "g"),
        body: { spec: { level: null } },
        contentType: MERGE,
      });
    },
  },
  {
    row: 100,
    title: "a webhook is told what happens to which object, by whom and with what options",
    run: async (context) => {
      const { namespace, quietly } = context;
      const server = await serve(context, () => ALLOWED);
      const rules = [rule([GROUP], ["widgets", "widgets/status"]), rule([""], ["configmaps"])];
      await install(context, server, [{ name: "one.example.com", path: "/mutate", rules }], {
        kind: "mutating",
        probe: widget("probe"),
      });
      await install(context, server, [{ name: "two.example.com", path: "/validate", rules, timeoutSeconds: 7 }], {
        kind: "validating",
        probe: widget("probe"),
      });
      const tell = async (step: string, call: Parameters<RowContext["quietly"]>[0]): Promise<void> => {
        server.takeCalls();
        const answer = await quietly(call);
        for (const { url, review } of [...server.takeCalls()].sort((a, b) => a.url.localeCompare(b.url)))
          context.note(`${step}: ${url}`, withoutUser(review));
        await untilCached(context, call, answer);
      };
      const path = pathOf("widgets", namespace, "w");
      await tell("create", {
        method: "POST",
        path: `${pathOf("widgets", namespace)}?fieldManager=tester`,
        body: widget("w"),
      });
      await tell("create with a generated name", {
        method: "POST",
        path: `${pathOf("configmaps", namespace)}?dryRun=All`,
        body: { ...configMap(""), metadata: { generateName: "gen-" } },
      });
      await tell("update", { method: "PATCH", path, body: { spec: { size: 2 } }, contentType: MERGE });
      await tell("update of the status", {
        method: "PATCH",
        path: `${path}/status`,
        body: { status: { phase: "Ready" } },
        contentType: MERGE,
      });
      await tell("delete", { method: "DELETE", path, body: { propagationPolicy: "Background" } });
      await tell("an update that is refused", {
        method: "PATCH",
        path,
        body: { spec: { size: 2 } },
        contentType: MERGE,
      });
    },
  },
  {
    row: 101,
    title: "a denial has the webhook's code and message, and warnings become headers",
    run: async (context) => {
      const { namespace, send, quietly } = context;
      const server = await serve(context, ({ review }) => DENIALS[nameOf(review)] ?? ALLOWED);
      await install(context, server, [{ name: "deny.example.com", rules: [rule([GROUP], ["widgets"])] }], {
        kind: "validating",
        probe: widget("probe"),
      });
      await install(context, server, [{ name: "mutate.example.com", rules: [rule([""], ["configmaps"])] }], {
        kind: "mutating",
        probe: configMap("probe"),
      });
      for (const name of Object.keys(DENIALS))
        await send(name, { method: "POST", path: pathOf("widgets", namespace), body: widget(name) });
      await send("by a mutating one", {
        method: "POST",
        path: pathOf("configmaps", namespace),
        body: configMap("a-message"),
      });
      await send("a status of its own by a mutating one", {
        method: "POST",
        path: pathOf("configmaps", namespace),
        body: configMap("a-status"),
      });
      await send("allowed", { method: "POST", path: pathOf("widgets", namespace), body: widget("fine") });
      await quietly({ method: "POST", path: pathOf("widgets", namespace), body: widget("deleted") });
      await send("a delete", { method: "DELETE", path: pathOf("widgets", namespace, "deleted") });
    },
  },
  {
    row: 102,
    title: "a webhook that fails or is late refuses or lets pass, as its failurePolicy says",
    run: async (context) => {
      const { namespace, send, quietly, eventually } = context;
      const server = await serve(context, ({ url }) => FAILURES[url.split("?")[0] ?? ""] ?? ALLOWED);
      for (const failurePolicy of ["Fail", "Ignore"]) {
        for (const path of Object.keys(FAILURES)) {
          const remove = await install(
            context,
            server,
            [
              {
                name: "failing.example.com",
                path,
                failurePolicy,
                timeoutSeconds: 1,
                rules: [rule([GROUP], ["widgets"])],
              },
            ],
            { kind: "validating", probe: widget("probe") },
          );
          await send(`${failurePolicy}: ${path}`, {
            method: "POST",
            path: `${pathOf("widgets", namespace)}?dryRun=All`,
            body: widget("w"),
          });
          await remove();
        }
      }
      const gone = await startWebhookServer(() => ALLOWED);
      await gone.close();
      await quietly({
        method: "POST",
        path: `${ADMISSION}/validatingwebhookconfigurations`,
        body: configuration(namespace, "validating", gone, [
          { name: "gone.example.com", rules: [rule([GROUP], ["widgets"])] },
        ]),
      });
      context.cleanUp(() =>
        quietly({ method: "DELETE", path: `${ADMISSION}/validatingwebhookconfigurations/${namespace}` }),
      );
      await eventually(
        { method: "POST", path: `${pathOf("widgets", namespace)}?dryRun=All`, body: widget("w") },
        ({ status }) => status === 500,
      );
      await send("nobody listens", {
        method: "POST",
        path: `${pathOf("widgets", namespace)}?dryRun=All`,
        body: widget("w"),
      });
    },
  },
  {
    row: 103,
    title: "selectors of namespaces and objects decide whether a webhook is asked",
    run: async (context) => {
      const { namespace, quietly } = context;
      const server = await serve(context, () => ALLOWED);
      const rules = [rule([GROUP], ["widgets"])];
      await install(
        context,
        server,
        [
          { name: "all.example.com", path: "/all", rules },
          { name: "object.example.com", path: "/object", rules, objectSelector: { matchLabels: { watched: "yes" } } },
          {
            name: "elsewhere.example.com",
            path: "/elsewhere",
            rules,
            namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "elsewhere" } },
          },
          {
            name: "expression.example.com",
            path: "/expression",
            rules,
            objectSelector: { matchExpressions: [{ key: "watched", operator: "DoesNotExist" }] },
          },
          { name: "status.example.com", path: "/status", rules: [rule([GROUP], ["widgets/status"])] },
          {
            name: "everything.example.com",
            path: "/everything",
            rules: [{ ...rule(["*"], ["*/*"]), operations: ["UPDATE"], scope: "Namespaced" }],
          },
          {
            name: "cluster.example.com",
            path: "/cluster",
            rules: [{ ...rule([GROUP], ["widgets"]), scope: "Cluster" }],
          },
          {
            name: "other-version.example.com",
            path: "/other-version",
            rules: [{ ...rule([GROUP], ["widgets"]), apiVersions: ["v2"] }],
          },
        ],
        { kind: "validating", probe: widget("probe") },
      );
      const asked = async (step: string, call: Parameters<RowContext["quietly"]>[0]): Promise<void> => {
        server.takeCalls();
        const answer = await quietly(call);
        context.note(
          step,
          server
            .takeCalls()
            .map(({ url }) => url.split("?")[0] ?? "")
            .sort((a, b) => a.localeCompare(b)),
        );
        await untilCached(context, call, answer);
      };
      const path = pathOf("widgets", namespace);
      await asked("create without labels", { method: "POST", path, body: widget("plain") });
      await asked("create with the label", {
        method: "POST",
        path,
        body: widget("watched", { size: 1 }, { labels: { watched: "yes" } }),
      });
      await asked("update that removes the label", {
        method: "PATCH",
        path: `${path}/watched`,
        body: { metadata: { labels: null } },
        contentType: MERGE,
      });
      await asked("update without labels", {
        method: "PATCH",
        path: `${path}/plain`,
        body: { spec: { size: 2 } },
        contentType: MERGE,
      });
      await asked("update of the status", {
        method: "PATCH",
        path: `${path}/plain/status`,
        body: { status: { phase: "x" } },
        contentType: MERGE,
      });
      await asked("delete", { method: "DELETE", path: `${path}/plain` });
      await asked("another namespace", {
        method: "POST",
        path: `${pathOf("widgets", "default")}?dryRun=All`,
        body: widget("w"),
      });
    },
  },
  {
    row: 135,
    title: "webhooks are asked about reviews, and never about what configures admission",
    run: async (context) => {
      const { namespace, quietly } = context;
      const server = await serve(context, () => ALLOWED);
      const rules = [
        rule(["admissionregistration.k8s.io", "authentication.k8s.io", "authorization.k8s.io"], ["*"]),
        rule([""], ["configmaps"]),
      ];
      for (const kind of ["mutating", "validating"] as const) {
        await install(context, server, [{ name: `${kind}.example.com`, path: `/${kind}`, rules }], {
          kind,
          probe: configMap("probe"),
        });
      }
      const asked = async (step: string, call: Parameters<RowContext["quietly"]>[0]): Promise<void> => {
        server.takeCalls();
        const { status } = await quietly(call);
        const resource = (call.method === "POST" ? call.path : call.path.replace(/\/[^/]+$/u, "")).split("/").at(-1);
        // Controllers write other objects meanwhile.
        const urls = server
          .takeCalls()
          .filter(({ review }) => (review.request["resource"] as Json | undefined)?.["resource"] === resource)
          .map(({ url }) => url.split("?")[0] ?? "");
        // The embedded server takes no bindings of policies.
        context.note(step, call.path.includes("policybindings") ? { urls } : { urls, status });
      };
      for (const [resource, kind, fields] of CONFIGURING) {
        const object = {
          apiVersion: "admissionregistration.k8s.io/v1",
          kind,
          metadata: { name: `exempt-${namespace}` },
        };
        const path = `${ADMISSION}/${resource}/exempt-${namespace}`;
        await asked(`create a ${kind}`, {
          method: "POST",
          path: `${ADMISSION}/${resource}`,
          body: { ...object, ...fields },
        });
        await asked(`change it: ${kind}`, {
          method: "PATCH",
          path,
          body: { metadata: { labels: { changed: "yes" } } },
          contentType: MERGE,
        });
        await asked(`delete it: ${kind}`, { method: "DELETE", path });
      }
      for (const [resource, kind, spec] of REVIEWS) {
        const [group = ""] = resource.split("/");
        const apiVersion = `${group}/v1`;
        const path = `/apis/${resource.replace("/", "/v1/").replace("local", `namespaces/${namespace}/local`)}`;
        const body = { apiVersion, kind, ...(spec === undefined ? {} : { spec: spec(namespace) }) };
        await asked(`ask a ${kind}`, { method: "POST", path, body });
      }
      await asked("a configmap", { method: "POST", path: pathOf("configmaps", namespace), body: configMap("c") });
    },
  },
];

// Resource, kind and the rest of an object.
const CONFIGURING: readonly (readonly [string, string, Json])[] = [
  ["mutatingwebhookconfigurations", "MutatingWebhookConfiguration", { webhooks: [] }],
  ["validatingwebhookconfigurations", "ValidatingWebhookConfiguration", { webhooks: [] }],
  [
    "validatingadmissionpolicies",
    "ValidatingAdmissionPolicy",
    {
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["nodes"] }],
        },
        validations: [{ expression: "true" }],
      },
    },
  ],
  [
    "validatingadmissionpolicybindings",
    "ValidatingAdmissionPolicyBinding",
    { spec: { policyName: "none", validationActions: ["Audit"] } },
  ],
];

const ATTRIBUTES = (namespace: string): Json => ({
  resourceAttributes: { namespace, verb: "get", resource: "configmaps" },
});

// Resource, kind and spec.
const REVIEWS: readonly (readonly [string, string, ((namespace: string) => Json) | undefined])[] = [
  ["authentication.k8s.io/selfsubjectreviews", "SelfSubjectReview", undefined],
  ["authentication.k8s.io/tokenreviews", "TokenReview", () => ({ token: "nobody's" })],
  [
    "authorization.k8s.io/localsubjectaccessreviews",
    "LocalSubjectAccessReview",
    (namespace) => ({ user: "nobody", ...ATTRIBUTES(namespace) }),
  ],
  ["authorization.k8s.io/selfsubjectaccessreviews", "SelfSubjectAccessReview", ATTRIBUTES],
  ["authorization.k8s.io/selfsubjectrulesreviews", "SelfSubjectRulesReview", (namespace) => ({ namespace })],
  [
    "authorization.k8s.io/subjectaccessreviews",
    "SubjectAccessReview",
    (namespace) => ({ user: "nobody", ...ATTRIBUTES(namespace) }),
  ],
];

interface Webhook {
  readonly name: string;
  readonly path?: string;
  readonly rules: readonly Json[];
  readonly [field: string]: unknown;
}

const DENIALS: Readonly<Record<string, WebhookReply>> = {
  "a-message": { kind: "response", response: { allowed: false, status: { message: "not today" } } },
  "a-code": {
    kind: "response",
    response: { allowed: false, status: { message: "taken", code: 409, reason: "Conflict" } },
  },
  "a-low-code": { kind: "response", response: { allowed: false, status: { message: "odd", code: 200 } } },
  "a-reason": { kind: "response", response: { allowed: false, status: { reason: "Forbidden", code: 403 } } },
  "a-status": {
    kind: "response",
    response: {
      allowed: false,
      status: {
        message: "broken",
        code: 422,
        reason: "Invalid",
        details: {
          name: "x",
          kind: "Widget",
          causes: [{ reason: "FieldValueInvalid", message: "no", field: "spec.size" }],
        },
      },
    },
  },
  nothing: { kind: "response", response: { allowed: false } },
  warned: {
    kind: "response",
    response: { allowed: true, warnings: ["mind the gap", 'say "hi" \\ bye', "mind the gap"] },
  },
  "denied-and-warned": {
    kind: "response",
    response: { allowed: false, warnings: ["told you"], status: { message: "no" } },
  },
};

const FAILURES: Readonly<Record<string, WebhookReply>> = {
  "/late": { kind: "silence" },
  "/broken": { kind: "raw", status: 500, body: "out of order" },
  "/not-found": { kind: "raw", status: 404, body: "" },
  "/empty": { kind: "raw", status: 200, body: "{}" },
  "/wrong-uid": { kind: "response", response: { uid: "11111111-1111-4111-8111-111111111111", allowed: true } },
  "/patching": {
    kind: "response",
    response: { allowed: true, patchType: "JSONPatch", patch: Buffer.from("[]").toString("base64") },
  },
};

function patchOf({ review }: WebhookCall): WebhookReply {
  const { spec } = review.request["object"] as { readonly spec?: Json };
  const operations =
    spec === undefined
      ? [{ op: "add", path: "/data/added", value: "yes" }]
      : (GADGET_PATCHES[String(spec["count"])] ?? []);
  return {
    kind: "response",
    response: {
      allowed: true,
      patchType: "JSONPatch",
      patch: Buffer.from(JSON.stringify(operations)).toString("base64"),
    },
  };
}

const GADGET_PATCHES: Readonly<Record<string, readonly Json[]>> = {
  "2": [
    { op: "replace", path: "/spec/title", value: "patched" },
    { op: "remove", path: "/spec/level" },
    { op: "add", path: "/spec/bogus", value: 1 },
    { op: "add", path: "/metadata/labels", value: { from: "webhook" } },
  ],
  "3": [{ op: "replace", path: "/spec/title", value: "X" }],
  "4": [{ op: "remove", path: "/spec/none" }],
};

async function serve({ cleanUp }: RowContext, reply: (call: WebhookCall) => WebhookReply): Promise<WebhookServer> {
  const server = await startWebhookServer(reply);
  cleanUp(() => server.close());
  return server;
}

// Creates a configuration for the row's namespace and waits until the server asks it; returns what removes it and waits for that.
async function install(
  context: RowContext,
  server: WebhookServer,
  webhooks: readonly Webhook[],
  { kind, probe }: { readonly kind: "mutating" | "validating"; readonly probe: Json },
): Promise<() => Promise<void>> {
  const { namespace, quietly, eventually, cleanUp } = context;
  const collection = `${ADMISSION}/${kind}webhookconfigurations`;
  await quietly({ method: "POST", path: collection, body: configuration(namespace, kind, server, webhooks) });
  const plural = { Gadget: "gadgets", Widget: "widgets", ConfigMap: "configmaps" }[String(probe["kind"])] ?? "";
  const paths = webhooks.map(({ path = "" }) => path);
  const ask = { method: "POST", path: `${pathOf(plural, namespace)}?dryRun=All`, body: probe } as const;
  const isAsked = (): boolean =>
    server.takeCalls().some(({ url }) => paths.includes(url.split("?")[0]?.replace(/^\/$/u, "") ?? ""));
  await eventually(ask, isAsked);
  const remove = async (): Promise<void> => {
    await quietly({ method: "DELETE", path: `${collection}/${namespace}` });
    await eventually(ask, () => !isAsked());
  };
  cleanUp(() => quietly({ method: "DELETE", path: `${collection}/${namespace}` }));
  return remove;
}

function configuration(
  namespace: string,
  kind: "mutating" | "validating",
  { url, caBundle }: Pick<WebhookServer, "url" | "caBundle">,
  webhooks: readonly Webhook[],
): Json {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: kind === "mutating" ? "MutatingWebhookConfiguration" : "ValidatingWebhookConfiguration",
    metadata: { name: namespace },
    webhooks: webhooks.map(({ path = "", ...fields }) => ({
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
      clientConfig: { url: `${url}${path}`, caBundle },
      ...fields,
    })),
  };
}

function rule(apiGroups: readonly string[], resources: readonly string[]): Json {
  return { apiGroups, resources, apiVersions: ["*"], operations: ["CREATE", "UPDATE", "DELETE"] };
}

function nameOf(review: WebhookCall["review"]): string {
  return String(review.request["name"]);
}

// Administrators have names of their own in each target; the request's own uid is new each time.
function withoutUser(review: WebhookCall["review"]): unknown {
  const { userInfo, uid, ...request } = review.request;
  const { username } = userInfo as { readonly username?: string };
  const told = JSON.parse(
    JSON.stringify({ ...review, request: { ...request, uid: typeof uid, user: typeof username } }),
  ) as Json;
  return withGeneratedName(told);
}

function withGeneratedName(review: Json): unknown {
  return JSON.parse(JSON.stringify(review).replaceAll(/"gen-[a-z0-9]{5}"/gu, '"gen-<5>"'));
}
