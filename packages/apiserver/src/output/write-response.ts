import { StatusError } from "@kubescaffold/k8s";
import type { Status } from "@kubescaffold/k8s/meta/v1";

import { internalError } from "../request/failures.ts";
import type { OutputFormat } from "../request/request-context.ts";
import type { ServerResponse } from "../request/server-request.ts";

/** A JSON text that goes out in the form that a client asked for. */
interface JsonAnswer {
  readonly code: number;
  readonly text: string;
  readonly output: OutputFormat;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** Creates the answer of a JSON text. */
export async function jsonAnswer({ code, text, output, headers }: JsonAnswer): Promise<ServerResponse> {
  if (output.mediaType === "application/yaml") {
    // YAML is rare and its printer large.
    const { printYaml } = await import("@kubescaffold/k8s/yaml");
    return { code, contentType: "application/yaml", body: printYaml(JSON.parse(text)), ...(headers && { headers }) };
  }
  const body = output.isPretty ? `${JSON.stringify(JSON.parse(text), undefined, 2)}\n` : `${text}\n`;
  return { code, contentType: "application/json", body, ...(headers && { headers }) };
}

/** Creates the answer of a failure; what is not a status is a fault of the server. */
export function statusOf(error: unknown): Status {
  if (error instanceof StatusError) {
    return error.status;
  }
  return internalError(error instanceof Error ? (error.stack ?? error.message) : String(error)).status;
}

/** Returns the headers that a failure has beside its body. */
export function statusHeaders(status: Status): Record<string, string> {
  const retryAfter = status.details?.retryAfterSeconds;
  return {
    ...(retryAfter === undefined || retryAfter === 0 ? {} : { "Retry-After": String(retryAfter) }),
    ...(status.code === 403 ? { "X-Content-Type-Options": "nosniff" } : {}),
  };
}

const LONGEST_WARNINGS = 4096;
const LONGEST_TRUNCATED_WARNING = 256;

/** Returns the values of the `Warning` headers, one for each distinct text. */
export function warningHeaders(warnings: readonly string[]): readonly string[] {
  const texts = [...new Set(warnings)];
  const total = texts.reduce((sum, text) => sum + text.length, 0);
  const shown = total > LONGEST_WARNINGS ? texts.map((text) => text.slice(0, LONGEST_TRUNCATED_WARNING)) : texts;
  return shown.map((text) => `299 - "${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`);
}

/** The answer for paths that nobody serves; not a status. */
export const PAGE_NOT_FOUND: ServerResponse = {
  code: 404,
  contentType: "text/plain; charset=utf-8",
  headers: { "X-Content-Type-Options": "nosniff" },
  body: "404 page not found\n",
};
