import { crd } from "../kinds.ts";
import type { Json, Row, RowContext } from "../row.ts";
import { installCrd } from "./install-crd.ts";

const MERGE = "application/merge-patch+json";
const LABELS = { z: "1", a: "2" };
const OTHER = { matchExpressions: [{ key: "k", operator: "In", values: ["1"] }], matchLabels: { y: "1", b: "1" } };

/** Rows about the objects that messages print. */
export const PRINTED_OBJECT_ROWS: readonly Row[] = [
  {
    row: 720,
    title: "messages print the fields of structs in their order, and the keys of maps sorted",
    run: async (context) => {
      await printSelectors(context);
      await printRoles(context);
      await printEnums(context);
    },
  },
];

async function printSelectors({ namespace, quietly, send }: RowContext): Promise<void> {
  const template = { metadata: { labels: LABELS }, spec: { containers: [{ name: "c", image: "i" }] } };
  const changed = { spec: { selector: OTHER, template: { metadata: { labels: { y: "1", b: "1", k: "1" } } } } };
  for (const [plural, kind] of Object.entries({
    deployments: "Deployment",
    replicasets: "ReplicaSet",
    daemonsets: "DaemonSet",
  })) {
    const path = `/apis/apps/v1/namespaces/${namespace}/${plural}`;
    const body = {
      apiVersion: "apps/v1",
      kind,
      metadata: { name: "a" },
      spec: { selector: { matchLabels: LABELS }, template },
    };
    await quietly({ method: "POST", path, body });
    await send(`selector of ${plural}`, {
      method: "PATCH",
      path: `${path}/a?dryRun=All`,
      body: changed,
      contentType: MERGE,
    });
  }
  const job = { apiVersion: "batch/v1", kind: "Job", metadata: { name: "a" } };
  const pod = { ...template, spec: { ...template.spec, restartPolicy: "Never" } };
  const spec = { selector: OTHER, template: pod };
  await send("selector of jobs", {
    method: "POST",
    path: `/apis/batch/v1/namespaces/${namespace}/jobs`,
    body: { ...job, spec },
  });
}

async function printRoles({ namespace, quietly, send }: RowContext): Promise<void> {
  const path = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings`;
  const roleRef = { name: "view", kind: "ClusterRole", apiGroup: "rbac.authorization.k8s.io" };
  const body = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "RoleBinding", metadata: { name: "a" }, roleRef };
  await quietly({ method: "POST", path, body });
  const changed = { roleRef: { name: "edit" } };
  await send("role of a binding", { method: "PATCH", path: `${path}/a`, body: changed, contentType: MERGE });
}

async function printEnums(context: RowContext): Promise<void> {
  const group = "row720.example.com";
  const parts = { zz: { type: "string" }, b: { type: "integer" } };
  const choice = { type: "object", properties: parts, enum: [{ zz: "<1>", b: 2 }] };
  const schema: Json = { spec: { type: "object", properties: { choice } } };
  await installCrd(context, crd({ group, kind: "Choice", schema }));
  const body = {
    apiVersion: `${group}/v1`,
    kind: "Choice",
    metadata: { name: "a" },
    spec: { choice: { zz: "2", b: 3 } },
  };
  const path = `/apis/${group}/v1/namespaces/${context.namespace}/choices`;
  await context.send("value of an enum", { method: "POST", path, body });
}
