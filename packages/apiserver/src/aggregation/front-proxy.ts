import type { OutgoingHttpHeaders } from "node:http";

import { encodeHeader } from "../http/in-process.ts";
import type { UserInfo } from "../request/request-context.ts";

/** Returns the headers that state the user of a request to a server that trusts this one. */
export function userHeaders({ name, uid = "", groups, extra = {} }: UserInfo): OutgoingHttpHeaders {
  const entries = Object.entries(extra).map(
    ([key, values]) => [`x-remote-extra-${escapedKey(key)}`, values.map((value) => encodeHeader(value))] as const,
  );
  return {
    "x-remote-user": encodeHeader(name),
    ...(uid === "" ? {} : { "x-remote-uid": encodeHeader(uid) }),
    ...(groups.length === 0 ? {} : { "x-remote-group": groups.map((group) => encodeHeader(group)) }),
    ...Object.fromEntries(entries),
  };
}

/** Reports whether a client must not set a header of requests to other servers. */
export function isUserHeader(name: string): boolean {
  return /^x-remote-(?:user|uid|group|extra-.*)$/u.test(name);
}

const TOKEN_BYTE = /^[\w!#$&'*+.^`|~-]$/u;

// Bytes that a name of a header cannot have, and the escape character itself, are percent-encoded.
function escapedKey(key: string): string {
  return Array.from(Buffer.from(key, "utf8"), (byte) => {
    const character = String.fromCodePoint(byte);
    return TOKEN_BYTE.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
}
