import { addToList } from "@kubescaffold/platform";

import { isRequestUri } from "../../formats/network.ts";
import { type CelType, structType } from "./cel-type.ts";
import { CelError, CelObject, type CelValue } from "./cel-value.ts";
import { noSuchOverload } from "./equality.ts";

const URL_TYPE = structType("kubernetes.URL");

/** Is a URL as Go reads it. */
export class CelUrl extends CelObject {
  readonly type: CelType = URL_TYPE;
  readonly scheme: string;
  readonly userInfo: string | undefined;
  readonly host: string;
  readonly path: string;
  /** What follows the first `?`, or undefined without one. */
  readonly query: string | undefined;
  readonly #opaque: string;
  readonly #fragment: string | undefined;

  constructor(text: string) {
    super();
    const [withoutFragment, fragment] = cut(text, "#");
    const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(withoutFragment)?.[1];
    this.scheme = (scheme ?? "").toLowerCase();
    this.#fragment = fragment;
    const [rest, query] = cut(withoutFragment.slice(scheme === undefined ? 0 : scheme.length + 1), "?");
    this.query = query;
    const isRooted = rest.startsWith("/") || rest === "*";
    this.#opaque = isRooted ? "" : rest;
    const hasAuthority = rest.startsWith("//") && (scheme !== undefined || !rest.startsWith("///"));
    const authority = hasAuthority ? (rest.slice(2).split("/", 1)[0] ?? "") : "";
    const at = authority.lastIndexOf("@");
    this.userInfo = at < 0 ? undefined : authority.slice(0, at);
    this.host = unescapeOr(authority.slice(at + 1));
    this.path = isRooted ? rest.slice(hasAuthority ? 2 + authority.length : 0) : "";
  }

  get hostname(): string {
    const bracketed = /^\[(.*)\]/.exec(this.host)?.[1];
    return bracketed ?? this.host.split(":", 1)[0] ?? "";
  }

  get port(): string {
    return /^(?:\[.*\])?[^:[\]]*:(?<port>\d+)$/.exec(this.host)?.groups?.["port"] ?? "";
  }

  /** The path as it is, or re-escaped where it has characters that a path must not have. */
  get escapedPath(): string {
    if (/^[-A-Za-z0-9_.~$&+,/:;=@!'()*[\]%]*$/.test(this.path)) return this.path;
    return Array.from(unescapeOr(this.path), (char) =>
      /[-A-Za-z0-9_.~$&+,/:;=@]/.test(char) ? char : escaped(char),
    ).join("");
  }

  equals(other: CelValue): boolean | CelError {
    return other instanceof CelUrl ? String(other) === String(this) : noSuchOverload();
  }

  override toString(): string {
    const scheme = this.scheme === "" ? "" : `${this.scheme}:`;
    const authority =
      this.host === "" && this.userInfo === undefined
        ? ""
        : `//${this.userInfo === undefined ? "" : `${this.userInfo}@`}${this.host}`;
    const suffix = [
      this.query === undefined ? "" : `?${this.query}`,
      this.#fragment === undefined ? "" : `#${this.#fragment}`,
    ];
    return `${scheme}${this.#opaque}${authority}${this.escapedPath}${suffix.join("")}`;
  }
}

function cut(text: string, separator: string): readonly [string, string?] {
  const index = text.indexOf(separator);
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}

function unescapeOr(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function escaped(char: string): string {
  return Array.from(
    new TextEncoder().encode(char),
    (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`,
  ).join("");
}

/** Reads a URL: an absolute one, or an absolute path. */
export function readUrl(text: string): CelUrl | CelError {
  if (isRequestUri(text)) return new CelUrl(text);
  return new CelError(`URL parse error during conversion from string: ${urlProblem(text)}`);
}

/** Says in Go's words what is wrong with a URL. */
export function urlProblem(text: string): string {
  return `parse ${JSON.stringify(text)}: ${reasonOf(text)}`;
}

function reasonOf(text: string): string {
  if (text === "") return "empty url";
  if (Array.from(text).some((char) => char < " " || char === "\x7f"))
    return "net/url: invalid control character in URL";
  if (text.startsWith(":")) return "missing protocol scheme";
  const { scheme, authority = "" } =
    /^(?:(?<scheme>[a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/(?<authority>[^/?]*))?/.exec(text)?.groups ?? {};
  if (scheme === undefined && !text.startsWith("/")) return "invalid URI for request";
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  if (host.startsWith("[") && !host.includes("]")) return "missing ']' in host";
  const escape = /%(?![0-9a-fA-F]{2}).{0,2}/.exec(text)?.[0];
  if (escape !== undefined) return `invalid URL escape ${JSON.stringify(escape)}`;
  const bad = /[^A-Za-z0-9\-._~!$&'()*+,;=:[\]<>"%\u0080-\u{10ffff}]/u.exec(host)?.[0];
  if (bad !== undefined) return `invalid character ${JSON.stringify(bad)} in host name`;
  const port = /:[^:\]]*$/.exec(host)?.[0] ?? "";
  return `invalid port ${JSON.stringify(port)} after host`;
}

/** Reads a query as Go does: what it cannot read is left out. */
export function readQuery(query: string): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const part of query.split("&")) {
    if (part === "" || part.includes(";")) continue;
    const [key, value] = cut(part, "=").map((text) => unescapeQuery(text ?? ""));
    if (key === undefined || (part.includes("=") && value === undefined)) continue;
    addToList(values, key, value ?? "");
  }
  return values;
}

function unescapeQuery(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}
