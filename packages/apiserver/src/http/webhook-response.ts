import { goQuote, parseJson } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";

import { parseYaml } from "../request/body.ts";
import { WebhookCallError } from "./errors.ts";
import { mediaTypeProblem } from "./media-type.ts";
import { checkStruct, STATUS_STRUCT } from "./webhook-review.ts";

/** What a webhook answered, after all redirects. */
export interface WebhookResponse {
  readonly code: number;
  /** The header `Content-Type`, empty without one. */
  readonly contentType: string;
  /** The header `Retry-After`. */
  readonly retryAfter: string | undefined;
  readonly text: string;
}

/** Returns the body of a successful response. Fails: {@link WebhookCallError}, in the words of client-go. */
export async function bodyOfResponse(response: WebhookResponse): Promise<string> {
  const { code, contentType, text } = response;
  const problem = contentType === "" ? undefined : mediaTypeProblem(contentType);
  if (problem !== undefined) throw new WebhookCallError(`Internal error occurred: ${problem}`);
  const isSuccess = code === 101 || (code >= 200 && code <= 206);
  if (!isSuccess) throw new WebhookCallError((await statusMessage(text)) ?? refusalText(response));
  if (text !== "") return text;
  const type = contentType === "" ? "application/json" : contentType;
  throw new WebhookCallError(`0-length response with status code: ${String(code)} and content type: ${type}`);
}

/** Returns how long to wait before the same request is sent again, or undefined when the response is final. */
export function retryDelayMs({ code, retryAfter = "" }: WebhookResponse): number | undefined {
  const isRetryable = code === 429 || code >= 500;
  return isRetryable && /^[+-]?\d+$/u.test(retryAfter) ? Math.max(0, Number(retryAfter)) * 1000 : undefined;
}

async function statusMessage(text: string): Promise<string | undefined> {
  try {
    const value: unknown = text.trimStart().startsWith("{") ? parseJson(text) : await parseYaml(text);
    if (!isRecord(value) || value["kind"] !== "Status" || value["status"] !== "Failure") return undefined;
    checkStruct(value, { struct: STATUS_STRUCT, path: "" });
    return typeof value["message"] === "string" ? value["message"] : "";
  } catch {
    return undefined;
  }
}

const UNKNOWN = "unknown";

const REFUSALS: Readonly<Record<number, (detail: string) => string>> = {
  400: () => "the server rejected our request for an unknown reason",
  401: () => "the server has asked for the client to provide credentials",
  403: (detail) => detail,
  404: () => "the server could not find the requested resource",
  405: () => "the server does not allow this method on the requested resource",
  406: (detail) =>
    detail === "" || detail === UNKNOWN
      ? "the server was unable to respond with a content type that the client supports"
      : detail,
  409: () => "the server reported a conflict",
  415: (detail) => detail,
  422: () => "the server rejected our request due to an error in our request",
  429: () => "the server has received too many requests and has asked us to try again later",
  503: () => "the server is currently unable to handle the request",
  504: () => "the server was unable to return a response in the time allotted, but may still be processing the request",
};

function refusalText({ code, contentType, text }: WebhookResponse): string {
  const isText = contentType === "" || contentType.trimStart().toLowerCase().startsWith("text/");
  const detail = isText ? startOf(text).trim() : UNKNOWN;
  const known = REFUSALS[code]?.(detail);
  if (known !== undefined) return known;
  return code >= 500
    ? `an error on the server (${goQuote(detail)}) has prevented the request from succeeding`
    : `the server responded with the status code ${String(code)} but did not return more information`;
}

const MOST_DETAIL_BYTES = 2048;

function startOf(text: string): string {
  const bytes = Buffer.from(text);
  return bytes.length <= MOST_DETAIL_BYTES ? text : bytes.subarray(0, MOST_DETAIL_BYTES).toString("utf8");
}
