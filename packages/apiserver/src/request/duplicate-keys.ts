/**
 * Finds the fields that a JSON text states twice, as paths such as `spec.ports[0].name`.
 *
 * The text must have been parsed to the value: most have no duplicates, which counting shows without parsing again.
 */
export function duplicateKeys(text: string, value: unknown): readonly string[] {
  return countKeysOfText(text) === countKeysOfValue(value) ? [] : new Scanner(text).scan().duplicates;
}

/** Returns the paths of all fields of a JSON text in the order of the text; those stated twice are there twice. */
export function keyOrder(text: string): readonly string[] {
  return new Scanner(text).scan().paths;
}

function countKeysOfText(text: string): number {
  let count = 0;
  for (let start = text.indexOf('"'); start >= 0;) {
    let next = endOfString(text, start) + 1;
    while (isSpace(text.charCodeAt(next))) {
      next += 1;
    }
    if (text[next] === ":") {
      count += 1;
    }
    start = text.indexOf('"', next);
  }
  return count;
}

function countKeysOfValue(value: unknown): number {
  if (typeof value !== "object" || value === null) {
    return 0;
  }
  const parts = Object.values(value);
  let count = Array.isArray(value) ? 0 : parts.length;
  for (const part of parts) {
    count += countKeysOfValue(part);
  }
  return count;
}

/** Returns the index of the quote that ends the string which starts at an index. */
function endOfString(text: string, start: number): number {
  let end = start + 1;
  while (text[end] !== '"') {
    end += text[end] === "\\" ? 2 : 1;
  }
  return end;
}

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

class Scanner {
  readonly #text: string;
  readonly #duplicates: string[] = [];
  readonly #paths: string[] = [];
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): { readonly duplicates: readonly string[]; readonly paths: readonly string[] } {
    this.#value("");
    return { duplicates: this.#duplicates, paths: this.#paths };
  }

  #value(path: string): void {
    switch (this.#peek()) {
      case "{":
        this.#object(path);
        return;
      case "[":
        this.#array(path);
        return;
      case '"':
        this.#position = endOfString(this.#text, this.#position) + 1;
        return;
      default:
        while (!/[,\]}\s]/.test(this.#text[this.#position] ?? ",")) {
          this.#position += 1;
        }
    }
  }

  #object(path: string): void {
    const seen = new Set<string>();
    this.#position += 1;
    while (this.#peek() !== "}") {
      const start = this.#position;
      const end = endOfString(this.#text, start) + 1;
      const key = JSON.parse(this.#text.slice(start, end)) as string;
      const keyPath = path === "" ? key : `${path}.${key}`;
      if (seen.has(key)) {
        this.#duplicates.push(keyPath);
      }
      seen.add(key);
      this.#paths.push(keyPath);
      this.#position = end;
      this.#peek();
      this.#position += 1;
      this.#peek();
      this.#value(keyPath);
      this.#skipComma();
    }
    this.#position += 1;
  }

  #array(path: string): void {
    this.#position += 1;
    for (let index = 0; this.#peek() !== "]"; index += 1) {
      this.#value(`${path}[${index}]`);
      this.#skipComma();
    }
    this.#position += 1;
  }

  #skipComma(): void {
    if (this.#peek() === ",") {
      this.#position += 1;
    }
  }

  #peek(): string | undefined {
    while (isSpace(this.#text.charCodeAt(this.#position))) {
      this.#position += 1;
    }
    return this.#text[this.#position];
  }
}
