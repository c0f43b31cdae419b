/**
 * Returns a deep copy of an object, which may be changed; objects from the cache are frozen, since all readers share them.
 *
 * Go: `DeepCopy` of API types.
 *
 * @example
 * const guestbook = editable(await client.get(Guestbook, request));
 * guestbook.spec.size = 3;
 * await client.update(guestbook);
 */
export function editable<T>(object: T): T {
  return structuredClone(object);
}

const FROZEN =
  /^Cannot (?:assign to read only property|add property|delete property|define property|redefine property) /u;

/** Returns a hint for an error of changing a frozen object; undefined for other errors. */
export function frozenHint(error: unknown): string | undefined {
  return error instanceof TypeError && FROZEN.test(error.message)
    ? "objects from the cache are frozen: change the copy that editable(object) returns"
    : undefined;
}
