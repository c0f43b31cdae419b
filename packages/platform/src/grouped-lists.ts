/** Adds an item to the list of a key, which begins with it: in place, so that many items of one key take no more time than those of many. */
export function addToList<K, V>(lists: Map<K, V[]>, key: K, item: V): void {
  const known = lists.get(key);
  if (known === undefined) lists.set(key, [item]);
  else known.push(item);
}
