import { StatusError } from "@kubescaffold/k8s";
import type { AdmissionResponse, AdmissionReview } from "@kubescaffold/k8s/admission/v1";

import { WebhookCallError } from "./webhook-client.ts";

/** Reads a webhook's answer. Fails: {@link WebhookCallError} when it breaks the protocol. */
export function readAnswer(
  text: string,
  expected: { readonly uid: string; readonly mayPatch: boolean },
): AdmissionResponse {
  const review = parse(text);
  if (review.apiVersion !== "admission.k8s.io/v1" || review.kind !== "AdmissionReview") {
    throw new WebhookCallError(
      `expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got ${review.apiVersion}, Kind=${review.kind}`,
    );
  }
  const response = review.response;
  if (response === undefined || response === null) throw new WebhookCallError("webhook response was absent");
  if (response.uid !== expected.uid) {
    throw new WebhookCallError(
      `expected response.uid=${JSON.stringify(expected.uid)}, got ${JSON.stringify(response.uid ?? "")}`,
    );
  }
  checkPatch(response, expected.mayPatch);
  return response;
}

function parse(text: string): AdmissionReview {
  try {
    return JSON.parse(text) as AdmissionReview;
  } catch (error) {
    throw new WebhookCallError(
      `couldn't get version/kind; json parse error: ${error instanceof Error ? error.message : ""}`,
      { cause: error },
    );
  }
}

function checkPatch(response: AdmissionResponse, mayPatch: boolean): void {
  const hasPatch = (response.patch ?? "") !== "";
  const hasType = response.patchType !== undefined && response.patchType !== null;
  if (!mayPatch && (hasPatch || hasType))
    throw new WebhookCallError("validating webhook may not return response.patch or response.patchType");
  if (hasPatch && !hasType) throw new WebhookCallError("webhook returned response.patch but not response.patchType");
  if (hasType && !hasPatch) throw new WebhookCallError("webhook returned response.patchType but not response.patch");
  if (hasType && response.patchType !== "JSONPatch") {
    throw new WebhookCallError(`webhook returned invalid response.patchType of ${JSON.stringify(response.patchType)}`);
  }
}

/** Makes the server's refusal of a write that a webhook has denied. */
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
