import { requiredField } from "@kubescaffold/k8s";

import { parseWriteOptions, throwIfInvalid, type WriteOptions } from "./options.ts";

/** Options of server-side apply. */
export interface ApplyOptions extends WriteOptions {
  /** Takes fields from other owners. */
  readonly force: boolean;
}

/**
 * Reads the options of server-side apply from the query.
 *
 * Fails: with 422 when nobody is named who applies, or when a value is not one of those that exist.
 */
export function parseApplyOptions(query: URLSearchParams): ApplyOptions {
  const force = query.get("force");
  const others = new URLSearchParams(query);
  others.delete("force");
  const options = parseWriteOptions(others, "PatchOptions");
  throwIfInvalid(
    "PatchOptions",
    options.fieldManager === "" ? [requiredField("fieldManager", "is required for apply patch")] : [],
  );
  return { ...options, force: force !== null && force !== "false" && force !== "0" };
}
