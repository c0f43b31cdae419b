import { forbiddenField, unsupportedField, type FieldError } from "@kubescaffold/k8s";

import { badRequest, plainError, resourceVersionTooLarge } from "../request/failures.ts";
import { queryFlag } from "../request/request-context.ts";
import { throwIfInvalid } from "./write-request.ts";

/** The options of a list. */
export interface ListOptions {
  readonly resourceVersion: number | undefined;
  readonly isExact: boolean;
  readonly limit: number;
  readonly continueToken: string;
}

/** Reads the options of a list; fails with 422 or 400 for combinations that mean nothing. */
export function parseListOptions(query: URLSearchParams): ListOptions {
  const match = query.get("resourceVersionMatch") ?? "";
  const versionText = query.get("resourceVersion") ?? "";
  const continueToken = query.get("continue") ?? "";
  throwIfInvalid("ListOptions", [
    ...matchErrors({ match, versionText, continueToken }),
    ...(query.has("sendInitialEvents")
      ? [forbiddenField("sendInitialEvents", "sendInitialEvents is forbidden for list")]
      : []),
  ]);
  const limit = parseInteger(query, "limit") ?? 0;
  parseInteger(query, "timeoutSeconds");
  if (continueToken !== "" && versionText !== "" && versionText !== "0") {
    throw badRequest("specifying resource version is not allowed when using continue");
  }
  const resourceVersion = parseListVersion(query);
  // A limit with a version and no match is exact, for clients older than the match.
  const isLegacyExact = match === "" && limit > 0 && (resourceVersion ?? 0) > 0;
  return {
    resourceVersion,
    isExact: match === "Exact" || isLegacyExact,
    limit: limit > 0 && resourceVersion !== 0 ? limit : 0,
    continueToken,
  };
}

/** The options of a watch. */
export interface WatchOptions {
  readonly resourceVersion: number | undefined;
  readonly sendsInitialEvents: boolean | undefined;
  readonly allowsBookmarks: boolean;
  readonly timeoutMs: number | undefined;
}

/** Reads the options of a watch; fails with 422 for combinations that mean nothing. */
export function parseWatchOptions(query: URLSearchParams): WatchOptions {
  const match = query.get("resourceVersionMatch") ?? "";
  const sendsInitialEvents = query.has("sendInitialEvents") ? queryFlag(query, "sendInitialEvents") : undefined;
  throwIfInvalid("ListOptions", [
    ...watchErrors({ match, sendsInitialEvents }),
    ...((query.get("continue") ?? "") === "" ? [] : [forbiddenField("continue", "continue is forbidden for watch")]),
  ]);
  parseInteger(query, "limit");
  const timeoutSeconds = parseInteger(query, "timeoutSeconds") ?? 0;
  const resourceVersion = parseGetVersion(query);
  const allowsBookmarks = queryFlag(query, "allowWatchBookmarks");
  // A watch with initial events and bookmarks receives a bookmark after the initial events.
  const startsOver = allowsBookmarks && (resourceVersion ?? 0) === 0;
  return {
    resourceVersion,
    sendsInitialEvents: sendsInitialEvents ?? (startsOver ? true : undefined),
    allowsBookmarks,
    timeoutMs: timeoutSeconds > 0 ? timeoutSeconds * 1000 : undefined,
  };
}

function matchErrors(input: {
  readonly match: string;
  readonly versionText: string;
  readonly continueToken: string;
}): readonly FieldError[] {
  const { match, versionText, continueToken } = input;
  const field = "resourceVersionMatch";
  if (match === "") {
    return [];
  }
  const errors: FieldError[] = [];
  if (versionText === "") {
    errors.push(forbiddenField(field, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
  }
  if (continueToken !== "") {
    errors.push(forbiddenField(field, "resourceVersionMatch is forbidden when continue is provided"));
  }
  if (match !== "Exact" && match !== "NotOlderThan") {
    errors.push(unsupportedField(field, match, ["Exact", "NotOlderThan", ""]));
  }
  if (match === "Exact" && versionText === "0") {
    errors.push(forbiddenField(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  return errors;
}

function watchErrors({
  match,
  sendsInitialEvents,
}: {
  readonly match: string;
  readonly sendsInitialEvents: boolean | undefined;
}): readonly FieldError[] {
  const field = "resourceVersionMatch";
  const errors: FieldError[] = [];
  if (match !== "" && sendsInitialEvents === undefined) {
    errors.push(
      forbiddenField(field, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"),
    );
  }
  if (match === "" && sendsInitialEvents !== undefined) {
    errors.push(forbiddenField(field, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
  }
  if (match !== "" && match !== "NotOlderThan") {
    errors.push(unsupportedField(field, match, ["NotOlderThan"]));
  }
  return errors;
}

const LARGEST_INTEGER = 2n ** 63n - 1n;
/** Those of 2^64 - 1. */
const MOST_DIGITS = 20;

/** Reads an integer of a query as Go does; undefined when it is not given. Fails: with 400 for any other text. */
export function parseInteger(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) {
    return undefined;
  }
  const problem = !/^[-+]?\d+$/u.test(text)
    ? "invalid syntax"
    : hasManyDigits(text) || abs(BigInt(text.replace("+", ""))) > LARGEST_INTEGER
      ? "value out of range"
      : undefined;
  if (problem !== undefined) {
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: ${problem}`);
  }
  return Number(text);
}

// The conversion to an integer takes more than linear time.
function hasManyDigits(text: string): boolean {
  return text.replace(/^[-+]?0*/u, "").length > MOST_DIGITS;
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** Reads the resourceVersion of a get; undefined when none is given. */
export function parseGetVersion(query: URLSearchParams): number | undefined {
  return parseVersion(query, (text, problem) =>
    plainError(
      `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: ${problem}`,
    ),
  );
}

/** Reads the resourceVersion of a list; undefined when none is given. */
function parseListVersion(query: URLSearchParams): number | undefined {
  return parseVersion(query, (text, problem) =>
    badRequest(
      `invalid resource version: resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: ${problem}`,
    ),
  );
}

/** Returns all digits of a resourceVersion that {@link parseGetVersion} or {@link parseListOptions} has read; undefined when none is given. */
export function exactVersion(query: URLSearchParams): bigint | undefined {
  const text = query.get("resourceVersion") ?? "";
  return text === "" ? undefined : BigInt(text);
}

/** Fails with 504 when a resourceVersion lies in the future. */
export function checkNotFuture(version: bigint | undefined, current: number): void {
  if (version !== undefined && version > current) {
    throw resourceVersionTooLarge(version, current);
  }
}

const LARGEST_VERSION = 2n ** 64n - 1n;

function parseVersion(query: URLSearchParams, fail: (text: string, problem: string) => Error): number | undefined {
  const text = query.get("resourceVersion") ?? "";
  if (text === "") {
    return undefined;
  }
  if (!/^\d+$/.test(text)) {
    throw fail(text, "invalid syntax");
  }
  if (hasManyDigits(text) || BigInt(text) > LARGEST_VERSION) {
    throw fail(text, "value out of range");
  }
  return Number(text);
}
