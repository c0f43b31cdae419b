import path from "node:path";

import type { Impersonation } from "@kubescaffold/k8s";

import { callLogger } from "../log/call-scope.ts";
import type { Logger } from "../log/logger.ts";
import { InvalidRestConfigError } from "./errors.ts";

/** Returns the headers that impersonate another user. Fails: {@link InvalidRestConfigError} for a text that a header cannot contain. */
export function impersonationHeaders(impersonate: Impersonation | undefined): Record<string, string | string[]> {
  if (impersonate === undefined || impersonate.userName === "") {
    return {};
  }
  const text = (value: string): string => headerText(value, "impersonate");
  const headers: Record<string, string | string[]> = { "impersonate-user": text(impersonate.userName) };
  if (impersonate.uid !== undefined && impersonate.uid !== "") {
    headers["impersonate-uid"] = text(impersonate.uid);
  }
  if (impersonate.groups !== undefined && impersonate.groups.length > 0) {
    headers["impersonate-group"] = impersonate.groups.map(text);
  }
  for (const [key, values] of Object.entries(impersonate.extra ?? {})) {
    headers[`impersonate-extra-${escapeKey(key)}`] = values.map(text);
  }
  return headers;
}

/**
 * Returns the headers in which an authenticating proxy names the user of a request.
 *
 * client-go: transport.SetAuthProxyHeaders
 */
export function authProxyHeaders(user: Impersonation | undefined): Record<string, string | string[]> {
  if (user === undefined) {
    return {};
  }
  const text = (value: string): string => headerText(value, "authProxyUser");
  const headers: Record<string, string | string[]> = { "x-remote-user": text(user.userName) };
  if (user.uid !== undefined && user.uid !== "") {
    headers["x-remote-uid"] = text(user.uid);
  }
  if (user.groups !== undefined && user.groups.length > 0) {
    headers["x-remote-group"] = user.groups.map(text);
  }
  for (const [key, values] of Object.entries(user.extra ?? {})) {
    headers[`x-remote-extra-${escapeKey(key)}`] = values.map(text);
  }
  return headers;
}

/** Describes a character that makes a text unfit for a header, for messages. */
export const UNFIT_CHARACTER = "a character that an HTTP header cannot contain, such as a line break";

/** Reports whether a text can be the value of a header. */
export function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/u.test(text);
}

// Servers read UTF-8, of which a header contains each byte as a character.
function headerText(text: string, setting: string): string {
  const bytes = Buffer.from(text, "utf8").toString("latin1");
  if (isHeaderValue(bytes)) return bytes;
  throw new InvalidRestConfigError(`${setting} contains ${UNFIT_CHARACTER}`);
}

/** Parses `Retry-After` as a number of seconds; dates are ignored. */
export function retryAfterSeconds(header: string | undefined): number | undefined {
  return header !== undefined && /^\d+$/u.test(header.trim()) ? Number(header) : undefined;
}

// Header names allow few characters and ignore case: all others are percent-encoded.
function escapeKey(key: string): string {
  return key
    .toLowerCase()
    .replaceAll(/[^!#$&'*+\-.^_`|~0-9a-z]/gu, (character) =>
      [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
    );
}

/**
 * Returns the `User-Agent` of a program: `<program>/<version> (<system>/<architecture>) kubescaffold`.
 *
 * The server records the part before the first slash as the field manager.
 */
export function defaultUserAgent(): string {
  const program = path.basename(process.argv[1] ?? "").replace(/\.[cm]?[jt]s$/u, "") || "node";
  const version = process.env["npm_package_version"] ?? "unknown";
  return `${program.replaceAll(/[^\w.-]/gu, "-")}/${version} (${process.platform}/${process.arch}) kubescaffold`;
}

/** A warning of a server, for example about a deprecated version or an unknown field. */
export interface ServerWarning {
  /** The warn-code; 299 for warnings of API servers. */
  readonly code: number;
  /** The agent that added the warning; `-` if it is unknown. */
  readonly agent: string;
  /** The text of the warning. */
  readonly text: string;
}

/**
 * Receives every warning of a response.
 *
 * client-go: rest.WarningHandler
 */
export type WarningHandler = (warning: ServerWarning) => void;

/**
 * Creates a handler that logs warnings of code 299; `deduplicate` logs each text only once.
 *
 * client-go: rest.NewWarningWriter
 */
export function createWarningLogger(log: Logger, options: { readonly deduplicate?: boolean } = {}): WarningHandler {
  const seen = new Set<string>();
  return ({ code, text }) => {
    if (code !== 299 || text === "" || seen.has(text)) {
      return;
    }
    if (options.deduplicate === true) {
      seen.add(text);
    }
    (callLogger() ?? log).withName("KubeAPIWarningLogger").info(text);
  };
}

// A warning is `299 - "text"` with an optional quoted date; the text has backslash escapes.
const WARNING = /\s*(\d{3}) (\S+) "((?:[^"\\]|\\.)*)"(?: "[^"]*")?\s*(?:,|$)/uy;

/** Parses the value of `Warning` headers, whose bytes are UTF-8 and come as one character each; invalid parts are skipped. */
export function parseWarnings(header: string | undefined): readonly ServerWarning[] {
  if (header === undefined) return [];
  const warnings: ServerWarning[] = [];
  const pattern = new RegExp(WARNING);
  const decoded = Buffer.from(header, "latin1").toString("utf8");
  for (let match = pattern.exec(decoded); match !== null; match = pattern.exec(decoded)) {
    const [, code = "", agent = "", text = ""] = match;
    warnings.push({ code: Number(code), agent, text: text.replaceAll(/\\(.)/gu, "$1") });
  }
  return warnings;
}
