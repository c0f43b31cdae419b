import { stripVTControlCharacters } from "node:util";

// The sequences that the screen writes; styles are removed.
// oxlint-disable-next-line no-control-regex -- escape sequences start with it
const SEQUENCE = /^\u001B\[(?<count>\d*)(?<command>[AJH])/u;

/** A terminal without scrolling: the lines that a user would see. */
export class FakeScreen {
  columns: number;
  readonly rows: number;
  #lines: string[] = [""];
  #row = 0;
  #column = 0;

  constructor({ columns, rows = 24 }: { readonly columns: number; readonly rows?: number }) {
    this.columns = columns;
    this.rows = rows;
  }

  /** The lines from the top. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  /** Changes the width, and wraps lines that are wider, as terminals do. */
  resize(columns: number): void {
    this.columns = columns;
    this.#lines = this.#lines.flatMap((line) => wrapped(line, columns));
    this.#row = this.#lines.length - 1;
    this.#column = this.#lines.at(-1)?.length ?? 0;
  }

  write(text: string): boolean {
    for (let rest = withoutStyles(text); rest !== "";) {
      const { count = "", command } = SEQUENCE.exec(rest)?.groups ?? {};
      if (command === undefined) {
        this.#put(rest[0] ?? "");
        rest = rest.slice(1);
      } else {
        this.#obey(command, count);
        rest = rest.slice(count.length + 3);
      }
    }
    return true;
  }

  #put(character: string): void {
    if (character === "\r") {
      this.#column = 0;
      return;
    }
    if (character === "\n" || this.#column >= this.columns) this.#nextRow();
    if (character === "\n") return;
    const line = this.#lines[this.#row] ?? "";
    this.#lines[this.#row] = line.slice(0, this.#column) + character + line.slice(this.#column + 1);
    this.#column += 1;
  }

  #nextRow(): void {
    this.#row += 1;
    this.#column = 0;
    this.#lines[this.#row] ??= "";
  }

  #obey(command: string, count: string): void {
    if (command === "A") this.#row = Math.max(0, this.#row - Number(count || 1));
    else if (command === "H") [this.#row, this.#column] = [0, 0];
    else if (count === "2") this.#lines = [""];
    else if (count === "") this.#eraseBelow();
  }

  #eraseBelow(): void {
    this.#lines.length = this.#row + 1;
    this.#lines[this.#row] = (this.#lines[this.#row] ?? "").slice(0, this.#column);
  }
}

function withoutStyles(text: string): string {
  // oxlint-disable-next-line no-control-regex -- escape sequences start with it
  return text.replaceAll(/\u001B\[[\d;]*m/gu, "");
}

function wrapped(line: string, columns: number): readonly string[] {
  const text = stripVTControlCharacters(line);
  if (text.length <= columns) return [text];
  return [text.slice(0, columns), ...wrapped(text.slice(columns), columns)];
}
