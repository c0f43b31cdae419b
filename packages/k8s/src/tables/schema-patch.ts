/** What differs in schemas of another version, by name: their members, and in `properties` those that differ. A value of `null` stands for what that version lacks. */
export type SchemaPatch = Readonly<Record<string, Members | null>>;

type Members = Readonly<Record<string, unknown>>;

/** Returns schemas by name with those of a patch. */
export function patchedSchemas(
  base: Readonly<Record<string, Members>>,
  patch: SchemaPatch,
): Readonly<Record<string, Members>> {
  const changes = Object.entries(patch).map(([name, change]) => {
    const former = base[name];
    return [name, former === undefined || change === null ? change : patchedSchema(former, change)] as const;
  });
  return patchedMembers(base, Object.fromEntries(changes));
}

function patchedSchema(base: Members, { properties, ...others }: Members): Members {
  if (properties === undefined || properties === null) {
    return patchedMembers(base, properties === null ? { ...others, properties } : others);
  }
  const former = (base["properties"] ?? {}) as Members;
  return patchedMembers(base, { ...others, properties: patchedMembers(former, properties as Members) });
}

/** Returns members with those of a patch, of which `null` removes one. Their order is that of their names, as in the tables of each version. */
export function patchedMembers<T>(
  base: Readonly<Record<string, T>>,
  patch: Readonly<Record<string, T | null>>,
): Readonly<Record<string, T>> {
  const entries = Object.entries<T | null>({ ...base, ...patch }).filter(
    (entry): entry is [string, T] => entry[1] !== null,
  );
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
