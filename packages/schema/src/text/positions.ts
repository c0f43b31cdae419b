import { characterCount } from "./character-count.ts";

const SURROGATE = /[\ud800-\udfff]/;

/** Counts positions of a text in code points, as Go's runes, and as JavaScript does, without a list of them. */
export class Positions {
  readonly text: string;
  /** The number of code points. */
  readonly length: number;
  readonly #isPlain: boolean;

  constructor(text: string) {
    this.text = text;
    this.#isPlain = !SURROGATE.test(text);
    this.length = this.#isPlain ? text.length : characterCount(text);
  }

  /** Returns the index of a code point, at most the length of the text. */
  indexOf(position: number): number {
    if (this.#isPlain || position <= 0) return Math.max(0, position);
    let index = 0;
    for (let left = position; left > 0 && index < this.text.length; left--) {
      index += (this.text.codePointAt(index) ?? 0) > 0xff_ff ? 2 : 1;
    }
    return index;
  }

  /** Returns the position of an index. */
  positionOf(index: number): number {
    return this.#isPlain || index <= 0 ? index : characterCount(this.text.slice(0, index));
  }
}
