import { parseLosslessJson, printLosslessJson, type RestConfig, type Transport } from "@kubescaffold/k8s";

import type { Json } from "../conformance/row.ts";
import { transportOf } from "../conformance/transport.ts";
import type { SentRequest } from "./random-requests.ts";

/** Sends requests to one server, and describes its answers without what differs between servers. */
export class ValidatedServer {
  readonly #transport: Transport;

  constructor(config: RestConfig) {
    this.#transport = transportOf(config);
  }

  /** Returns the status and the body of an answer as they are. */
  async send({ method, path, contentType, body, isRepeatable }: SentRequest): Promise<Outcome> {
    const headers = { "content-type": contentType, "user-agent": "fuzz/v1" };
    const init = { method, headers, ...(body === undefined ? {} : { body: printLosslessJson(body) }) };
    const call = async (): Promise<Response> =>
      await this.#transport(new Request(`http://server.invalid${path}`, init));
    // A connection that is kept open may end while a request is on its way; a write may have happened nevertheless.
    const response = await (isRepeatable ? call().catch(call).catch(call) : call()).catch(hangUpOf);
    if (response === "hung-up") return HUNG_UP;
    // Each starts with its code; Go walks maps in any order.
    const warnings = (response.headers.get("warning") ?? "").split(/, (?=299 )/u).toSorted();
    return { status: response.status, warnings, body: parseLosslessJson(await response.text()) as Json };
  }

  /** Returns an answer in a form that is equal for both servers. */
  async outcomeOf(request: SentRequest): Promise<Outcome> {
    return comparableOutcome(await this.send(request));
  }
}

/** Returns an answer in a form that is equal for both servers. */
export function comparableOutcome({ status, warnings, body }: Outcome): Outcome {
  return { status, warnings, body: comparable(body) as Json };
}

/** The answer to a request whose connection ended, for one that can be repeated again and again: kube-apiserver closes it when it panics. */
export const HUNG_UP: Outcome = { status: 0, warnings: [], body: {} };

function hangUpOf(error: unknown): "hung-up" {
  if ((error as NodeJS.ErrnoException).code === "ECONNRESET") return "hung-up";
  throw error;
}

/** A comparable answer. */
export interface Outcome {
  readonly status: number;
  readonly warnings: readonly string[];
  readonly body: Json;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu;
// Times of requests; those of objects are of other years.
const YEAR = new Date().getUTCFullYear();
const NOW = new RegExp(`${String(YEAR)}-(?!01-01)\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z`, "gu");
// What follows is a comparison of Go's internal structs, line by line.
const COMPARISON = /\n@@[^]*$/u;
// The parser of CEL has its own words.
const SYNTAX = /(?<=Syntax error: )[^]*$/u;
// Go prints its internal structs; which fields these have is no part of the API.
const STRUCT =
  /(Invalid value|Duplicate value|Unsupported value|Too many): (?:null|\{.*\}|\[.*\]|map\[.*\]|"(?:map\[|\{).*")(?=: |$)/u;

/** Returns a value without what differs from run to run. */
function comparable(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll(UUID, "<uid>").replaceAll(NOW, "<now>");
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== "object" || value === null) return value;
  const { resourceVersion: _version, managedFields: _owners, ...others } = value as Json;
  const members = withoutServer(others);
  const details = members["details"] as Json | undefined;
  if (members["kind"] === "Status" && Array.isArray(details?.["causes"])) return comparableStatus(members, details);
  return Object.fromEntries(
    Object.entries(members).map(([key, member]) => [
      key,
      isFreePort(key, member) ? "<port>" : comparable(withoutAddress(key, member)),
    ]),
  );
}

function withoutAddress(key: string, value: unknown): unknown {
  if (key === "clusterIP") return String(value).replace(/^10\.0\.0\.\d+$/u, "<address>");
  return key === "clusterIPs" && Array.isArray(value) ? value.map((item) => withoutAddress("clusterIP", item)) : value;
}

// The servers' users have other names, and the real one writes the status of its flow schemas.
function withoutServer(members: Json): Json {
  const { username: _name, uid: _uid, groups: _groups, ...request } = members;
  if ("signerName" in members) return request;
  const { status: _status, ...others } = members;
  return String(members["apiVersion"]).startsWith("flowcontrol.") ? others : members;
}

// Servers give free ports of nodes in their own order.
function isFreePort(key: string, value: unknown): boolean {
  return (key === "nodePort" || key === "healthCheckNodePort") && typeof value === "number" && value >= 30_000;
}

// Go walks maps in any order. A message is made of the causes.
function comparableStatus(status: Json, details: Json): Json {
  const causes = (details["causes"] as readonly Json[]).map(({ message, ...cause }) => ({
    ...cause,
    message: String(comparable(message)).replace(COMPARISON, "").replace(SYNTAX, "").replace(STRUCT, "$1: <struct>"),
  }));
  const texts = causes.map((cause) => JSON.stringify(cause)).toSorted();
  const { message: _message, ...others } = status;
  return { ...others, details: { ...details, causes: [...new Set(texts)].map((text) => JSON.parse(text) as Json) } };
}
