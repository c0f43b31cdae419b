import { type DeepReadonly, setCondition } from "@kubescaffold/k8s";
import type { Condition } from "@kubescaffold/k8s/meta/v1";

import type { DNSRecord } from "../../api/v1/dnsrecord_types.ts";
import { DnsApiError } from "../dns/dns_api.ts";

/** Retry is the way in which a reconciliation is tried again after a failure. */
export type Retry =
  /** After a change of the object or of its Secret. */
  | { readonly kind: "onChange" }
  /** After a delay that is known. */
  | { readonly kind: "after"; readonly delayMs: number }
  /** With the backoff of the queue. */
  | { readonly kind: "backoff" };

/** Outcome is the content of the condition "Ready", and for a failure when to try again. */
export type Outcome =
  | { readonly status: "True"; readonly reason: "Synced"; readonly message: string }
  | { readonly status: "False"; readonly reason: string; readonly message: string; readonly retry: Retry };

/** CredentialsError is thrown if the Secret does not exist, or lacks a key. */
export class CredentialsError extends Error {}

/** NameTakenError is thrown if the zone has a record with the same name and type that does not belong to the object. */
export class NameTakenError extends Error {}

/** The time between two comparisons with the DNS API, which cannot be watched. */
export const RESYNC_MS = 600_000;

const ON_CHANGE: Retry = { kind: "onChange" };
const AT_RESYNC: Retry = { kind: "after", delayMs: RESYNC_MS };
const DEFAULT_RETRY_AFTER_MS = 30_000;

/** Returns the outcome of an error; undefined for one that is not of the DNS API, such as a conflict at the API server. */
export function outcomeOf(error: unknown): Outcome | undefined {
  if (error instanceof CredentialsError) return failed("CredentialsMissing", error, ON_CHANGE);
  if (error instanceof NameTakenError) return failed("NameTaken", error, AT_RESYNC);
  if (!(error instanceof DnsApiError)) return undefined;
  const { status = 0, retryAfterMs = DEFAULT_RETRY_AFTER_MS } = error;
  if (status === 401 || status === 403) return failed("CredentialsRejected", error, AT_RESYNC);
  if (status === 400 || status === 422) return failed("Rejected", error, ON_CHANGE);
  if (status === 429) return failed("RateLimited", error, { kind: "after", delayMs: retryAfterMs });
  return failed(status === 409 ? "Conflict" : "Unavailable", error, { kind: "backoff" });
}

function failed(reason: string, { message }: Error, retry: Retry): Outcome {
  return { status: "False", reason, message, retry };
}

/** Returns the conditions of an object with those of an outcome. */
export function withOutcome({ status, metadata }: DeepReadonly<DNSRecord>, outcome: Outcome, now: Date): Condition[] {
  const { status: ready, reason, message } = outcome;
  const condition = { type: "Ready", status: ready, reason, message, observedGeneration: metadata.generation };
  return setCondition(status?.conditions, condition, now).conditions;
}

/** Returns the reason of the condition "Ready". */
export function reasonOf({ status }: DeepReadonly<DNSRecord>): string | undefined {
  return status?.conditions?.find(({ type }) => type === "Ready")?.reason;
}
