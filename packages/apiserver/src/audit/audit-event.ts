import type { Status } from "@kubescaffold/k8s/meta/v1";

import type { JsonObject } from "../storage/api-object.ts";
import type { AuditLevel, AuditStage } from "./audit-policy.ts";

/** A user in an event. */
export interface AuditUser {
  /** The name; absent if the request could not be authenticated. */
  readonly username?: string;
  /** The unique ID. */
  readonly uid?: string;
  /** The groups. */
  readonly groups?: readonly string[];
  /** Further attributes. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The object of a request. */
export interface AuditObjectReference {
  /** The plural name of the resource. */
  readonly resource?: string;
  /** The namespace. */
  readonly namespace?: string;
  /** The name of the object. */
  readonly name?: string;
  /** The unique ID that the request states. */
  readonly uid?: string;
  /** The API group. */
  readonly apiGroup?: string;
  /** The version of the API. */
  readonly apiVersion?: string;
  /** The version that the request states. */
  readonly resourceVersion?: string;
  /** The subresource. */
  readonly subresource?: string;
}

/** An event of `audit.k8s.io/v1`: one stage of one request. */
export interface AuditEvent {
  /** The kind. */
  readonly kind: "Event";
  /** The version of its API. */
  readonly apiVersion: "audit.k8s.io/v1";
  /** The level that the policy determined. */
  readonly level: AuditLevel;
  /** The same for all events of a request, and for the header `Audit-Id` of its response. */
  readonly auditID: string;
  /** The stage. */
  readonly stage: AuditStage;
  /** Path and query. */
  readonly requestURI: string;
  /** The verb; for paths that are not about resources, the HTTP method in lower case. */
  readonly verb: string;
  /** Who made the request. */
  readonly user: AuditUser;
  /** Whom the request impersonated. */
  readonly impersonatedUser?: AuditUser;
  /** The addresses of the client, and of proxies. */
  readonly sourceIPs?: readonly string[];
  /** The user agent of the client. */
  readonly userAgent?: string;
  /** The object of the request. */
  readonly objectRef?: AuditObjectReference;
  /** The code of the response; for failures, the whole status. */
  readonly responseStatus?: Partial<Status>;
  /** The object or patch of the request, from the level `Request` on. */
  readonly requestObject?: unknown;
  /** The object of the response, at the level `RequestResponse`. */
  readonly responseObject?: unknown;
  /** When the request was received, in microseconds. */
  readonly requestReceivedTimestamp: string;
  /** When the stage was reached, in microseconds. */
  readonly stageTimestamp: string;
  /** What authorization and admission noted. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Returns an object without its field owners, and those of the items of a list or the rows of a table. */
export function withoutOwners(object: unknown): unknown {
  if (typeof object !== "object" || object === null) return object;
  const { items, rows, ...others } = object as Readonly<Record<string, unknown>>;
  return {
    ...(withoutOwnOwners(others) as object),
    ...(items === undefined ? {} : { items: Array.isArray(items) ? items.map(withoutOwnOwners) : items }),
    ...(Array.isArray(rows) ? { rows: rows.map(withoutOwnersOfRow) } : {}),
  };
}

function withoutOwnOwners(object: unknown): unknown {
  if (typeof object !== "object" || object === null) return object;
  const { metadata, ...others } = object as Readonly<Record<string, unknown>>;
  const { managedFields: _, ...kept } = (metadata ?? {}) as JsonObject;
  return { ...others, ...(metadata === undefined ? {} : { metadata: kept }) };
}

function withoutOwnersOfRow(row: unknown): unknown {
  const { object, ...others } = row as Readonly<Record<string, unknown>>;
  return object === undefined ? others : { ...others, object: withoutOwnOwners(object) };
}
