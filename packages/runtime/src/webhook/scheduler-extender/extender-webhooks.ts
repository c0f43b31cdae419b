import { isRecord } from "@kubescaffold/platform";

import { log as rootLog } from "../../log/root-logger.ts";
import { callHandler, type HandlerResult, readJsonBody } from "../json-call.ts";
import { type WebhookHandler, type WebhookServing, withValuesOf } from "../webhook-handler.ts";
import {
  type BindingHandler,
  type ExtenderContext,
  type ExtenderOptions,
  type FilterHandler,
  type FilterResult,
  MAX_SCORE,
  type NodesRequest,
  type PreemptionHandler,
  type PrioritizeHandler,
  type Victims,
} from "./extender-handlers.ts";
import { readBinding, readNodes, readPreemption } from "./extender-requests.ts";

/**
 * Serves the `filterVerb` of an extender of kube-scheduler.
 *
 * Guarantees: the response is an `ExtenderFilterResult` with HTTP status 200. If the handler throws, or returns names that are not in the request, it has
 * an error, and the Pod is retried, or the extender is skipped if it is `ignorable`.
 */
export function filterWebhook(options: ExtenderOptions<FilterHandler>): WebhookHandler {
  return async (request, serving) => {
    const read = await readCall(request, readNodes);
    if (typeof read === "string") return Response.json({ Error: read });
    const result = await run(options, { request, serving, pod: podOf(read) }, async (context) =>
      filterResultOf(read, await options.handler(read, context)),
    );
    return Response.json(result.kind === "failed" ? { Error: result.message } : result.value);
  };
}

/**
 * Serves the `prioritizeVerb` of an extender of kube-scheduler.
 *
 * Guarantees: the response is a `HostPriorityList` with HTTP status 200. If the handler throws, or returns other scores than whole numbers from 0 to
 * {@link MAX_SCORE} for nodes of the request, the status is 500, and kube-scheduler goes on without these scores.
 */
export function prioritizeWebhook(options: ExtenderOptions<PrioritizeHandler>): WebhookHandler {
  return async (request, serving) => {
    const read = await readCall(request, readNodes);
    if (typeof read === "string") return failure(400, read);
    const result = await run(options, { request, serving, pod: podOf(read) }, async (context) =>
      prioritiesOf(read, await options.handler(read, context)),
    );
    return result.kind === "failed" ? failure(500, result.message) : Response.json(result.value);
  };
}

/**
 * Serves the `bindVerb` of an extender of kube-scheduler, which then binds no Pods itself.
 *
 * Guarantees: the response is an `ExtenderBindingResult` with HTTP status 200; if the handler throws, it has the error.
 */
export function bindWebhook(options: ExtenderOptions<BindingHandler>): WebhookHandler {
  return async (request, serving) => {
    const read = await readCall(request, readBinding);
    if (typeof read === "string") return Response.json({ Error: read });
    const pod = { namespace: read.namespace, name: read.name };
    const result = await run(options, { request, serving, pod }, async (context) => options.handler(read, context));
    return Response.json({ Error: result.kind === "failed" ? result.message : "" });
  };
}

/**
 * Serves the `preemptVerb` of an extender of kube-scheduler.
 *
 * Guarantees: the response is an `ExtenderPreemptionResult` with HTTP status 200. If the handler throws, or returns nodes or Pods that are not in the
 * request, the status is 500, and no Pod is preempted, unless the extender is `ignorable`.
 */
export function preemptWebhook(options: ExtenderOptions<PreemptionHandler>): WebhookHandler {
  return async (request, serving) => {
    const read = await readCall(request, readPreemption);
    if (typeof read === "string") return failure(400, read);
    const result = await run(options, { request, serving, pod: podOf(read) }, async (context) =>
      preemptionResultOf(read.victims, await options.handler(read, context)),
    );
    return result.kind === "failed" ? failure(500, result.message) : Response.json(result.value);
  };
}

/** The nodes of 5,000 nodes are about 50 MB. */
const BODY_LIMIT_BYTES = 128 * 1024 * 1024;

async function readCall<T>(
  request: Request,
  read: (value: Record<string, unknown>) => T | string,
): Promise<T | string> {
  const body = await readJsonBody(request, BODY_LIMIT_BYTES);
  if (body.kind === "bad") return body.message;
  return isRecord(body.value) ? read(body.value) : "the body is not a JSON object";
}

interface PodName {
  readonly namespace: string;
  readonly name: string;
}

function podOf({ pod }: Pick<NodesRequest, "pod">): PodName {
  return { namespace: pod.metadata.namespace ?? "", name: pod.metadata.name ?? "" };
}

async function run<T>(
  options: ExtenderOptions<unknown>,
  call: { readonly request: Request; readonly serving: WebhookServing | undefined; readonly pod: PodName },
  handle: (context: ExtenderContext) => Promise<T>,
): Promise<HandlerResult<T>> {
  const { request, serving, pod } = call;
  const log = (options.log ?? rootLog).withName("scheduler-extender").withValues({ pod });
  return await withValuesOf(options.contextFunc, request, async () =>
    callHandler({ name: "extender", log, serving }, async () => handle({ log, signal: request.signal })),
  );
}

function failure(status: number, message: string): Response {
  return new Response(`${message}\n`, { status, headers: { "content-type": "text/plain; charset=utf-8" } });
}

// kube-scheduler reads names or nodes, whichever it has sent.
function filterResultOf(request: NodesRequest, { nodeNames, failed = {}, unresolvable = {} }: FilterResult): object {
  const left = new Set(nodeNames);
  requireNodes(request, [...left, ...Object.keys(failed), ...Object.keys(unresolvable)]);
  const names =
    request.nodes === undefined
      ? { NodeNames: [...left] }
      : { Nodes: { items: request.nodes.filter(({ metadata }) => left.has(metadata.name ?? "")) } };
  return { ...names, FailedNodes: failed, FailedAndUnresolvableNodes: unresolvable, Error: "" };
}

function prioritiesOf(request: NodesRequest, scores: Readonly<Record<string, number>>): object {
  requireNodes(request, Object.keys(scores));
  return request.nodeNames.map((name) => ({ Host: name, Score: scoreOf(name, scores) }));
}

function scoreOf(name: string, scores: Readonly<Record<string, number>>): number {
  const score = Object.hasOwn(scores, name) ? scores[name] : 0;
  if (Number.isInteger(score) && Number(score) >= 0 && Number(score) <= MAX_SCORE) return Number(score);
  throw new Error(
    `the handler returned the score ${String(score)} for the node ${name}; scores are whole numbers from 0 to ${String(MAX_SCORE)}`,
  );
}

function preemptionResultOf(known: ReadonlyMap<string, Victims>, left: ReadonlyMap<string, Victims>): object {
  const victims = [...left].map(([name, { podUids, pdbViolations }]) => {
    const proposed = known.get(name);
    if (proposed === undefined)
      throw new Error(`the handler returned victims of the node ${name}, which is not in the request`);
    const unknown = podUids.find((uid) => !proposed.podUids.includes(uid));
    if (unknown !== undefined) {
      throw new Error(`the handler returned the victim ${unknown} of the node ${name}, which is not in the request`);
    }
    return [name, { Pods: podUids.map((uid) => ({ UID: uid })), NumPDBViolations: pdbViolations }] as const;
  });
  return { NodeNameToMetaVictims: Object.fromEntries(victims) };
}

function requireNodes({ nodeNames }: NodesRequest, names: readonly string[]): void {
  const known = new Set(nodeNames);
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) throw new Error(`the handler returned the node ${unknown}, which is not in the request`);
}
