import type { Status } from "@kubescaffold/k8s/meta/v1";

/** The faults that answer with a status. */
export type AnsweredFault = "tooManyRequests" | "internalError" | "unavailable" | "expired";

const ANSWERS: Readonly<
  Record<AnsweredFault, { readonly code: number; readonly reason: string; readonly message: string }>
> = {
  tooManyRequests: { code: 429, reason: "TooManyRequests", message: "chaos: too many requests" },
  internalError: { code: 500, reason: "InternalError", message: "chaos: internal error" },
  unavailable: { code: 503, reason: "ServiceUnavailable", message: "chaos: the server is unavailable" },
  expired: { code: 410, reason: "Expired", message: "chaos: the resourceVersion is too old" },
};

/** Returns the status that a fault answers with. */
export function statusOf(fault: AnsweredFault, retryAfterSeconds?: number): Status {
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    ...ANSWERS[fault],
    ...(retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } }),
  };
}

/** Returns the event that ends a watch whose resourceVersion has expired. */
export function expiredEvent(): string {
  return `${JSON.stringify({ type: "ERROR", object: statusOf("expired") })}\n`;
}
