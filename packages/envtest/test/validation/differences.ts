import { printLosslessJson } from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema";

import type { Json } from "../conformance/row.ts";
import { isListed } from "./listed-differences.ts";
import { readRequest, sentRequest, type SentRequest, type StoredForms, type VariedRequest } from "./random-requests.ts";
import { comparableOutcome, HUNG_UP, type Outcome, type ValidatedServer } from "./validated-server.ts";

/** The two servers that are compared. */
export interface ServerPair {
  readonly embedded: ValidatedServer;
  readonly kubernetes: ValidatedServer;
}

/** A request that the servers answer differently, with as few edits as possible. */
export interface ValidationDifference {
  /** What differs, without indexes and values: equal for requests with the same cause. */
  readonly signature: string;
  readonly request: SentRequest;
  readonly edits: VariedRequest["edits"];
  readonly embedded: unknown;
  readonly kubernetes: unknown;
}

/** Sends a request to both servers; returns a difference that is not listed, with the fewest edits that cause one. */
export async function differenceOf(
  pair: ServerPair,
  request: VariedRequest,
): Promise<ValidationDifference | undefined> {
  const outcomes = await outcomesOf(pair, request);
  if (outcomes === undefined) return undefined;
  for (const [index] of request.edits.entries()) {
    if (request.edits.length === 1) break;
    const smaller = { ...request, edits: request.edits.toSpliced(index, 1) };
    if ((await outcomesOf(pair, smaller)) !== undefined) return await differenceOf(pair, smaller);
  }
  return describe(request, outcomes);
}

/**
 * Sends a request that both servers accept as a dry run once more, so that it changes their objects.
 *
 * Returns the objects, or a difference that the dry run did not have; undefined if both servers refuse the request. Where an answer is lost,
 * the objects are read: they are returned if both servers have written, or neither.
 */
export async function keepRequest(
  pair: ServerPair,
  request: VariedRequest,
): Promise<StoredForms | ValidationDifference | undefined> {
  const { embedded, kubernetes } = pair;
  const [ours, real] = await Promise.all([
    embedded.send(sentRequest(request, "embedded", { isDryRun: false })),
    kubernetes.send(sentRequest(request, "kubernetes", { isDryRun: false })),
  ]);
  if (ours === HUNG_UP || real === HUNG_UP) return await readAfterLoss(pair, request);
  const outcomes = { embedded: comparableOutcome(ours), kubernetes: comparableOutcome(real) };
  const isEqual = deepEqual(outcomes.embedded, outcomes.kubernetes) || isListed(outcomes);
  if (!isEqual) return describe(request, outcomes);
  return ours.status === 200 && real.status === 200 ? { embedded: ours.body, kubernetes: real.body } : undefined;
}

async function readAfterLoss(
  { embedded, kubernetes }: ServerPair,
  request: VariedRequest,
): Promise<StoredForms | ValidationDifference> {
  const [ours, real] = await Promise.all([
    embedded.send(readRequest(request, "embedded")),
    kubernetes.send(readRequest(request, "kubernetes")),
  ]);
  const outcomes = { embedded: comparableOutcome(ours), kubernetes: comparableOutcome(real) };
  return deepEqual(outcomes.embedded, outcomes.kubernetes)
    ? { embedded: ours.body, kubernetes: real.body }
    : describe(request, outcomes);
}

interface Outcomes {
  readonly embedded: Outcome;
  readonly kubernetes: Outcome;
}

async function outcomesOf({ embedded, kubernetes }: ServerPair, request: VariedRequest): Promise<Outcomes | undefined> {
  const [ours, real] = await Promise.all([
    embedded.outcomeOf(sentRequest(request, "embedded")),
    kubernetes.outcomeOf(sentRequest(request, "kubernetes")),
  ]);
  const isEqual = deepEqual(ours, real) || isListed({ embedded: ours, kubernetes: real });
  return isEqual ? undefined : { embedded: ours, kubernetes: real };
}

function describe(request: VariedRequest, { embedded, kubernetes }: Outcomes): ValidationDifference {
  const [ours, real] = [linesOf(embedded), linesOf(kubernetes)];
  const added = ours.filter((line) => !real.includes(line));
  const missing = real.filter((line) => !ours.includes(line));
  const signature = [...missing.map((line) => `- ${line}`), ...added.map((line) => `+ ${line}`)]
    .map((line) => line.replaceAll(/\[\d+\]/gu, "[]").replace(/(value: )("(?:[^"\\]|\\.)*"|[-\w.]+)/u, "$1…"))
    .slice(0, 4)
    .join(" | ");
  return {
    signature: `${request.base.kind} ${request.verb}: ${signature}`,
    request: sentRequest(request, "kubernetes"),
    edits: request.edits,
    embedded: added.length > 0 ? added : embedded.status,
    kubernetes: missing.length > 0 ? missing : kubernetes.status,
  };
}

// An answer as lines: its causes, or the values of the object.
function linesOf({ status, warnings, body }: Outcome): readonly string[] {
  return [...warnings.map((warning) => `warning: ${warning}`), ...bodyLinesOf(status, body)];
}

function bodyLinesOf(status: number, body: Json): readonly string[] {
  const causes = (body["details"] as Json | undefined)?.["causes"] as readonly Json[] | undefined;
  if (causes !== undefined)
    return [String(status), ...causes.map(({ field, message }) => `${String(field)}: ${String(message)}`)];
  if (body["kind"] === "Status") return [String(status), `message: ${String(body["message"])}`, String(body["reason"])];
  return [String(status), ...leavesOf(body, "")];
}

function leavesOf(value: unknown, path: string): readonly string[] {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0)
    return [`${path} = ${printLosslessJson(value) ?? "undefined"}`];
  return Object.entries(value).flatMap(([key, member]) =>
    leavesOf(member, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`),
  );
}
