/** Returns the key under which an object is stored: `namespace/name`, or the name alone without a namespace. */
export function keyOf(key: { readonly namespace: string; readonly name: string }): string {
  return key.namespace === "" ? key.name : `${key.namespace}/${key.name}`;
}

/** Splits what {@link keyOf} returned. */
export function splitKey(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf("/");
  return slash < 0 ? { namespace: "", name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** Returns the range of the keys of a namespace, or of all without one. */
export function keyRange(keys: readonly string[], namespace: string | undefined): { start: number; end: number } {
  if (namespace === undefined || namespace === "") {
    return { start: 0, end: keys.length };
  }
  // "0" is the character after "/".
  return { start: lowerBound(keys, `${namespace}/`), end: lowerBound(keys, `${namespace}0`) };
}

/** Returns the index of the first key that is not less than the given one. */
export function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] as string) < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** Inserts a new key into keys in their order. */
export function insertKey(keys: string[], key: string): void {
  const last = keys.at(-1);
  if (last === undefined || last < key) {
    keys.push(key);
  } else {
    keys.splice(lowerBound(keys, key), 0, key);
  }
}
