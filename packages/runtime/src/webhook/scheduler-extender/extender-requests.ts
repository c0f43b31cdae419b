import type { Node, Pod } from "@kubescaffold/k8s/core/v1";
import { isRecord } from "@kubescaffold/platform";

import { isListOfStrings } from "../review-webhook.ts";
import type { BindingRequest, NodesRequest, PreemptionRequest, Victims } from "./extender-handlers.ts";

type Body = Readonly<Record<string, unknown>>;

/** Reads `ExtenderArgs`; returns what is wrong with them. */
export function readNodes({ Pod: pod, Nodes: nodes, NodeNames: names }: Body): NodesRequest | string {
  if (!isNamed(pod)) return "Pod is not an object with a name";
  if (nodes === undefined || nodes === null) {
    if (!Array.isArray(names) || !isListOfStrings(names)) return "there are neither Nodes nor NodeNames";
    return { pod: pod as unknown as Pod, nodeNames: names };
  }
  const items = isRecord(nodes) ? (nodes["items"] ?? []) : undefined;
  if (!Array.isArray(items) || !items.every(isNamed)) return "Nodes is not a list of nodes with names";
  const list = items as unknown as readonly Node[];
  return { pod: pod as unknown as Pod, nodeNames: list.map(({ metadata }) => metadata.name ?? ""), nodes: list };
}

/** Reads `ExtenderBindingArgs`; returns what is wrong with them. */
export function readBinding(body: Body): BindingRequest | string {
  const { PodNamespace: namespace, PodName: name, PodUID: uid, Node: nodeName } = body;
  const all = { namespace, name, uid, nodeName };
  const isComplete = Object.values(all).every((value) => typeof value === "string" && value !== "");
  return isComplete ? (all as BindingRequest) : "PodNamespace, PodName, PodUID, and Node must be texts";
}

/** Reads `ExtenderPreemptionArgs`; returns what is wrong with them. */
export function readPreemption(body: Body): PreemptionRequest | string {
  const { Pod: pod, NodeNameToVictims: whole, NodeNameToMetaVictims: meta } = body;
  if (!isNamed(pod)) return "Pod is not an object with a name";
  const byNode = whole ?? meta ?? {};
  if (!isRecord(byNode)) return "the victims are not an object";
  const victims = new Map<string, Victims>();
  const pods = new Map<string, Pod>();
  for (const [name, ofNode] of Object.entries(byNode)) {
    const read = readVictims(ofNode);
    if (read === undefined) return `the victims of the node ${name} are not a list of Pods`;
    victims.set(name, { podUids: read.map(({ uid }) => uid), pdbViolations: violationsOf(ofNode) });
    if (whole !== undefined && whole !== null)
      for (const { uid, value } of read) pods.set(uid, value as unknown as Pod);
  }
  return { pod: pod as unknown as Pod, victims, pods };
}

function readVictims(ofNode: unknown): readonly { readonly uid: string; readonly value: Body }[] | undefined {
  if (!isRecord(ofNode)) return undefined;
  const pods = ofNode["Pods"] ?? [];
  if (!Array.isArray(pods)) return undefined;
  const read = pods.map((value: unknown) => ({ uid: uidOf(value), value: value as Body }));
  return read.every((each): each is { readonly uid: string; readonly value: Body } => each.uid !== undefined)
    ? read
    : undefined;
}

// A Pod, or a `MetaPod`, which has nothing else.
function uidOf(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined;
  const uid = isRecord(value["metadata"]) ? value["metadata"]["uid"] : value["UID"];
  return typeof uid === "string" ? uid : undefined;
}

function violationsOf(ofNode: unknown): number {
  const count = isRecord(ofNode) ? ofNode["NumPDBViolations"] : undefined;
  return typeof count === "number" ? count : 0;
}

function isNamed(value: unknown): value is Body {
  return isRecord(value) && isRecord(value["metadata"]) && typeof value["metadata"]["name"] === "string";
}
