/**
 * Returns a short text that a pattern in Go's syntax is likely to match; each unbounded repetition gives `more` items than it must. Undefined for syntax
 * that is not read here: callers check the text against the pattern.
 */
export function textForPattern(pattern: string, more: number): string | undefined {
  try {
    return new PatternReader(pattern, more).read();
  } catch (error) {
    if (error instanceof UnreadPattern) return undefined;
    throw error;
  }
}

class UnreadPattern extends Error {}

// Groups that nest deeper have no short text anyway.
const MOST_LEVELS = 50;
const MOST_CHARACTERS = 4096;
const PREFERRED = ["a", "1", "A", "-", ".", "/", " ", "_", ":"];
const CLASSES: Readonly<Record<string, string>> = { d: "1", w: "a", s: " ", D: "a", W: "-", S: "a" };
const POSIX: Readonly<Record<string, string>> = {
  alnum: "a",
  alpha: "a",
  digit: "1",
  lower: "a",
  upper: "A",
  word: "a",
};

class PatternReader {
  readonly #pattern: string;
  readonly #more: number;
  #at = 0;
  #level = 0;

  constructor(pattern: string, more: number) {
    this.#pattern = pattern;
    this.#more = more;
  }

  read(): string {
    const text = this.#alternatives();
    if (this.#at < this.#pattern.length) throw new UnreadPattern();
    return text;
  }

  #alternatives(): string {
    const [first = ""] = this.#branches();
    return first;
  }

  #branches(): readonly string[] {
    if (++this.#level > MOST_LEVELS) throw new UnreadPattern();
    const found = [this.#sequence()];
    while (this.#take("|")) found.push(this.#sequence());
    this.#level--;
    return found;
  }

  #sequence(): string {
    let text = "";
    while (this.#at < this.#pattern.length && !"|)".includes(this.#peek())) {
      const item = this.#item();
      const repetitions = this.#repetitions();
      if (text.length + item.length * repetitions > MOST_CHARACTERS) throw new UnreadPattern();
      text += item.repeat(repetitions);
    }
    return text;
  }

  #item(): string {
    const character = this.#next();
    if (character === "^" || character === "$") return "";
    if (character === ".") return "a";
    if (character === "[") return this.#characterClass();
    if (character === "\\") return this.#escape();
    if (character !== "(") return character;
    if (this.#take("?")) {
      const flags = /^(?:P?<[^>]+>|[imsU]*:)/u.exec(this.#pattern.slice(this.#at))?.[0];
      if (flags === undefined) throw new UnreadPattern();
      this.#at += flags.length;
    }
    const text = this.#alternatives();
    if (!this.#take(")")) throw new UnreadPattern();
    return text;
  }

  #escape(): string {
    const letter = this.#next();
    if ("AzbB".includes(letter)) return "";
    if (/[pPQxC]/u.test(letter)) throw new UnreadPattern();
    return CLASSES[letter] ?? letter;
  }

  #characterClass(): string {
    const isNegated = this.#take("^");
    const ranges: (readonly [string, string])[] = [];
    for (let isFirst = true; isFirst || this.#peek() !== "]"; isFirst = false) ranges.push(this.#range());
    this.#next();
    const holds = (character: string): boolean => ranges.some(([from, to]) => from <= character && character <= to);
    const usual = PREFERRED.find((character) => holds(character) !== isNegated);
    const found = usual ?? (isNegated ? undefined : ranges[0]?.[0]);
    if (found === undefined) throw new UnreadPattern();
    return found;
  }

  #range(): readonly [string, string] {
    const posix = /^\[:(?<name>\w+):\]/u.exec(this.#pattern.slice(this.#at));
    if (posix !== null) {
      this.#at += posix[0].length;
      const one = POSIX[posix.groups?.["name"] ?? ""];
      if (one === undefined) throw new UnreadPattern();
      return [one, one];
    }
    const from = this.#classCharacter();
    const isRange = this.#peek() === "-" && this.#pattern[this.#at + 1] !== "]";
    if (!isRange) return [from, from];
    this.#next();
    return [from, this.#classCharacter()];
  }

  #classCharacter(): string {
    const character = this.#next();
    return character === "\\" ? this.#escape() : character;
  }

  #repetitions(): number {
    const bounds = /^(?:[*+?]|\{(?<least>\d+)(?<open>,(?<most>\d*))?\})\??/u.exec(this.#pattern.slice(this.#at));
    if (bounds === null) return 1;
    this.#at += bounds[0].length;
    const [sign] = bounds[0];
    if (sign === "?") return 0;
    if (sign !== "{") return this.#more + (sign === "+" ? 1 : 0);
    const least = Number(bounds.groups?.["least"]);
    const { open, most } = bounds.groups ?? {};
    if (open === undefined) return least;
    return most === undefined || most === "" ? least + this.#more : Math.min(least + this.#more, Number(most));
  }

  #peek(): string {
    return this.#pattern[this.#at] ?? "";
  }

  #next(): string {
    const character = this.#pattern[this.#at++];
    if (character === undefined) throw new UnreadPattern();
    return character;
  }

  #take(wanted: string): boolean {
    if (this.#peek() !== wanted) return false;
    this.#at++;
    return true;
  }
}
