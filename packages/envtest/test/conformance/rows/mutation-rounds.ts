import type { FlagRow } from "../flag-row.ts";
import { deployment, pathOf } from "../kinds.ts";
import type { Call, Json, RowContext } from "../row.ts";
import { startWebhookServer, type WebhookCall, type WebhookServer } from "../webhook-server.ts";
import {
  applied,
  installMutations,
  labeled,
  type MutationCase,
  MUTATING_POLICIES,
  MUTATING_POLICY_FLAGS,
  outcomeOf,
  patched,
} from "./mutating-policy-installation.ts";
import { ADMISSION } from "./policy-installation.ts";

const flags = async (): Promise<readonly string[]> => await Promise.resolve(MUTATING_POLICY_FLAGS);
const MERGE = "application/merge-patch+json";

export const MUTATION_ROUND_ROWS: readonly FlagRow[] = [
  {
    row: 471,
    title: "policies run before webhooks, and again after a change if they are to",
    flags,
    run: async (context) => {
      const { cleanUp, quietly, note, namespace } = context;
      const server = await startWebhookServer(({ url, review }) => ({
        kind: "response",
        response: reply(url, review),
      }));
      cleanUp(async () => server.close());
      await installMutations(context, ROUNDS);
      await installWebhooks(context, server);
      const path = `${pathOf("configmaps", namespace)}?dryRun=All`;
      for (const name of ["never", "if-needed", "without-webhooks", "if-needed-twice", "adds-nothing"]) {
        const body = labeled(name, { trace: "" });
        const answer = await quietly({ method: "POST", path, body });
        note(name, { ...outcomeOf(answer, ["data"]), calls: server.takeCalls().map((call) => seenBy(call)) });
      }
    },
  },
  {
    row: 472,
    title: "policies mutate updates, patches, applies, and subresources, and are not asked about deletions",
    flags,
    run: async (context) => {
      await installMutations(context, WRITES);
      const calls = Object.entries(callsOf(context.namespace));
      for (const [step, call] of calls) {
        const answer = await context.quietly(call);
        context.note(step, outcomeOf(answer, WRITTEN));
      }
    },
  },
  {
    row: 473,
    title: "what policies mutate is seen by the plugins after them, and by those before them in a second round",
    flags,
    run: async (context) => {
      const { quietly, note, namespace } = context;
      await quietly({ method: "POST", path: `/api/v1/namespaces/${namespace}/limitranges`, body: LIMIT_RANGE });
      await quietly({
        method: "POST",
        path: `/api/v1/namespaces/${namespace}/serviceaccounts`,
        body: serviceAccount(),
      });
      await installMutations(context, CHAIN);
      await installValidation(context);
      for (const { name } of CHAIN.slice(0, 3)) {
        const body = podOf(name);
        const answer = await quietly({ method: "POST", path: `/api/v1/namespaces/${namespace}/pods?dryRun=All`, body });
        note(
          name,
          outcomeOf(answer, ["metadata.labels", "metadata.annotations", "spec.containers", "spec.priorityClassName"]),
        );
      }
      note("a ConfigMap that is denied", outcomeOf(await quietly(denied(namespace)), ["data"]));
      for (const [step, call] of Object.entries(EXEMPT)) {
        note(step, outcomeOf(await quietly(call), ["metadata.labels", "status"]));
      }
    },
  },
];

const ADD = "Object{data: Object.data{trace: object.data.trace + ";

const ROUNDS: readonly MutationCase[] = [
  { name: "never", policy: { reinvocationPolicy: "Never", mutations: [applied(`${ADD}'p'}}`)] } },
  { name: "if-needed", policy: { reinvocationPolicy: "IfNeeded", mutations: [applied(`${ADD}'p'}}`)] } },
  { name: "without-webhooks", policy: { reinvocationPolicy: "IfNeeded", mutations: [applied(`${ADD}'p'}}`)] } },
  {
    name: "if-needed-twice",
    policy: { reinvocationPolicy: "IfNeeded", mutations: [applied(`${ADD}'p'}}`), applied(`${ADD}'q'}}`)] },
  },
  { name: "adds-nothing", policy: { reinvocationPolicy: "IfNeeded", mutations: [applied("Object{}")] } },
];

// One webhook appends to the trace, and one that comes after it sees what there is.
function reply(url: string, { request }: WebhookCall["review"]): Json {
  const { data } = request["object"] as { readonly data?: Readonly<Record<string, string>> };
  if (!url.startsWith("/append")) return { allowed: true };
  const patch = [{ op: "replace", path: "/data/trace", value: `${data?.["trace"] ?? ""}w` }];
  return { allowed: true, patchType: "JSONPatch", patch: Buffer.from(JSON.stringify(patch)).toString("base64") };
}

