import { CelArray, elementsOf, LIST_TYPE } from "../../values/cel-list.ts";
import { CelDictionary, formatKey } from "../../values/cel-map.ts";
import type { CelType } from "../../values/cel-type.ts";
import { CelError, CelList, type CelMap, type CelValue } from "../../values/cel-value.ts";

/** List that a comprehension collects; nothing else sees it before it is finished. */
export class GrowingList extends CelList {
  readonly type: CelType = LIST_TYPE;
  readonly #elements: CelValue[] = [];

  get length(): number {
    return this.#elements.length;
  }

  at(index: number): CelValue {
    return this.#elements[index] ?? null;
  }

  override size(): bigint {
    return BigInt(this.length);
  }

  equals(other: CelValue): boolean | CelError {
    return this.finish().equals(other);
  }

  contains(value: CelValue): boolean | CelError {
    return this.finish().contains(value);
  }

  concat(other: CelList): CelValue {
    this.#elements.push(...elementsOf(other));
    return this;
  }

  finish(): CelArray {
    return new CelArray([...this.#elements]);
  }
}

/** Map that a comprehension collects. */
export class GrowingMap extends CelDictionary {
  add(key: CelValue, value: CelValue): this {
    this.put(key, value);
    return this;
  }

  finish(): CelDictionary {
    return new CelDictionary(this.entries());
  }
}

/** Adds an entry to the map a comprehension collects. */
export function insertEntry(map: CelMap, key: CelValue, value: CelValue): CelValue {
  if (map.find(key) !== undefined) return new CelError(`insert failed: key ${formatKey(key)} already exists`);
  if (map instanceof GrowingMap) return map.add(key, value);
  return new CelDictionary([...map.keys().map((one) => [one, map.find(one) ?? null] as const), [key, value]]);
}
