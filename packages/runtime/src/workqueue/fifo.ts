/** A line of values: first in, first out, at constant cost however long it is. */
export class Fifo<V> {
  #values: (V | undefined)[] = [];
  #head = 0;

  get size(): number {
    return this.#values.length - this.#head;
  }

  push(value: V): void {
    this.#values.push(value);
  }

  /** Takes the first value; only a line that is not empty has one. */
  shift(): V | undefined {
    if (this.#head >= this.#values.length) {
      return undefined;
    }
    const value = this.#values[this.#head];
    this.#values[this.#head++] = undefined;
    if (this.#head === this.#values.length || this.#head > COMPACT_AT) {
      this.#values = this.#values.slice(this.#head);
      this.#head = 0;
    }
    return value;
  }

  clear(): void {
    this.#values = [];
    this.#head = 0;
  }
}

// Copying the rest costs its length, so a long line is compacted seldom.
const COMPACT_AT = 16_384;
