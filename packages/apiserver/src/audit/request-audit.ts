import { isIP } from "node:net";

import { deepClone, parseServerJson } from "@kubescaffold/k8s";
import type { Status } from "@kubescaffold/k8s/meta/v1";

import { quoted } from "../pipeline/extension-points.ts";
import { wholeText } from "../request/joined-text.ts";
import type { Annotation, AuditTrail, RequestInfo, UserInfo } from "../request/request-context.ts";
import { isStreamed, withEnd } from "../request/response-end.ts";
import type { ServerRequest, ServerResponse } from "../request/server-request.ts";
import type { JsonObject } from "../storage/api-object.ts";
import { type AuditEvent, type AuditObjectReference, type AuditUser, withoutOwners } from "./audit-event.ts";
import { AUDIT_LEVELS, type AuditLevel, type AuditStage, type AuditTerms } from "./audit-policy.ts";

const LONGEST_USER_AGENT = 1024;

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** A request that is logged. */
export interface AuditedRequest {
  readonly request: ServerRequest;
  readonly info: RequestInfo;
  /** Who makes it, before impersonation; undefined if that is not known. */
  readonly user: UserInfo | undefined;
  readonly auditId: string;
}

/** Receives the events; a result is awaited before the request goes on, and is `false` if the event is lost and the request must fail. */
export type AuditSink = (event: AuditEvent) => Promise<boolean> | undefined;

/** What a request is logged with. */
export interface AuditInput {
  readonly terms: AuditTerms;
  readonly subject: AuditedRequest;
  readonly sink: AuditSink;
  /** The current time, in microseconds as text. */
  readonly now: () => string;
}

/** Collects what is logged of one request, and logs its stages. */
export class RequestAudit implements AuditTrail {
  readonly #input: AuditInput;
  readonly #received: string;
  readonly #annotations: Record<string, string> = {};
  #objectRef: Mutable<AuditObjectReference> | undefined;
  #impersonated: UserInfo | undefined;
  #requestObject: unknown;
  #responseObject: unknown;
  #responseStatus: Partial<Status> | undefined;

  constructor(input: AuditInput) {
    this.#input = input;
    this.#received = input.now();
    const { info } = input.subject;
    if (!info.isResourceRequest) return;
    const { resource, namespace, name, group, version, subresource } = info;
    this.#objectRef = { resource, namespace, name, apiGroup: group, apiVersion: version, subresource };
  }

