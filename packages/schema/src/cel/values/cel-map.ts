import { formatDouble, losslessInt } from "./cel-number.ts";
import { type CelType, DYN, mapOf } from "./cel-type.ts";
import { CelMap, CelUint, type CelValue } from "./cel-value.ts";
import { equalValues } from "./equality.ts";

export const MAP_TYPE: CelType = mapOf(DYN, DYN);

/** A map that an expression made; numbers of different types are the same key. */
export class CelDictionary extends CelMap {
  readonly type: CelType = MAP_TYPE;
  readonly #entries = new Map<unknown, readonly [CelValue, CelValue]>();

  constructor(entries: Iterable<readonly [CelValue, CelValue]>) {
    super();
    for (const [key, value] of entries) this.#entries.set(identityOf(key), [key, value]);
  }

  override size(): bigint {
    return BigInt(this.#entries.size);
  }

  override isZero(): boolean {
    return this.#entries.size === 0;
  }

  find(key: CelValue): CelValue | undefined {
    for (const identity of [identityOf(key), ...alternativesTo(key)]) {
      const entry = this.#entries.get(identity);
      if (entry !== undefined) return entry[1];
    }
    return undefined;
  }

  /** Adds an entry; only whoever made the map may, before anything else sees it. */
  protected put(key: CelValue, value: CelValue): void {
    this.#entries.set(identityOf(key), [key, value]);
  }

  keys(): readonly CelValue[] {
    return [...this.#entries.values()].map(([key]) => key);
  }

  entries(): readonly (readonly [CelValue, CelValue])[] {
    return [...this.#entries.values()];
  }

  equals(other: CelValue): boolean {
    if (!(other instanceof CelMap) || other.size() !== this.size()) return false;
    return this.entries().every(([key, value]) => {
      const there = other.find(key);
      return there !== undefined && equalValues(value, there) !== false;
    });
  }
}

// What makes two keys the same to Go: their types and values.
function identityOf(key: CelValue): unknown {
  if (typeof key === "number") return `double ${String(key)}`;
  return key instanceof CelUint ? `uint ${String(key.value)}` : typeof key === "string" ? `string ${key}` : key;
}

function alternativesTo(key: CelValue): readonly unknown[] {
  if (typeof key === "number") {
    const whole = losslessInt(key);
    return whole === undefined ? [] : [whole, `uint ${String(whole)}`];
  }
  if (typeof key === "bigint") return [`uint ${String(key)}`];
  return key instanceof CelUint ? [key.value] : [];
}

/** Writes a key or index as messages show it. */
export function formatKey(key: CelValue): string {
  if (typeof key === "number") return formatDouble(key);
  return key instanceof CelUint ? String(key.value) : String(key);
}
