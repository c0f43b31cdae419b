import type { Node, Pod } from "@kubescaffold/k8s/core/v1";

import type { Logger } from "../../log/logger.ts";
import type { WebhookContextFunction } from "../webhook-handler.ts";

/** The highest score of a node; the lowest is 0. kube-scheduler multiplies scores with the weight of the extender. */
export const MAX_SCORE = 10;

/** The context of a handler of an extender. */
export interface ExtenderContext {
  /** A logger with the Pod. */
  readonly log: Logger;
  /** Aborts when kube-scheduler cancels the call or the webhook server stops. */
  readonly signal: AbortSignal;
}

/** A handler of an extender, and where it logs. */
export interface ExtenderOptions<Handler> {
  /** Decides for the extender. */
  readonly handler: Handler;
  /** The logger. Default: {@link log}. */
  readonly log?: Logger;
  /** Returns the values that `contextValues` returns in the handler. Default: those of the manager. */
  readonly contextFunc?: WebhookContextFunction;
}

/** A Pod, and the nodes on which it may run. */
export interface NodesRequest {
  /** The Pod that needs a node. */
  readonly pod: Pod;
  /** The names of the nodes. */
  readonly nodeNames: readonly string[];
  /** The nodes themselves; undefined if the extender is configured with `nodeCacheCapable`. */
  readonly nodes?: readonly Node[];
}

/** The nodes that are left, and why others are not. */
export interface FilterResult {
  /** The names of nodes of the request. */
  readonly nodeNames: readonly string[];
  /** Messages by the names of nodes that cannot run the Pod now, but could if other Pods were gone. */
  readonly failed?: Readonly<Record<string, string>>;
  /** Messages by the names of nodes that cannot run the Pod, whichever Pods are preempted. */
  readonly unresolvable?: Readonly<Record<string, string>>;
}

/** Selects the nodes on which a Pod may run. */
export type FilterHandler = (request: NodesRequest, context: ExtenderContext) => FilterResult | Promise<FilterResult>;

/** Returns whole scores from 0 to {@link MAX_SCORE} by the names of nodes; a node without a score has 0. */
export type PrioritizeHandler = (
  request: NodesRequest,
  context: ExtenderContext,
) => Readonly<Record<string, number>> | Promise<Readonly<Record<string, number>>>;

/** A Pod, and the node that it shall run on. */
export interface BindingRequest {
  /** The namespace of the Pod. */
  readonly namespace: string;
  /** The name of the Pod. */
  readonly name: string;
  /** The UID of the Pod. */
  readonly uid: string;
  /** The name of the node. */
  readonly nodeName: string;
}

/** Creates the binding of a Pod. kube-scheduler retries the Pod if it throws. */
export type BindingHandler = (request: BindingRequest, context: ExtenderContext) => void | Promise<void>;

/** The Pods of a node that would be deleted to make room. */
export interface Victims {
  /** The UIDs of the Pods. */
  readonly podUids: readonly string[];
  /** How many of them violate a PodDisruptionBudget. */
  readonly pdbViolations: number;
}

/** A Pod that fits no node, and the victims by the names of the nodes that it would fit without them. */
export interface PreemptionRequest {
  /** The Pod that needs a node. */
  readonly pod: Pod;
  /** The victims by the names of their nodes. */
  readonly victims: ReadonlyMap<string, Victims>;
  /** The Pods among the victims, by UID; empty if the extender is configured with `nodeCacheCapable`. */
  readonly pods: ReadonlyMap<string, Pod>;
}

/** Returns the nodes that are left, with their victims: Pods of that node. */
export type PreemptionHandler = (
  request: PreemptionRequest,
  context: ExtenderContext,
) => ReadonlyMap<string, Victims> | Promise<ReadonlyMap<string, Victims>>;
