import { isRecord } from "@kubescaffold/platform";

import type { Logger } from "../log/logger.ts";
import { log as rootLog } from "../log/root-logger.ts";
import { callHandler, readJsonBody } from "./json-call.ts";
import { type WebhookContextFunction, type WebhookHandler, withValuesOf } from "./webhook-handler.ts";

/** The limit of the body of a review in bytes: a token or the attributes of a request have some KiB. */
const BODY_LIMIT_BYTES = 1024 * 1024;

/** A kind of reviews, such as `TokenReview`. */
export interface Review {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: { readonly uid?: string };
  readonly spec: object;
}

/** The context of a handler of reviews. */
export interface ReviewContext {
  /** A logger with the ID of the request. */
  readonly log: Logger;
  /** Aborts when the API server cancels the call or the webhook server stops. */
  readonly signal: AbortSignal;
}

/** A kind of reviews of an API server, in the versions `v1` and `v1beta1`. */
export interface ReviewProtocol<R extends Review, Status> {
  /** The name of the logger, and in messages. */
  readonly name: string;
  readonly kind: string;
  readonly group: string;
  /** Returns the spec in version v1, or what is wrong with it. */
  readonly readSpec: (spec: Readonly<Record<string, unknown>>, version: string) => R["spec"] | string;
  /** Whether a handler in JavaScript returned a status that may be sent. */
  readonly isStatus: (status: Status) => boolean;
  /** Returns the status for a review that could not be decided. */
  readonly undecided: (message: string) => Status;
}

/** The handler of reviews, and where it logs. */
export interface ReviewOptions<R extends Review, Status> {
  readonly handler: (
    review: R,
    context: ReviewContext,
  ) => { readonly status: Status } | Promise<{ readonly status: Status }>;
  readonly log?: Logger | undefined;
  readonly contextFunc?: WebhookContextFunction | undefined;
}

/** Serves reviews over HTTP: the response is always a review with HTTP status 200, in the requested version. */
export function reviewWebhook<R extends Review, Status>(
  protocol: ReviewProtocol<R, Status>,
  options: ReviewOptions<R, Status>,
): WebhookHandler {
  const log = (options.log ?? rootLog).withName(protocol.name);
  return async (request, serving) => {
    const read = await readReview(protocol, request);
    if (read.kind === "bad") {
      log.error(new TypeError(read.message), "bad request");
      return reply({}, protocol.undecided(read.message));
    }
    const { review, head } = read;
    const callLog = log.withValues({ requestID: review.metadata.uid ?? "" });
    const status = await withValuesOf(options.contextFunc, request, async () => {
      const result = await callHandler({ name: protocol.name, log: callLog, serving }, async () => {
        const context = { log: callLog, signal: request.signal };
        const { status: decided } = await options.handler(review, context);
        return protocol.isStatus(decided) ? decided : protocol.undecided("the handler returned an invalid response");
      });
      return result.kind === "returned" ? result.value : protocol.undecided(result.message);
    });
    return reply(head, status);
  };
}

interface ReviewHead {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly uid?: string;
}

type ReviewRead<R> =
  | { readonly kind: "review"; readonly head: ReviewHead; readonly review: R }
  | { readonly kind: "bad"; readonly message: string };

async function readReview<R extends Review, Status>(
  protocol: ReviewProtocol<R, Status>,
  request: Request,
): Promise<ReviewRead<R>> {
  const body = await readJsonBody(request, BODY_LIMIT_BYTES);
  return body.kind === "bad" ? body : parseReview(protocol, body.value);
}

function parseReview<R extends Review, Status>(
  { kind: expected, group, readSpec }: ReviewProtocol<R, Status>,
  value: unknown,
): ReviewRead<R> {
  if (!isRecord(value)) return bad("the body is not a JSON object");
  const { apiVersion = `${group}/v1`, kind = expected, metadata, spec = {} } = value;
  const version = [`${group}/v1`, `${group}/v1beta1`].find((each) => each === apiVersion);
  if (kind !== expected || version === undefined) {
    return bad(`the body is not a ${expected} of ${group}/v1 or v1beta1`);
  }
  if (!isRecord(spec)) return bad("spec is not an object");
  const read = readSpec(spec, version.slice(group.length + 1));
  if (typeof read === "string") return bad(read);
  const uid = isRecord(metadata) && typeof metadata["uid"] === "string" ? { uid: metadata["uid"] } : {};
  const review: Review = { apiVersion: `${group}/v1`, kind: expected, metadata: uid, spec: read };
  return { kind: "review", head: { kind: expected, apiVersion: version, ...uid }, review: review as R };
}

function bad(message: string): { readonly kind: "bad"; readonly message: string } {
  return { kind: "bad", message };
}

function reply<Status>({ kind, apiVersion, uid }: ReviewHead, status: Status): Response {
  return Response.json({
    ...(kind === undefined ? {} : { kind, apiVersion }),
    metadata: uid === undefined ? {} : { uid },
    spec: {},
    status,
  });
}

/** Whether a value is a list of strings, or absent. */
export function isListOfStrings(value: unknown): value is readonly string[] | undefined | null {
  if (value === undefined || value === null) return true;
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
