import { isBase64 } from "./base64.ts";
import { isIp } from "./ip-address.ts";

/**
 * Reports whether a text is one mail address of RFC 5322, as Go's `mail.ParseAddress` reads it: with a display name, comments, or as the
 * only member of a group.
 *
 * _Guarantees_: linear time.
 */
export function isEmail(text: string): boolean {
  const read = readAddress(text, 0, { isGroupAllowed: true });
  return read?.count === 1 && skipComments(text, read.end) === text.length;
}

interface Addresses {
  readonly count: number;
  readonly end: number;
}

function readAddress(text: string, start: number, options: { isGroupAllowed: boolean }): Addresses | undefined {
  const at = skipSpaces(text, start);
  const bareEnd = readAddressSpec(text, at);
  if (bareEnd !== undefined) {
    const end = readNameInComment(text, skipSpaces(text, bareEnd));
    return end === undefined ? undefined : { count: 1, end };
  }
  const nameEnd = text[at] === "<" ? at : readPhrase(text, at);
  if (nameEnd === undefined) return undefined;
  const open = skipSpaces(text, nameEnd);
  if (options.isGroupAllowed && text[open] === ":") return readGroup(text, open + 1);
  const close = text[open] === "<" ? readAddressSpec(text, open + 1) : undefined;
  return close !== undefined && text[close] === ">" ? { count: 1, end: close + 1 } : undefined;
}

function readGroup(text: string, start: number): Addresses | undefined {
  let at: number | undefined = skipSpaces(text, start);
  let count = 0;
  while (at !== undefined && (count > 0 || text[at] !== ";")) {
    const member = readAddress(text, at, { isGroupAllowed: false });
    const end: number | undefined = member === undefined ? undefined : skipComments(text, member.end);
    if (end === undefined) return undefined;
    count++;
    if (text[end] === ";") {
      at = end;
      break;
    }
    at = text[end] === "," ? end + 1 : undefined;
  }
  const end = at === undefined ? undefined : skipComments(text, at + 1);
  return end === undefined ? undefined : { count, end };
}

/** Reads `local@domain`, and returns the index behind it. */
function readAddressSpec(text: string, start: number): number | undefined {
  const at = skipSpaces(text, start);
  const localEnd = text[at] === '"' ? readQuoted(text, at) : readDotAtom(text, at);
  const isEmpty = text.startsWith('""', at);
  if (localEnd === undefined || isEmpty || text[localEnd] !== "@") return undefined;
  const domain = skipSpaces(text, localEnd + 1);
  return text[domain] === "[" ? readDomainLiteral(text, domain) : readDotAtom(text, domain);
}

function readDotAtom(text: string, start: number): number | undefined {
  const end = skipAtom(text, start);
  const atom = text.slice(start, end);
  return atom === "" || atom.startsWith(".") || atom.endsWith(".") || atom.includes("..") ? undefined : end;
}

function skipAtom(text: string, start: number): number {
  let at = start;
  while (isVisible(text.charCodeAt(at)) && !'()<>[]:;@\\,"'.includes(text.charAt(at))) at++;
  return at;
}

function isVisible(code: number): boolean {
  return (code > 0x20 && code < 0x7f) || code >= 0x80;
}

function readQuoted(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') return at + 1;
    if (char === "\\") at++;
    if (!isVisible(text.charCodeAt(at)) && text[at] !== " " && text[at] !== "\t") return undefined;
  }
  return undefined;
}

function readDomainLiteral(text: string, start: number): number | undefined {
  const close = text.indexOf("]", start);
  return close < 0 || !isIp(text.slice(start + 1, close)) ? undefined : close + 1;
}

// Whatever follows the first word of a phrase and is no word ends it.
function readPhrase(text: string, start: number): number | undefined {
  let at = start;
  for (let count = 0; ; count++) {
    const next: number | undefined = count === 0 ? at : skipComments(text, at);
    if (next === undefined) return undefined;
    at = next;
    const end = text[at] === '"' ? readQuoted(text, at) : skipAtom(text, at);
    if (end === undefined || end === at) return count === 0 ? undefined : at;
    if (text[at] !== '"' && hasUnknownCharset(text.slice(at, end))) return count === 0 ? undefined : end;
    at = end;
  }
}

function skipSpaces(text: string, start: number): number {
  let at = start;
  while (text[at] === " " || text[at] === "\t") at++;
  return at;
}

function skipComments(text: string, start: number): number | undefined {
  let at = skipSpaces(text, start);
  while (text[at] === "(") {
    const end = skipComment(text, at);
    if (end === undefined) return undefined;
    at = skipSpaces(text, end);
  }
  return at;
}

function skipComment(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (char === "\\") at++;
    else if (char === "(") depth++;
    else if (char === ")") depth--;
    if (depth === 0) return at + 1;
  }
  return undefined;
}

// A comment behind a bare address is its display name.
function readNameInComment(text: string, start: number): number | undefined {
  if (text[start] !== "(") return start;
  const end = skipComment(text, start);
  if (end === undefined) return undefined;
  const name = text.slice(start + 1, end - 1).replaceAll(/\\([^])/g, "$1");
  return name.split(/[ \t]/).some((word) => hasUnknownCharset(word)) ? undefined : end;
}

const KNOWN_CHARSETS: ReadonlySet<string> = new Set(["utf-8", "iso-8859-1", "us-ascii"]);

// An encoded word of RFC 2047 (`=?utf-8?q?word?=`) that decodes, in a character set that Go does not know.
function hasUnknownCharset(word: string): boolean {
  if (!word.startsWith("=?") || !word.endsWith("?=")) return false;
  const [charset = "", encoding = "", content, ...rest] = word.slice(2, -2).split("?");
  if (charset === "" || content === undefined || rest.length > 0) return false;
  return (
    isEncoded(encoding.toLowerCase(), content) && !KNOWN_CHARSETS.has(charset.toLowerCase().replaceAll("\u017f", "s"))
  );
}

function isEncoded(encoding: string, content: string): boolean {
  switch (encoding) {
    case "b":
      return content === "" || isBase64(content.replaceAll(/[\r\n]/g, ""));
    case "q":
      return /^(?:[\t\n\r -<>-~]|=[0-9a-fA-F]{2})*$/.test(content);
    default:
      return false;
  }
}
