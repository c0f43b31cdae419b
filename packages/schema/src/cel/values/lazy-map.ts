import { type CelType, structType } from "./cel-type.ts";
import { type CelError, CelMap, type CelValue } from "./cel-value.ts";
import { noSuchOverload } from "./equality.ts";

/** A map whose values are worked out when they are first read, and then kept. */
export class LazyMap extends CelMap {
  readonly type: CelType;
  readonly #values = new Map<string, CelValue>();
  readonly #sources: ReadonlyMap<string, () => CelValue>;

  constructor(typeName: string, sources: ReadonlyMap<string, () => CelValue>) {
    super();
    this.type = structType(typeName);
    this.#sources = sources;
  }

  find(key: CelValue): CelValue | undefined {
    if (typeof key !== "string") return noSuchOverload();
    const source = this.#sources.get(key);
    if (source === undefined) return undefined;
    const value = this.#values.get(key) ?? source();
    this.#values.set(key, value);
    return value;
  }

  keys(): readonly CelValue[] {
    return [...this.#sources.keys()];
  }

  equals(other: CelValue): boolean | CelError {
    return other instanceof LazyMap ? other === this : noSuchOverload();
  }
}
