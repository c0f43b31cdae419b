import { deepEqual } from "@kubescaffold/schema";

import type { Json } from "../conformance/row.ts";
import { isListed } from "./listed-differences.ts";
import { sentRequest, type SentRequest, type VariedRequest } from "./random-requests.ts";
import type { Outcome, ValidatedServer } from "./validated-server.ts";

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

interface Outcomes {
  readonly embedded: Outcome;
  readonly kubernetes: Outcome;
}

async function outcomesOf({ embedded, kubernetes }: ServerPair, request: VariedRequest): Promise<Outcomes | undefined> {
  const [ours, real] = await Promise.all([
    embedded.outcomeOf(sentRequest(request, "embedded")),
    kubernetes.outcomeOf(sentRequest(request, "kubernetes")),
  ]);
  const isEqual = deepEqual(ours, real) || isListed({ request, embedded: ours, kubernetes: real });
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
function linesOf({ status, body }: Outcome): readonly string[] {
  const causes = (body["details"] as Json | undefined)?.["causes"] as readonly Json[] | undefined;
  if (causes !== undefined)
    return [String(status), ...causes.map(({ field, message }) => `${String(field)}: ${String(message)}`)];
  if (body["kind"] === "Status") return [String(status), `message: ${String(body["message"])}`, String(body["reason"])];
  return [String(status), ...leavesOf(body, "")];
}

function leavesOf(value: unknown, path: string): readonly string[] {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0)
    return [`${path} = ${JSON.stringify(value)}`];
  return Object.entries(value).flatMap(([key, member]) =>
    leavesOf(member, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`),
  );
}
