import { objectOf, type Json, type KubeObject, type RowContext } from "../row.ts";

const MERGE = "application/merge-patch+json";
const NODES = "/api/v1/nodes";

/** What the nodes of a row may have. */
interface NodeFields {
  readonly labels?: Json;
  readonly annotations?: Json;
  readonly taints?: readonly Json[];
  readonly resources?: Json;
}

/** Creates a node that is gone when the row is over, and waits until it takes pods, unless the row reports its status. */
export async function createNode(
  context: RowContext,
  name: string,
  fields: NodeFields = {},
  isManual: boolean = false,
): Promise<void> {
  const { labels = {}, annotations = {}, taints = [], resources } = fields;
  const path = `${NODES}/${name}`;
  context.cleanUp(async () => await context.quietly({ method: "DELETE", path }));
  const metadata = { name, labels: { "kubernetes.io/hostname": name, row: context.namespace, ...labels }, annotations };
  const body = { apiVersion: "v1", kind: "Node", metadata, spec: { taints } };
  await context.quietly({ method: "POST", path: NODES, body });
  if (isManual) return;
  await context.eventually({ path }, (answer) => isReady(objectOf(answer)));
  if (resources === undefined) return;
  const status = { capacity: replaced(resources), allocatable: replaced(resources) };
  await context.quietly({ method: "PATCH", path: `${path}/status`, body: { status }, contentType: MERGE });
}

function replaced(resources: Json): Json {
  return { cpu: null, memory: null, pods: null, "ephemeral-storage": null, ...resources };
}

function isReady({ spec, status }: KubeObject): boolean {
  const conditions = (status?.["conditions"] ?? []) as readonly Json[];
  const taints = (spec?.["taints"] ?? []) as readonly Json[];
  return (
    conditions.some(({ type, status: value }) => type === "Ready" && value === "True") &&
    !taints.some(({ key }) => key === "node.kubernetes.io/not-ready")
  );
}

/** Returns the body of a pod for the nodes of the row. */
function podFor(context: RowContext, name: string, spec: Json = {}, metadata: Json = {}): Json {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, ...metadata },
    spec: { nodeSelector: { row: context.namespace }, containers: [{ name: "main", image: "main:1" }], ...spec },
  };
}

/** Returns a container that requests resources. */
export function requesting(requests: Json, resources: Json = {}): Json {
  return { containers: [{ name: "main", image: "main:1", resources: { requests, ...resources } }] };
}

/** Returns the path of the pods of the row, or of one of them. */
export function podsOf({ namespace }: RowContext, name?: string): string {
  return `/api/v1/namespaces/${namespace}/pods${name === undefined ? "" : `/${name}`}`;
}

/** Creates a pod for the nodes of the row. */
export async function createPod(
  context: RowContext,
  name: string,
  spec: Json = {},
  metadata: Json = {},
): Promise<void> {
  const body = podFor(context, name, spec, metadata);
  const answer = await context.quietly({ method: "POST", path: podsOf(context), body });
  if (answer.status !== 201) throw new Error(`cannot create ${name}: ${JSON.stringify(answer.body)}`);
}

/** Waits until a pod has a node, and notes which. */
export async function noteNode(context: RowContext, name: string, step = `${name}: its node`): Promise<string> {
  const answer = await context.eventually({ path: podsOf(context, name) }, (found) => nodeOf(found.body) !== "");
  context.note(step, nodeOf(answer.body));
  return nodeOf(answer.body);
}

function nodeOf(pod: unknown): string {
  const name = (pod as KubeObject).spec?.["nodeName"];
  return typeof name === "string" ? name : "";
}

/** Waits until the scheduler has reported about a pod, in a message with a text, and notes what it said; a further report has its own step. */
export async function noteUnschedulable(
  context: RowContext,
  name: string,
  { text = "", step = name }: { readonly text?: string; readonly step?: string } = {},
): Promise<void> {
  const conditionOf = ({ status }: KubeObject): Json | undefined =>
    ((status?.["conditions"] ?? []) as readonly Json[]).find(({ type }) => type === "PodScheduled");
  const answer = await context.eventually({ path: podsOf(context, name) }, (found) => {
    const condition = conditionOf(objectOf(found));
    return condition?.["status"] === "False" && String(condition["message"]).includes(text);
  });
  context.note(`${step}: unschedulable`, conditionOf(objectOf(answer)));
}

/** Waits for an event about an object of the row, and notes it without what differs. */
export async function noteEvent(context: RowContext, about: string, reason: string, namespace?: string): Promise<void> {
  const path = `/api/v1/namespaces/${namespace ?? context.namespace}/events?fieldSelector=involvedObject.name=${about},reason=${reason}`;
  const answer = await context.eventually({ path }, (list) => (objectOf(list).items ?? []).length > 0);
  const {
    metadata: _metadata,
    reportingInstance: _instance,
    count: _count,
    series: _series,
    ...event
  } = objectOf(answer).items?.[0] ?? ({} as KubeObject);
  context.note(`${about}: event ${reason}`, event);
}

/** Deletes a pod, and waits until it is gone. */
export async function deletePod(context: RowContext, name: string): Promise<void> {
  const path = podsOf(context, name);
  await context.quietly({ method: "DELETE", path });
  await context.eventually({ path }, ({ status }) => status === 404);
}
