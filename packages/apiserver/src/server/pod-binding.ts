import {
  aggregateFieldErrors,
  type FieldError,
  newBadRequest,
  newConflict,
  newNotFound,
  requiredField,
  toTime,
  unsupportedField,
} from "@kubescaffold/k8s";
import type { Pod } from "@kubescaffold/k8s/core/v1";
import { isRecord } from "@kubescaffold/platform";

import type { VirtualCreate, VirtualResource } from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import { conflict, plainError } from "../request/failures.ts";
import type { ApiObject } from "../storage/api-object.ts";

const PODS = { group: "", version: "v1", resource: "pods" } as const;
const BINDING = { group: "", version: "v1", kind: "Binding" } as const;

/** Answers `pods/binding` and `bindings`: puts a pod onto the node that the binding names. */
export function podBindings(context: ServerContext): readonly VirtualResource[] {
  return [
    { ...PODS, subresource: "binding", kind: BINDING, create: (request) => bind(context, request) },
    {
      ...PODS,
      resource: "bindings",
      subresource: "",
      kind: BINDING,
      create: ({ object, ...request }) => {
        const { uid: _uid, ...metadata } = object.metadata;
        const name = metadata.name ?? "";
        return bind(context, { ...request, name, object: { ...object, metadata } });
      },
    },
  ];
}

function bind(context: ServerContext, { namespace, name, object, isDryRun }: VirtualCreate): ApiObject {
  if ((object.metadata.name ?? "") !== name) {
    throw newBadRequest("name in URL does not match name in Binding object");
  }
  const target = targetOf(object);
  const errors = targetErrors(target);
  // Upstream reports them as an error without a status.
  if (errors.length > 0) throw plainError(aggregateFieldErrors(errors));
  const pod = context.objects.get(PODS, { namespace, name });
  if (pod === undefined) throw newNotFound(PODS, name);
  checkPreconditions(object, pod);
  const refusal = refusalOf(name, pod);
  if (refusal !== undefined) throw newConflict(BINDINGS, name, refusal);
  if (!isDryRun) storeBinding(context, { namespace, name, node: target.name, binding: object });
  return { apiVersion: "v1", kind: "Status", metadata: {}, status: "Success", code: 201 };
}

interface Target {
  readonly kind: string;
  readonly name: string;
}

function targetOf(object: ApiObject): Target {
  const { kind = "", name = "" } = isRecord(object["target"]) ? object["target"] : {};
  return { kind: String(kind), name: String(name) };
}

function targetErrors({ kind, name }: Target): readonly FieldError[] {
  return [
    ...(kind === "" || kind === "Node" ? [] : [unsupportedField("target.kind", kind, ["Node", "<empty>"])]),
    ...(name === "" ? [requiredField("target.name")] : []),
  ];
}

function checkPreconditions({ metadata: stated }: ApiObject, { metadata }: ApiObject): void {
  const target = { groupResource: PODS, name: metadata.name ?? "" };
  for (const [field, text] of [
    ["uid", "UID"],
    ["resourceVersion", "ResourceVersion"],
  ] as const) {
    const [wanted = "", found = ""] = [stated[field], metadata[field]];
    if (wanted === "" || wanted === found) continue;
    const key = `/registry/pods/${metadata.namespace ?? ""}/${target.name}`;
    const failed = `Precondition failed: ${text} in precondition: ${wanted}, ${text} in object meta: ${found}`;
    throw conflict(
      target,
      `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${failed}`,
    );
  }
}

const BINDINGS = { group: "", resource: "pods/binding" } as const;

function refusalOf(name: string, { metadata, spec }: Pick<Pod, "metadata" | "spec">): string | undefined {
  if (metadata?.deletionTimestamp !== undefined) return `pod ${name} is being deleted, cannot be assigned to a host`;
  const node = spec?.nodeName ?? "";
  if (node !== "") return `pod ${name} is already assigned to node ${JSON.stringify(node)}`;
  return (spec?.schedulingGates ?? []).length > 0 ? `pod ${name} has non-empty .spec.schedulingGates` : undefined;
}

// The API itself carries a binding out: no user may set the node of a pod by an update.
function storeBinding(
  context: ServerContext,
  {
    namespace,
    name,
    node,
    binding,
  }: { readonly namespace: string; readonly name: string; readonly node: string; readonly binding: ApiObject },
): void {
  const lastTransitionTime = toTime(context.clock.now());
  const labels = { ...binding.metadata.labels, ...topologyOf(context, node) };
  const annotations = binding.metadata.annotations ?? {};
  context.changeStored(PODS, { namespace, name }, (object) => {
    const pod = object as unknown as Pod;
    if (Object.keys(labels).length > 0) pod.metadata.labels = { ...pod.metadata.labels, ...labels };
    if (Object.keys(annotations).length > 0) pod.metadata.annotations = { ...pod.metadata.annotations, ...annotations };
    pod.spec = { containers: [], ...pod.spec, nodeName: node };
    const others = (pod.status?.conditions ?? []).filter(({ type }) => type !== "PodScheduled");
    const { nominatedNodeName: _nominated, ...status } = pod.status ?? {};
    pod.status = {
      ...status,
      conditions: [...others, { type: "PodScheduled", status: "True", lastTransitionTime }],
    };
  });
}

const TOPOLOGY_LABELS = ["topology.kubernetes.io/zone", "topology.kubernetes.io/region"] as const;

// Pods have the zone and region of their node as labels, since 1.35.
function topologyOf({ objects }: ServerContext, node: string): Readonly<Record<string, string>> {
  const labels = objects.get({ group: "", resource: "nodes" }, { namespace: "", name: node })?.metadata.labels ?? {};
  return Object.fromEntries(
    TOPOLOGY_LABELS.flatMap((name) => (labels[name] === undefined ? [] : [[name, labels[name]]])),
  );
}
