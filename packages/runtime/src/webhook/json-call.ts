import { messageOf, readableError } from "@kubescaffold/k8s";

import { withLogger } from "../log/call-scope.ts";
import type { Logger } from "../log/logger.ts";
import { webhookMetrics } from "../metrics/webhook-metrics.ts";
import { isDefect } from "./defects.ts";
import { readLimited } from "./review.ts";
import type { WebhookServing } from "./webhook-handler.ts";

/** Why a body cannot be read, and the HTTP status for that. */
export interface BadBody {
  readonly kind: "bad";
  readonly code: number;
  readonly message: string;
}

/** Reads the text of a request whose content is JSON; a body of `limitBytes` is too large itself, as upstream. */
export async function readJsonText(
  request: Request,
  limitBytes: number,
): Promise<{ readonly kind: "text"; readonly text: string } | BadBody> {
  const text = await readLimited(request, limitBytes - 1);
  if (text === undefined) return bad(413, `request entity is too large; limit is ${String(limitBytes)} bytes`);
  if (text === "") return bad(400, "request body is empty");
  const contentType = request.headers.get("content-type") ?? "";
  if (contentType !== "application/json") return bad(400, `contentType=${contentType}, expected application/json`);
  return { kind: "text", text };
}

/** Reads the JSON of a request as {@link readJsonText} does. Messages never quote it. */
export async function readJsonBody(
  request: Request,
  limitBytes: number,
): Promise<{ readonly kind: "json"; readonly value: unknown } | BadBody> {
  const body = await readJsonText(request, limitBytes);
  if (body.kind === "bad") return body;
  try {
    return { kind: "json", value: JSON.parse(body.text) };
  } catch {
    // The message of the parser may quote secrets.
    return bad(400, "the body is not JSON");
  }
}

function bad(code: number, message: string): BadBody {
  return { kind: "bad", code, message };
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