  annotate(key: string, value: Annotation, level: AuditLevel = "Metadata"): void {
    if (!this.#has(level) || Object.hasOwn(this.#annotations, key)) return;
    const text = typeof value === "string" ? value : value();
    if (text !== undefined) this.#annotations[key] = text;
  }

  noteImpersonated(user: UserInfo): void {
    this.#impersonated = user;
  }

  noteObject(object: object): void {
    const { metadata = {} } = object as { readonly metadata?: object };
    const stated = metadata as Readonly<Record<string, string | undefined>>;
    const reference = (this.#objectRef ??= {});
    for (const field of ["namespace", "name", "uid", "resourceVersion"] as const) {
      const value = stated[field];
      if ((reference[field] ?? "") === "" && value !== undefined) reference[field] = value;
    }
    if (this.#has("Request")) this.#requestObject = this.#shown(deepClone(object));
  }

  notePatch(text: () => string): void {
    if (this.#has("Request")) this.#requestObject = parsed(text());
  }

  /** Logs that the request was received; see {@link AuditSink} for the result. */
  begin(): Promise<boolean> | undefined {
    return this.#log("RequestReceived", this.#received);
  }

  /** Returns the response to a request whose first event is lost. */
  lost(): ServerResponse {
    const uri = quoted(requestUri(this.#input.subject.request));
    const body = `Internal Server Error: ${uri}: failed to store audit event\n`;
    return { code: 500, contentType: "text/plain; charset=utf-8", body };
  }

  /** Logs the response, and returns it; that of a long-running request is logged at its start and at its end. */
  async finish(response: ServerResponse, isLongRunning: boolean): Promise<ServerResponse> {
    this.#noteResponse(response);
    if (isLongRunning) await this.#log("ResponseStarted");
    const { body } = response;
    if (isStreamed(body)) return { ...response, body: withEnd(body, () => void this.#log("ResponseComplete")) };
    await this.#log("ResponseComplete");
    return response;
  }

  /** Logs a response whose request could not be authenticated. */
  async refuse(response: ServerResponse): Promise<void> {
    this.#noteResponse(response);
    await this.#log("ResponseStarted");
  }

  /** Logs a request that failed because of a defect. */
  async panic(message: string): Promise<void> {
    const text = `APIServer panic'd: ${message}`;
    this.#responseStatus = { metadata: {}, status: "Failure", message: text, reason: "InternalError", code: 500 };
    await this.#log("Panic");
  }

  #noteResponse(response: ServerResponse): void {
    const wantsObject = this.#has("RequestResponse") && describesObjects(this.#input.subject);
    const { code } = response;
    const text = response.isStatus === false && !wantsObject ? undefined : jsonOf(response);
    const isStatus = text?.startsWith('{"kind":"Status"') === true;
    const object = text !== undefined && (isStatus || wantsObject) ? (parseServerJson(text) as JsonObject) : undefined;
    this.#responseStatus = isStatus ? statusOf(object as unknown as Status, code) : { metadata: {}, code };
    if (wantsObject && object !== undefined) this.#responseObject = this.#shown(object);
  }

  #has(level: AuditLevel): boolean {
    return AUDIT_LEVELS.indexOf(this.#input.terms.level) >= AUDIT_LEVELS.indexOf(level);
  }

  #shown(object: unknown): unknown {
    return this.#input.terms.omitManagedFields ? withoutOwners(object) : object;
  }

  #log(stage: AuditStage, time: string = this.#input.now()): Promise<boolean> | undefined {
    const { terms, subject, sink } = this.#input;
    if (terms.omitStages.includes(stage)) return undefined;
    const { request, info, user, auditId } = subject;
    const annotations = Object.entries(this.#annotations).sort(([left], [right]) => (left < right ? -1 : 1));
    const event = {
      kind: "Event",
      apiVersion: "audit.k8s.io/v1",
      level: terms.level,
      auditID: auditId,
      stage,
      requestURI: requestUri(request),
      verb: info.verb,
      user: auditUser(user),
      impersonatedUser: this.#impersonated === undefined ? undefined : auditUser(this.#impersonated),
      sourceIPs: sourceAddresses(request),
      userAgent: userAgent(request),
      objectRef: this.#objectRef === undefined ? undefined : filled(this.#objectRef),
      responseStatus: this.#responseStatus,
      requestObject: this.#requestObject,
      responseObject: this.#responseObject,
      requestReceivedTimestamp: this.#received,
      stageTimestamp: time,
      annotations: annotations.length === 0 ? undefined : Object.fromEntries(annotations),
    };
    return sink(present(event) as unknown as AuditEvent);
  }
}

function jsonOf({ contentType, body, json }: ServerResponse): string | undefined {
  if (json !== undefined) return json();
  // That the client has the object already is said without a body.
  if (!contentType.startsWith("application/json")) return undefined;
  const text = wholeText(body);
  return text === "" ? undefined : text;
}

// A patch that cannot be read is logged as it is.
function parsed(text: string): unknown {
  try {
    return parseServerJson(text);
  } catch {
    return text;
  }
}

// Other documents than those of discovery are no objects.
function describesObjects({ info }: AuditedRequest): boolean {
  return info.isResourceRequest || /^\/apis?(?:\/|$)/u.test(info.path);
}

function statusOf({ status, message, reason, details }: Status, code: number): Partial<Status> {
  return present({ metadata: {}, status, message, reason, details, code });
}

function present(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

const REFERENCE_FIELDS = [
  "resource",
  "namespace",
  "name",
  "uid",
  "apiGroup",
  "apiVersion",
  "resourceVersion",
  "subresource",
] as const;

function filled(reference: AuditObjectReference): AuditObjectReference {
  const entries = REFERENCE_FIELDS.map((field) => [field, reference[field] ?? ""] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== ""));
}

function auditUser(user: UserInfo | undefined): AuditUser {
  if (user === undefined) return {};
  const { name, uid = "", groups, extra = {} } = user;
  return {
    username: name,
    ...(uid === "" ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

function requestUri({ path, query, target }: ServerRequest): string {
  if (target !== undefined) return target;
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
}

function userAgent(request: ServerRequest): string | undefined {
  const agent = request.header("user-agent") ?? "";
  if (agent === "") return undefined;
  return agent.length > LONGEST_USER_AGENT ? `${agent.slice(0, LONGEST_USER_AGENT)}...TRUNCATED` : agent;
}

const LOOPBACK = "127.0.0.1";

// A client within the process has no address, and is as near as one on the same machine.
function sourceAddresses(request: ServerRequest): readonly string[] {
  const { remoteAddress = LOOPBACK } = request;
  const forwarded = (request.header("x-forwarded-for") ?? "").split(",").map((text) => text.trim());
  const addresses = forwarded.filter((text) => isIP(text) > 0);
  const real = request.header("x-real-ip") ?? "";
  if (isIP(real) > 0 && !addresses.includes(real)) addresses.push(real);
  const remote = remoteAddress.replace(/^::ffff:(?=\d+\.)/u, "");
  return addresses.at(-1) === remote ? addresses : [...addresses, remote];
}
