import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import type { FlagRow } from "../flag-row.ts";
import { configMap, pathOf } from "../kinds.ts";
import type { Call, Json, RowContext } from "../row.ts";

const LOG = "audit.log";
const PREFIX = "row-410-";
const LOG_DEADLINE_MS = 20_000;

const POLICY = `
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [Panic]
rules:
  - level: None
    nonResourceURLs: ["/healthz*"]
  - level: Metadata
    resources:
      - resources: ["secrets", "serviceaccounts/token"]
  - level: Request
    omitManagedFields: true
    omitStages: [RequestReceived]
    resources:
      - resources: ["pods", "pods/*"]
      - group: apps
        resources: ["*/scale"]
  - level: RequestResponse
    namespaces: ["row-410", "row-410-restricted"]
    omitManagedFields: true
    omitStages: [RequestReceived]
  - level: Metadata
    verbs: ["get", "list"]
    userGroups: ["system:unauthenticated"]
  - level: Metadata
    omitStages: [RequestReceived]
`;

export const AUDIT_ROWS: readonly FlagRow[] = [
  {
    row: 410,
    title: "the audit log has the events of each request, as the policy determines",
    flags: async (folder) => {
      const policy = path.join(folder, "policy.yaml");
      await writeFile(policy, POLICY);
      return [`--audit-policy-file=${policy}`, `--audit-log-path=${path.join(folder, LOG)}`];
    },
    run: async (tools, folder) => {
      await prepare(tools);
      for (const [step, call] of Object.entries(callsOf(tools))) {
        const id = `${PREFIX}${step.replaceAll(" ", "-")}`;
        const answer = await tools.quietly({
          ...call,
          headers: { "user-agent": "row/1", "audit-id": id, ...call.headers },
        });
        const isFinal = (event: Json): boolean => event["stage"] === "ResponseComplete" || answer.status === 401;
        const events = step.startsWith("not logged") ? [] : await eventsOf(path.join(folder, LOG), id, isFinal);
        tools.note(step, { status: answer.status, echoed: answer.headers.get("audit-id"), events });
      }
    },
  },
];

async function prepare({ namespace, quietly, eventually }: RowContext): Promise<void> {
  const restricted = `${namespace}-restricted`;
  const labels = {
    "pod-security.kubernetes.io/enforce": "baseline",
    "pod-security.kubernetes.io/audit": "restricted",
  };
  const body = { apiVersion: "v1", kind: "Namespace", metadata: { name: restricted, labels } };
  await quietly({ method: "POST", path: "/api/v1/namespaces", body });
  const policies = "/apis/admissionregistration.k8s.io/v1";
  await quietly({ method: "POST", path: `${policies}/validatingadmissionpolicies`, body: ADMISSION_POLICY });
  await quietly({ method: "POST", path: `${policies}/validatingadmissionpolicybindings`, body: BINDING });
  // The real server evaluates a policy some time after it was created.
  const denied = { ...configMap("denied"), data: { deny: "me" } };
  await eventually(
    { method: "POST", path: `${pathOf("configmaps", namespace)}?dryRun=All`, body: denied },
    ({ status }) => status === 422,
  );
  const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "robot" } };
  await quietly({ method: "POST", path: pathOf("serviceaccounts", namespace), body: account });
}

const ADMISSION_POLICY: Json = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingAdmissionPolicy",
  metadata: { name: "row-410" },
  spec: {
    matchConstraints: {
      resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
    },
    validations: [
      { expression: "!('deny' in object.data)", message: "denied" },
      { expression: "!('bad' in object.data)", message: "bad data" },
    ],
    auditAnnotations: [
      { key: "size", valueExpression: "string(size(object.data))" },
      { key: "none", valueExpression: "null" },
      { key: "blank", valueExpression: "'  '" },
    ],
  },
};

const BINDING: Json = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingAdmissionPolicyBinding",
  metadata: { name: "row-410" },
  spec: { policyName: "row-410", validationActions: ["Deny", "Audit"] },
};

