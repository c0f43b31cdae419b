import { messageOf, readableError } from "@kubescaffold/k8s";

import { withLogger } from "../log/call-scope.ts";
import type { Logger } from "../log/logger.ts";
import { webhookMetrics } from "../metrics/webhook-metrics.ts";
import { isDefect } from "./defects.ts";
import { readLimited } from "./review.ts";
import type { WebhookServing } from "./webhook-handler.ts";

/** The body of a request, or why there is none. */
export type JsonBody =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "bad"; readonly message: string };

/** Reads the JSON in the body of a request; a body of `limitBytes` is too large itself, as upstream. Messages never quote it. */
export async function readJsonBody(request: Request, limitBytes: number): Promise<JsonBody> {
  const body = await readLimited(request, limitBytes - 1);
  if (body === undefined) return bad(`request entity is too large; limit is ${String(limitBytes)} bytes`);
  if (body === "") return bad("request body is empty");
  const contentType = request.headers.get("content-type") ?? "";
  if (contentType !== "application/json") return bad(`contentType=${contentType}, expected application/json`);
  try {
    return { kind: "json", value: JSON.parse(body) };
  } catch {
    // The message of the parser may quote secrets.
    return bad("the body is not JSON");
  }
}

function bad(message: string): JsonBody {
  return { kind: "bad", message };
}

/** A call of a handler of a program. */
export interface HandlerCall {
  /** What the handler decides, for messages. */
  readonly name: string;
  /** The logger of the call. */
  readonly log: Logger;
  /** The webhook server, which counts defects. */
  readonly serving: WebhookServing | undefined;
}

/** The value that a handler returned, or the message of its failure for the caller. */
export type HandlerResult<T> =
  | { readonly kind: "returned"; readonly value: T }
  | { readonly kind: "failed"; readonly message: string };

/** Runs a handler with its logger. A defect is logged and counted, and its message is not sent. */
export async function callHandler<T>(
  { name, log, serving }: HandlerCall,
  run: () => T | Promise<T>,
): Promise<HandlerResult<T>> {
  try {
    return { kind: "returned", value: await withLogger(log, async () => await run()) };
  } catch (thrown) {
    const error = readableError(thrown);
    if (!isDefect(error)) return { kind: "failed", message: messageOf(error) };
    webhookMetrics(serving?.registry).panics.inc();
    log.error(error, `the ${name} handler failed`);
    return { kind: "failed", message: "the handler failed" };
  }
}
