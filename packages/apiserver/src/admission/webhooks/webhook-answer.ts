import {
  goUnmarshalError,
  newInternalError,
  parseJson,
  ScaffoldError,
  StatusError,
  type JSONValue,
} from "@kubescaffold/k8s";
import type { AdmissionResponse } from "@kubescaffold/k8s/admission/v1";
import { isRecord } from "@kubescaffold/platform";

import type { ReviewVersion } from "../../http/webhook-review.ts";
import { jsonProblem } from "../../request/body.ts";
import { readReview } from "./read-review.ts";

const GROUP = "admission.k8s.io";
const KIND = "AdmissionReview";

/**
 * Thrown when the response of an admission webhook violates the protocol: no response, another UID, another kind, or a patch where none is allowed.
 *
 * Fix: Return an `AdmissionReview` of `admission.k8s.io/v1` with the UID of the request; set `patch` and `patchType` together, and only in mutating webhooks.
 */
export class WebhookAnswerError extends ScaffoldError {
  readonly code = "APISERVER_WEBHOOK_ANSWER";
}

/**
 * Thrown when the patch of a mutating webhook cannot be parsed.
 *
 * Fix: Return a base64-encoded JSON patch (a list of operations) with `patchType: JSONPatch`.
 */
export class WebhookPatchError extends ScaffoldError {
  readonly code = "APISERVER_WEBHOOK_PATCH";
}

/** What the answer of a webhook is about. */
interface ExpectedAnswer {
  readonly uid: string;
  readonly mayPatch: boolean;
  readonly version: ReviewVersion;
}

/** Reads a webhook's answer. Fails: WebhookCallError when it is no review, {@link WebhookAnswerError} when it breaks the protocol. */
export async function readAnswer(text: string, expected: ExpectedAnswer): Promise<AdmissionResponse> {
  const { uid, mayPatch, version } = expected;
  const { response, apiVersion = "/", kind = "" } = await readReview(text, version);
  if (response === undefined || response === null) throw new WebhookAnswerError("webhook response was absent");
  if (version === "v1beta1") return looseResponse(response, mayPatch);
  if (response.uid !== uid) {
    throw new WebhookAnswerError(
      `expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response.uid ?? "")}`,
    );
  }
  if (apiVersion !== `${GROUP}/${version}` || kind !== KIND) {
    throw new WebhookAnswerError(
      `expected webhook response of ${GROUP}/${version}, Kind=${KIND}, got ${apiVersion === "" ? "/" : apiVersion}, Kind=${kind}`,
    );
  }
  if (mayPatch) checkPatch(response);
  else refusePatch(response);
  return response;
}

// Of the older version, neither the UID nor the type of the patch is verified.
function looseResponse(response: AdmissionResponse, mayPatch: boolean): AdmissionResponse {
  const { patch = "", patchType: _patchType, ...others } = response;
  return mayPatch && hasText(patch) ? { ...others, patch, patchType: "JSONPatch" } : others;
}

function checkPatch(response: AdmissionResponse): void {
  const hasPatch = hasText(response.patch);
  const { patchType } = response;
  if (hasPatch && !isSet(patchType))
    throw new WebhookAnswerError("webhook returned response.patch but not response.patchType");
  if (!hasPatch && isSet(patchType))
    throw new WebhookAnswerError("webhook returned response.patchType but not response.patch");
  if ((patchType as string | undefined) === "")
    throw new WebhookAnswerError('webhook returned invalid response.patchType of ""');
}

function refusePatch(response: AdmissionResponse): void {
  if (hasText(response.patch)) throw new WebhookAnswerError("validating webhook may not return response.patch");
  if (isSet(response.patchType)) throw new WebhookAnswerError("validating webhook may not return response.patchType");
}

function hasText(value: string | null | undefined): boolean {
  return isSet(value) && value !== "";
}

function isSet(value: string | null | undefined): boolean {
  return value !== undefined && value !== null;
}

/** Returns the operations of an answer's patch, none without a patch. Fails: {@link WebhookPatchError}. */
export function patchOf({ patch, patchType }: AdmissionResponse): readonly JSONValue[] {
  if (patch === undefined || patch === "") return [];
  const operations = parsePatch(Buffer.from(patch, "base64").toString("utf8"));
  if (operations === null) return [];
  if (!Array.isArray(operations)) throw undecodable(goUnmarshalError(operations, "jsonpatch.Patch"));
  const stranger: unknown = operations.find((operation) => !isRecord(operation));
  if (stranger !== undefined) throw undecodable(goUnmarshalError(stranger, "jsonpatch.Operation"));
  if (operations.length > 0 && patchType !== "JSONPatch") {
    throw new WebhookPatchError(`unsupported patch type ${JSON.stringify(patchType)}`);
  }
  const named = operations as readonly Readonly<Record<string, unknown>>[];
  if (named.some(({ op }) => op !== undefined && typeof op !== "string")) {
    throw newInternalError("Unexpected kind: unknown");
  }
  return operations;
}

function parsePatch(text: string): JSONValue {
  try {
    return parseJson(text) as JSONValue;
  } catch (error) {
    throw undecodable(jsonProblem(text, error), error);
  }
}

function undecodable(problem: string, cause?: unknown): WebhookPatchError {
  return new WebhookPatchError(`received undecodable patch in webhook response: ${problem}`, { cause });
}

/** Creates the server's refusal of a write that a webhook has denied. */
export function denialOf(webhook: string, response: AdmissionResponse): StatusError {
  const result = response.status ?? {};
  const said = result.message !== undefined && result.message !== "" ? result.message : (result.reason ?? "");
  const code = result.code !== undefined && result.code >= 400 ? result.code : 400;
  const prefix = `admission webhook ${JSON.stringify(webhook)} denied the request`;
  return new StatusError({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: said === "" ? `${prefix} without explanation` : `${prefix}: ${said}`,
    ...(result.reason === undefined || result.reason === "" ? {} : { reason: result.reason }),
    ...(result.details === undefined ? {} : { details: result.details }),
    code,
  });
}