function callsOf({ namespace, admin }: RowContext): Readonly<Record<string, Call>> {
  const { credentials: _, ...anonymous } = admin;
  const configMaps = pathOf("configmaps", namespace);
  const pods = pathOf("pods", namespace);
  const restricted = `${namespace}-restricted`;
  const merge = { method: "PATCH", contentType: "application/merge-patch+json" } as const;
  const one = { ...configMap("one"), data: { a: "1" } };
  return {
    get: { path: `/api/v1/namespaces/${namespace}?pretty=false&x=a%2Cb,c` },
    create: { method: "POST", path: configMaps, body: one },
    "create again": { method: "POST", path: configMaps, body: one },
    "create a generated name": {
      method: "POST",
      path: configMaps,
      body: { apiVersion: "v1", kind: "ConfigMap", metadata: { generateName: "made-" }, data: { a: "1" } },
    },
    "create denied": { method: "POST", path: configMaps, body: { ...configMap("denied"), data: { bad: "1" } } },
    "create malformed": { method: "POST", path: configMaps, text: "{" },
    update: { method: "PUT", path: `${configMaps}/one`, body: { ...one, data: { a: "2" } } },
    "merge patch": { ...merge, path: `${configMaps}/one`, body: { data: { b: "3" } } },
    "json patch": {
      method: "PATCH",
      path: `${configMaps}/one`,
      contentType: "application/json-patch+json",
      body: [{ op: "add", path: "/data/c", value: "4" }],
    },
    apply: {
      method: "PATCH",
      path: `${configMaps}/one?fieldManager=row&force=true`,
      contentType: "application/apply-patch+yaml",
      body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "one" }, data: { d: "5" } },
    },
    list: { path: `${configMaps}?limit=1&labelSelector=none%3Dx` },
    "get missing": { path: `${configMaps}/missing` },
    watch: { path: `${configMaps}?watch=true&timeoutSeconds=1&fieldSelector=metadata.name=none` },
    delete: { method: "DELETE", path: `${configMaps}/one` },
    "delete with options": {
      method: "DELETE",
      path: `${configMaps}/one`,
      body: { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Background" },
    },
    "delete a collection": { method: "DELETE", path: `${configMaps}?labelSelector=none%3Dx` },
    "create a secret": {
      method: "POST",
      path: pathOf("secrets", namespace),
      body: { apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, stringData: { a: "b" } },
    },
    "request a token": {
      method: "POST",
      path: `${pathOf("serviceaccounts", namespace)}/robot/token`,
      body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} },
    },
    "create a pod": { method: "POST", path: pods, body: podOf("pod") },
    "create a pod that is denied": {
      method: "POST",
      path: pathOf("pods", restricted),
      body: podOf("host", { hostNetwork: true }),
    },
    "create a pod that violates": { method: "POST", path: pathOf("pods", restricted), body: podOf("violating") },
    "create an invalid pod": { method: "POST", path: pods, body: podOf("Invalid") },
    "get a status": { path: `${pods}/missing/status` },
    review: {
      method: "POST",
      path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
      body: {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SelfSubjectAccessReview",
        spec: { nonResourceAttributes: { verb: "get", path: "/" } },
      },
    },
    impersonated: {
      path: `${configMaps}/one`,
      headers: { "impersonate-user": "jane", "impersonate-group": "readers" },
    },
    "impersonated account": {
      path: "/apis",
      headers: { "impersonate-user": `system:serviceaccount:${namespace}:robot`, "impersonate-extra-scope": "view" },
    },
    "wrong token": { path: configMaps, as: { ...anonymous, credentials: { kind: "token", token: "wrong" } } },
    anonymous: { path: configMaps, as: anonymous },
    "not logged health": { path: "/healthz" },
    liveness: { path: "/livez" },
    version: { path: "/version" },
    "unknown path": { path: "/nothing/here" },
    "unknown resource": { path: `/api/v1/namespaces/${namespace}/nothings` },
    groups: { path: "/apis" },
    "through proxies": {
      path: "/version",
      headers: { "x-forwarded-for": "10.1.1.1, bad, 10.2.2.2", "x-real-ip": "10.3.3.3" },
    },
  };
}

function podOf(name: string, spec: Json = {}): Json {
  const containers = [{ name: "main", image: "image" }];
  return { apiVersion: "v1", kind: "Pod", metadata: { name }, spec: { containers, ...spec } };
}

// Events are written before the response ends, or soon after.
async function eventsOf(file: string, id: string, isFinal: (event: Json) => boolean): Promise<readonly Json[]> {
  const deadline = performance.now() + LOG_DEADLINE_MS;
  for (;;) {
    const lines = (await readFile(file, "utf8").catch(() => "")).split("\n").filter((line) => line.includes(`"${id}"`));
    const events = lines.map((line) => JSON.parse(line) as Json);
    if (events.some(isFinal) || performance.now() > deadline) return events;
    await delay(20);
  }
}
