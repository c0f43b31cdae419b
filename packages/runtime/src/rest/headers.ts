import path from "node:path";

import type { Impersonation } from "@kubescaffold/k8s";

import type { Logger } from "../log/logger.ts";

/** Returns the headers by which a request is made on behalf of another user. */
export function impersonationHeaders(impersonate: Impersonation | undefined): Record<string, string | string[]> {
  if (impersonate === undefined || impersonate.userName === "") {
    return {};
  }
  const headers: Record<string, string | string[]> = { "impersonate-user": impersonate.userName };
  if (impersonate.uid !== undefined && impersonate.uid !== "") {
    headers["impersonate-uid"] = impersonate.uid;
  }
  if (impersonate.groups !== undefined && impersonate.groups.length > 0) {
    headers["impersonate-group"] = [...impersonate.groups];
  }
  for (const [key, values] of Object.entries(impersonate.extra ?? {})) {
    headers[`impersonate-extra-${escapeKey(key)}`] = [...values];
  }
  return headers;
}

/** Reads `Retry-After` when it is a number of seconds; dates are not. */
export function retryAfterSeconds(header: string | undefined): number | undefined {
  return header !== undefined && /^\d+$/u.test(header.trim()) ? Number(header) : undefined;
}

// Header names take few characters, and are not case-sensitive: everything else is percent-encoded.
function escapeKey(key: string): string {
  return key
    .toLowerCase()
    .replaceAll(/[^!#$&'*+\-.^_`|~0-9a-z]/gu, (character) =>
      [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
    );
}

/**
 * Returns how a program names itself to a server: `<program>/<version> (<system>/<architecture>) kubescaffold`.
 *
 * The server records what stands before the first slash as the owner of written fields.
 */
export function defaultUserAgent(): string {
  const program = path.basename(process.argv[1] ?? "").replace(/\.[cm]?[jt]s$/u, "") || "node";
  const version = process.env["npm_package_version"] ?? "unknown";
  return `${program.replaceAll(/[^\w.-]/gu, "-")}/${version} (${process.platform}/${process.arch}) kubescaffold`;
}

/** What a server says beside its answer: a deprecated version, an unknown field. */
export interface ServerWarning {
  readonly code: number;
  readonly agent: string;
  readonly text: string;
}

/** Is told of every warning that comes with an answer. */
export type WarningHandler = (warning: ServerWarning) => void;

/** Creates a handler that logs warnings of code 299; with `deduplicate` the same text only once. */
export function createWarningLogger(log: Logger, options: { readonly deduplicate?: boolean } = {}): WarningHandler {
  const seen = new Set<string>();
  return ({ code, text }) => {
    if (code !== 299 || text === "" || seen.has(text)) {
      return;
    }
    if (options.deduplicate === true) {
      seen.add(text);
    }
    log.withName("KubeAPIWarningLogger").info(text);
  };
}

// A warning is `299 - "text"`, with a date in quotes after it or not; the quoted text has backslash escapes.
const WARNING = /\s*(\d{3}) (\S+) "((?:[^"\\]|\\.)*)"(?: "[^"]*")?\s*(?:,|$)/uy;

/** Reads the value of `Warning` headers; what does not parse is left out. */
export function parseWarnings(header: string | undefined): readonly ServerWarning[] {
  const warnings: ServerWarning[] = [];
  const pattern = new RegExp(WARNING);
  for (let match = pattern.exec(header ?? ""); match !== null; match = pattern.exec(header ?? "")) {
    const [, code = "", agent = "", text = ""] = match;
    warnings.push({ code: Number(code), agent, text: text.replaceAll(/\\(.)/gu, "$1") });
  }
  return warnings;
}
