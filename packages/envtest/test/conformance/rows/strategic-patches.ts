import { objectOf, type Answer, type Json, type Row, type RowContext } from "../row.ts";

const STRATEGIC = "application/strategic-merge-patch+json";

/** Patches of a Deployment, by what is wrong with them. */
const PATCHES: Readonly<Record<string, unknown>> = {
  "text as spec": { spec: "x" },
  "list as spec": { spec: [1] },
  "text as replicas": { spec: { replicas: "x" } },
  "fraction as replicas": { spec: { replicas: 1.5 } },
  "boolean as labels": { metadata: { labels: true } },
  "number as label": { metadata: { labels: { a: 1 } } },
  "text as metadata": { metadata: "x" },
  "list as metadata": { metadata: [] },
  "null as metadata": { metadata: null },
  "text as containers": { spec: { template: { spec: { containers: "x" } } } },
  "object as containers": { spec: { template: { spec: { containers: { name: "c" } } } } },
  "texts as containers": { spec: { template: { spec: { containers: ["x"] } } } },
  "containers without names": { spec: { template: { spec: { containers: [{ image: "i" }] } } } },
  "number as name of a container": { spec: { template: { spec: { containers: [{ name: 1, image: "i" }] } } } },
  "text as ports": { spec: { template: { spec: { containers: [{ name: "c", ports: "x" }] } } } },
  "number as finalizers": { metadata: { finalizers: 1 } },
  "numbers as finalizers": { metadata: { finalizers: [1] } },
  "another kind": { kind: "StatefulSet" },
  "an unknown kind": { kind: "Nothing" },
  "an empty kind": { kind: "" },
  "a number as kind": { kind: 1 },
  "null as kind": { kind: null },
  "another version": { apiVersion: "apps/v1beta1" },
  "another group": { apiVersion: "v1" },
  "a broken version": { apiVersion: "a/b/c" },
  "another name": { metadata: { name: "other" } },
  "another namespace": { metadata: { namespace: "other" } },
  "another uid": { metadata: { uid: "11111111-1111-4111-8111-111111111111" } },
  "an unknown directive": { spec: { $patch: "bogus" } },
  "a number as directive": { spec: { $patch: 1 } },
  "a boolean as directive": { $patch: true },
  "a fraction as directive": { $patch: 1.5 },
  "a number as directive of an item": { spec: { template: { spec: { containers: [{ name: "c", $patch: 1 }] } } } },
  "an unknown directive of an item": { spec: { template: { spec: { containers: [{ name: "c", $patch: "x" }] } } } },
  "text as paused": { spec: { paused: "x" } },
  "fraction as label": { metadata: { labels: { a: 1.5 } } },
  "boolean as label": { metadata: { labels: { a: true } } },
  "object as label": { metadata: { labels: { a: {} } } },
  "number as pull policy": { spec: { template: { spec: { containers: [{ name: "c", imagePullPolicy: 1 }] } } } },
  "boolean as pull policy": { spec: { template: { spec: { containers: [{ name: "c", imagePullPolicy: true }] } } } },
  "text as limits": { spec: { template: { spec: { containers: [{ name: "c", resources: { limits: "x" } }] } } } },
  "a large number as replicas": { spec: { replicas: 2 ** 40 } },
  "text to retain": { spec: { strategy: { $retainKeys: "x" } } },
  "an order of another type": { spec: { template: { spec: { "$setElementOrder/containers": "x" } } } },
  "a deletion from primitives of another type": { metadata: { "$deleteFromPrimitiveList/finalizers": "x" } },
  "unknown fields": { spec: { unknown: 1 }, other: {} },
};

const DEPLOYMENT: Json = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "strategic" },
  spec: {
    replicas: 1,
    selector: { matchLabels: { a: "b" } },
    template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } },
  },
};

/** Rows about strategic merge patches that do not fit the kind. */
export const STRATEGIC_PATCH_ROWS: readonly Row[] = [
  { row: 744, title: "strategic merge patches of another type, kind, or identity", run: runPatches },
];

async function runPatches({ namespace, quietly, note }: RowContext): Promise<void> {
  const folder = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  await quietly({ method: "POST", path: folder, body: DEPLOYMENT });
  for (const [name, body] of Object.entries(PATCHES)) {
    const path = `${folder}/strategic?dryRun=All`;
    note(name, outcomeOf(await quietly({ method: "PATCH", path, body, contentType: STRATEGIC })));
  }
}

function outcomeOf(answer: Answer): unknown {
  const { message, reason, details, metadata, spec } = objectOf(answer) as Json & { readonly metadata: Json };
  if (answer.status !== 200) return { status: answer.status, message, reason, details };
  const { name, labels, finalizers } = metadata;
  return { name, labels, finalizers, spec };
}
