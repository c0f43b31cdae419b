import type { FaultMatch } from "./api-server.ts";

/** Reports whether a request has all fields that a match gives. */
export function isRequestMatch(match: FaultMatch, request: Readonly<Record<keyof FaultMatch, string>>): boolean {
  return FIELDS.every((key) => match[key] === undefined || match[key] === request[key]);
}

const FIELDS: readonly (keyof FaultMatch)[] = ["verb", "group", "resource", "subresource", "namespace", "name", "user"];
