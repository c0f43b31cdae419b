import type { ApiObject } from "../storage/api-object.ts";

// Decoding drops empty lists and maps, as upstream's storage does; the checks of a few fields see a difference before.
const pathsOf = new WeakMap<ApiObject, ReadonlySet<string>>();

/** Notes the paths of the empty lists and maps that a request stated, and that its decoded object does not have. */
export function noteStatedEmpty(object: ApiObject, paths: readonly string[]): void {
  if (paths.length > 0) pathsOf.set(object, new Set(paths));
}

/** Reports whether a request stated an empty list or map where its decoded object has none. */
export function statesEmpty(object: ApiObject, path: string): boolean {
  return pathsOf.get(object)?.has(path) === true;
}