function seenBy({ url, review }: WebhookCall): string {
  const { data } = review.request["object"] as { readonly data?: Readonly<Record<string, string>> };
  return `${url.split("?")[0] ?? ""} ${data?.["trace"] ?? ""}`;
}

async function installWebhooks({ quietly, cleanUp, namespace }: RowContext, server: WebhookServer): Promise<void> {
  const path = `${ADMISSION}/mutatingwebhookconfigurations`;
  const webhook = (name: string, reinvocationPolicy: string): Json => ({
    name: `${name}.example.com`,
    clientConfig: { url: `${server.url}/${name}`, caBundle: server.caBundle },
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
    reinvocationPolicy,
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
    objectSelector: { matchExpressions: [{ key: "case", operator: "NotIn", values: ["without-webhooks", "marker"] }] },
    rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
  });
  const webhooks = [webhook("look", "IfNeeded"), webhook("append", "Never"), webhook("last", "IfNeeded")];
  cleanUp(async () => quietly({ method: "DELETE", path: `${path}/rounds` }));
  await quietly({
    method: "POST",
    path,
    body: {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "MutatingWebhookConfiguration",
      metadata: { name: "rounds" },
      webhooks,
    },
  });
  await until(async () => {
    await quietly({
      method: "POST",
      path: `${pathOf("configmaps", namespace)}?dryRun=All`,
      body: labeled("none", { trace: "" }),
    });
    return server.takeCalls().length > 0;
  });
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt++) {
    if (await isDone()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const WRITTEN = [
  "kind",
  "metadata.labels",
  "metadata.annotations",
  "data",
  "spec.replicas",
  "status.replicas",
  "status.conditions",
];
const ANNOTATES =
  "Object{metadata: Object.metadata{annotations: Object.metadata.annotations{seen: request.operation + ':' + (has(request.subResource) ? request.subResource : '')}}}";

const WRITES: readonly MutationCase[] = [
  { name: "write", policy: { mutations: [applied("Object{data: Object.data{seen: request.operation}}")] } },
  {
    name: "deployment",
    policy: { mutations: [applied(ANNOTATES)] },
    rule: { apiGroups: ["apps"], resources: ["deployments"] },
  },
  {
    name: "deployment-status",
    policy: { mutations: [applied("Object{status: Object.status{replicas: 7}, spec: Object.spec{replicas: 9}}")] },
    constraints: {
      objectSelector: {},
      resourceRules: [
        { apiGroups: ["apps"], apiVersions: ["v1"], operations: ["UPDATE"], resources: ["deployments/status"] },
      ],
    },
  },
  {
    name: "scale",
    policy: { mutations: [applied("Object{spec: Object.spec{replicas: object.spec.replicas + 1}}")] },
    constraints: {
      objectSelector: {},
      resourceRules: [
        { apiGroups: ["apps"], apiVersions: ["v1"], operations: ["UPDATE"], resources: ["deployments/scale"] },
      ],
    },
  },
  {
    name: "scale-by-a-patch",
    policy: { mutations: [patched("[JSONPatch{op: 'add', path: '/spec/replicas', value: object.spec.replicas + 1}]")] },
    constraints: {
      objectSelector: {},
      resourceRules: [
        { apiGroups: ["apps"], apiVersions: ["v1"], operations: ["UPDATE"], resources: ["deployments/scale"] },
      ],
    },
  },
];

function callsOf(namespace: string): Readonly<Record<string, Call>> {
  const configMaps = pathOf("configmaps", namespace);
  const deployments = pathOf("deployments", namespace);
  const { metadata, ...rest } = deployment("d") as Json & { readonly metadata: Json };
  const body = { ...rest, metadata: { ...metadata, labels: { case: "deployment" } } };
  const scale = {
    apiVersion: "autoscaling/v1",
    kind: "Scale",
    metadata: { name: "d", namespace },
    spec: { replicas: 3 },
  };
  return {
    create: { method: "POST", path: configMaps, body: labeled("write") },
    update: { method: "PUT", path: `${configMaps}/write`, body: labeled("write", { b: "2" }) },
    patch: { method: "PATCH", path: `${configMaps}/write`, body: { data: { c: "3" } }, contentType: MERGE },
    "dry run": {
      method: "PATCH",
      path: `${configMaps}/write?dryRun=All`,
      body: { data: { d: "4" } },
      contentType: MERGE,
    },
    apply: {
      method: "PATCH",
      path: `${configMaps}/write?fieldManager=m`,
      body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "write" }, data: { e: "5" } },
      contentType: "application/apply-patch+yaml",
    },
    "apply that creates": {
      method: "PATCH",
      path: `${configMaps}/applied?fieldManager=m`,
      body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "applied", labels: { case: "write" } } },
      contentType: "application/apply-patch+yaml",
    },
    deployment: { method: "POST", path: deployments, body },
    status: {
      method: "PATCH",
      path: `${deployments}/d/status`,
      body: { status: { availableReplicas: 0, observedGeneration: 1 } },
      contentType: MERGE,
    },
    scale: { method: "PUT", path: `${deployments}/d/scale`, body: scale },
    "after the scale": { path: `${deployments}/d` },
    deletion: { method: "DELETE", path: `${configMaps}/write` },
  };
}

