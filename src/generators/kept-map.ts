import { deserialize, serialize } from "node:v8";

/** Keeps bytes for each key, from one process to the next. */
export interface ByteStore {
  readonly read: (key: string) => Uint8Array | undefined;
  readonly write: (key: string, bytes: Uint8Array) => void;
}

/** Reads a map that was kept; what another program or a broken disk left there is as good as nothing. */
export function readKeptMap<T>(store: ByteStore, key: string): Map<string, T> {
  const bytes = store.read(key);
  if (bytes === undefined) return new Map();
  try {
    const value: unknown = deserialize(bytes);
    return value instanceof Map ? (value as Map<string, T>) : new Map();
  } catch {
    return new Map();
  }
}

/** Keeps a map of plain data. */
export function keepMap(store: ByteStore, key: string, map: ReadonlyMap<string, unknown>): void {
  store.write(key, serialize(map));
}
