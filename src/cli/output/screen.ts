import { stripVTControlCharacters } from "node:util";

/** The part of a terminal's output stream that a screen uses. */
export interface ScreenOutput {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

const USUAL_COLUMNS = 80;
const USUAL_ROWS = 24;

/** Prints lines that scroll, above a footer that stays at the bottom. */
export class Screen {
  readonly #output: ScreenOutput;
  #wanted: readonly string[] = [];
  #drawn: readonly string[] = [];

  constructor(output: ScreenOutput) {
    this.#output = output;
  }

  /** The number of lines that fit. */
  get rows(): number {
    return this.#output.rows === undefined || this.#output.rows < 1 ? USUAL_ROWS : this.#output.rows;
  }

  /** Prints whole lines above the footer. */
  write(text: string): void {
    if (text === "") return;
    this.#draw(text.endsWith("\n") ? text : `${text}\n`);
  }

  /** Replaces the footer; each line is cut to the width of the terminal. */
  setFooter(lines: readonly string[]): void {
    this.#wanted = lines;
    this.#draw("");
  }

  /** Draws the footer again, for a terminal with another size. */
  redraw(): void {
    this.#draw("");
  }

  /** Clears the screen and what scrolled off it. */
  clear(): void {
    this.#drawn = [];
    this.#draw("\u001B[2J\u001B[3J\u001B[H");
  }

  /** Removes the footer. */
  close(): void {
    this.setFooter([]);
  }

  // One write, so that the footer does not flicker.
  #draw(text: string): void {
    const erase = this.#erase();
    this.#drawn = this.#wanted.map((line) => cut(line, this.#columns - 1));
    const drawing = `${erase}${text}${this.#drawn.join("\n")}`;
    if (drawing !== "") this.#output.write(drawing);
  }

  // Since the footer was drawn, the terminal may have become narrower and have wrapped its lines.
  #erase(): string {
    if (this.#drawn.length === 0) return "";
    const rows = this.#drawn.reduce(
      (sum, line) => sum + Math.max(1, Math.ceil(stripVTControlCharacters(line).length / this.#columns)),
      0,
    );
    return `\r${rows > 1 ? `\u001B[${String(rows - 1)}A` : ""}\u001B[J`;
  }

  get #columns(): number {
    const { columns = 0 } = this.#output;
    return columns < 1 ? USUAL_COLUMNS : columns;
  }
}

// oxlint-disable-next-line no-control-regex -- escape sequences start with it
const ESCAPE = /^\u001B\[[\d;]*m/u;

/** Returns a line with at most a number of visible characters; escape sequences of styles do not count. */
export function cut(line: string, width: number): string {
  if (stripVTControlCharacters(line).length <= width) return line;
  let shown = "";
  let visible = 0;
  let isStyled = false;
  for (let index = 0; index < line.length && visible < width - 1;) {
    const [escape] = ESCAPE.exec(line.slice(index)) ?? [];
    if (escape === undefined) {
      const character = String.fromCodePoint(line.codePointAt(index) ?? 0);
      shown += character;
      visible += character.length;
      index += character.length;
    } else {
      isStyled = true;
      shown += escape;
      index += escape.length;
    }
  }
  return `${shown}…${isStyled ? "\u001B[0m" : ""}`;
}