const LIMIT_RANGE: Json = {
  apiVersion: "v1",
  kind: "LimitRange",
  metadata: { name: "limits" },
  spec: { limits: [{ type: "Container", default: { cpu: "1" }, defaultRequest: { cpu: "500m" } }] },
};

function serviceAccount(): Json {
  return { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default" } };
}

function podOf(name: string): Json {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", labels: { case: name } },
    spec: { containers: [{ name: "a", image: "i" }] },
  };
}

const PODS = { apiGroups: [""], resources: ["pods"] };

const CHAIN: readonly MutationCase[] = [
  {
    name: "container",
    policy: {
      mutations: [applied("Object{spec: Object.spec{containers: [Object.spec.containers{name: 'b', image: 'j'}]}}")],
    },
    rule: PODS,
  },
  {
    name: "invalid-container",
    policy: { mutations: [patched("[JSONPatch{op: 'add', path: '/spec/containers/-', value: {'name': 'A b'}}]")] },
    rule: PODS,
  },
  {
    name: "priority",
    policy: { mutations: [applied("Object{spec: Object.spec{priorityClassName: 'none'}}")] },
    rule: PODS,
  },
  { name: "denied", policy: { mutations: [applied("Object{data: Object.data{forbidden: 'yes'}}")] } },
  {
    name: "everything",
    policy: { mutations: [applied("Object{metadata: Object.metadata{labels: Object.metadata.labels{x: 'y'}}}")] },
    constraints: {
      objectSelector: {},
      resourceRules: [
        {
          apiGroups: ["admissionregistration.k8s.io", "authentication.k8s.io"],
          apiVersions: ["*"],
          operations: ["*"],
          resources: ["*"],
        },
      ],
    },
  },
];

async function installValidation({ quietly, eventually, namespace }: RowContext): Promise<void> {
  const name = "no-forbidden";
  await quietly({
    method: "POST",
    path: `${ADMISSION}/validatingadmissionpolicies`,
    body: {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicy",
      metadata: { name },
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
        },
        validations: [{ expression: "!has(object.data) || !('forbidden' in object.data)", message: "forbidden" }],
      },
    },
  });
  await quietly({
    method: "POST",
    path: `${ADMISSION}/validatingadmissionpolicybindings`,
    body: {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name },
      spec: { policyName: name, validationActions: ["Deny"] },
    },
  });
  await eventually(
    {
      method: "POST",
      path: `${pathOf("configmaps", namespace)}?dryRun=All`,
      body: labeled("other", { forbidden: "yes" }),
    },
    ({ status }) => status === 422,
  );
}

function denied(namespace: string): Call {
  return { method: "POST", path: `${pathOf("configmaps", namespace)}?dryRun=All`, body: labeled("denied") };
}

// Policies concern neither themselves nor reviews.
const EXEMPT: Readonly<Record<string, Call>> = {
  "a policy": {
    method: "POST",
    path: `${MUTATING_POLICIES}?dryRun=All`,
    body: {
      apiVersion: "admissionregistration.k8s.io/v1beta1",
      kind: "MutatingAdmissionPolicy",
      metadata: { name: "exempt" },
      spec: {
        reinvocationPolicy: "Never",
        matchConstraints: {
          resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }],
        },
        mutations: [applied("Object{}")],
      },
    },
  },
  "a webhook": {
    method: "POST",
    path: `${ADMISSION}/mutatingwebhookconfigurations?dryRun=All`,
    body: {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "MutatingWebhookConfiguration",
      metadata: { name: "exempt" },
    },
  },
  "a review": {
    method: "POST",
    path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
    body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
  },
};
