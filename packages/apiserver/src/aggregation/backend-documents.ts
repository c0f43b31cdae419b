import { parseJson, messageOf } from "@kubescaffold/k8s";

import type { UserInfo } from "../request/request-context.ts";
import type { DelegatedVersion } from "./api-services.ts";
import type { Forwarding } from "./forward.ts";
import { userHeaders } from "./front-proxy.ts";
import type { JsonCheck } from "./json-checks.ts";

const TIMEOUT_MS = 5000;
const LARGEST_DOCUMENT_BYTES = 64 * 1024 * 1024;

/** The user that reads discovery. */
export const DISCOVERY_USER: UserInfo = { name: "system:kube-aggregator", groups: ["system:masters"] };

/** The user that reads OpenAPI documents. */
export const OPEN_API_USER: UserInfo = { name: "system:aggregator", groups: [] };

/** A document that another server serves. */
export interface DocumentRequest {
  readonly path: string;
  readonly accept: string;
  readonly user: UserInfo;
}

/** What another server answered, or why it did not. */
export type DocumentOutcome =
  | { readonly kind: "answer"; readonly status: number; readonly contentType: string; readonly text: string }
  | { readonly kind: "failed"; readonly message: string };

/** A JSON document that another server serves. */
export interface JsonRequest extends DocumentRequest {
  /** A part of the content type, without which the response is another document. */
  readonly answeredAs?: string;
  readonly isDocument: JsonCheck;
}

/** Reads a JSON document of the server that serves a group version; undefined if it does not answer with one. */
export async function backendJson<Document>(
  forwarding: Forwarding,
  version: Pick<DelegatedVersion, "backend">,
  request: JsonRequest,
): Promise<Document | undefined> {
  const text = await backendText(forwarding, version, request);
  return text === undefined ? undefined : decodeDocument<Document>(text, request.isDocument);
}

/** Returns the document in a text; undefined if it is not JSON, or other JSON. */
export function decodeDocument<Document>(text: string, isDocument: JsonCheck): Document | undefined {
  try {
    const document = parseJson(text);
    return isDocument(document) ? (document as Document) : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the text of a document of the server that serves a group version; undefined if it does not answer with one. */
export async function backendText(
  forwarding: Forwarding,
  version: Pick<DelegatedVersion, "backend">,
  { answeredAs = "", ...request }: DocumentRequest & Pick<JsonRequest, "answeredAs">,
): Promise<string | undefined> {
  if (!version.backend.isAvailable) return undefined;
  const answer = await backendDocument(forwarding, version, request);
  const isDocument = answer.kind === "answer" && answer.status === 200 && answer.contentType.includes(answeredAs);
  return isDocument ? answer.text : undefined;
}

/** Reads a document of the server that serves a group version, whether it is available or not. */
export async function backendDocument(
  { client, clock, routeTo }: Forwarding,
  { backend }: Pick<DelegatedVersion, "backend">,
  { path, accept, user }: DocumentRequest,
): Promise<DocumentOutcome> {
  const route = routeTo(backend);
  if (typeof route === "string") return { kind: "failed", message: route };
  const late = new AbortController();
  const timer = clock.setTimeout(() => late.abort(), TIMEOUT_MS);
  try {
    const outcome = await client.call({
      ...route,
      method: "GET",
      path,
      headers: { accept, host: route.location, ...userHeaders(user) },
      body: new Uint8Array(),
      user,
      signal: late.signal,
    });
    if (outcome.kind === "upgraded") {
      outcome.socket.destroy();
      return { kind: "failed", message: "unexpected upgrade" };
    }
    if (outcome.kind === "failed") return { kind: "failed", message: reasonOf(outcome.message, late.signal) };
    const contentType = String(outcome.headers["content-type"] ?? "");
    return { kind: "answer", status: outcome.status, contentType, text: await textOf(outcome.body) };
  } catch (error) {
    return { kind: "failed", message: reasonOf(messageOf(error), late.signal) };
  } finally {
    timer.cancel();
  }
}

function reasonOf(message: string, { aborted }: AbortSignal): string {
  return aborted ? "context deadline exceeded (Client.Timeout exceeded while awaiting headers)" : message;
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > LARGEST_DOCUMENT_BYTES)
      throw new TypeError(`the document exceeds ${String(LARGEST_DOCUMENT_BYTES)} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
