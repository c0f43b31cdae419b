import { badRequest, plainError, resourceVersionTooLarge } from "../request/failures.ts";

/** Reads the resourceVersion of a get; undefined when none is given. */
export function parseGetVersion(query: URLSearchParams): number | undefined {
  return parseVersion(query, (text) =>
    plainError(
      `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`,
    ),
  );
}

/** Reads the resourceVersion of a list; undefined when none is given. */
export function parseListVersion(query: URLSearchParams): number | undefined {
  return parseVersion(query, (text) =>
    badRequest(
      `invalid resource version: resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`,
    ),
  );
}

/** Fails with 504 when a resourceVersion lies in the future. */
export function checkNotFuture(version: number | undefined, current: number): void {
  if (version !== undefined && version > current) {
    throw resourceVersionTooLarge(version, current);
  }
}

function parseVersion(query: URLSearchParams, fail: (text: string) => Error): number | undefined {
  const text = query.get("resourceVersion") ?? "";
  if (text === "") {
    return undefined;
  }
  if (!/^\d+$/.test(text)) {
    throw fail(text);
  }
  return Number(text);
}
