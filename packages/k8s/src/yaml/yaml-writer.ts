import type { ScalarStyle } from "./scalar-style.ts";

const INDENT = 2;
const WIDTH = 80;
const BREAK = /[\r\n\u0085\u2028\u2029]/;
const ESCAPED = /["\\\r\n\u0085\u2028\u2029]|[^\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;
const NAMED_ESCAPES: Readonly<Record<string, string>> = {
  "\0": "0",
  "\x07": "a",
  "\b": "b",
  "\t": "t",
  "\n": "n",
  "\v": "v",
  "\f": "f",
  "\r": "r",
  "\x1b": "e",
  '"': '"',
  "\\": "\\",
  "\u0085": "N",
  "\u00a0": "_",
  "\u2028": "L",
  "\u2029": "P",
};

/** The lines of a block, and the state in which a writer is behind them. */
export interface WrittenBlock {
  readonly text: string;
  readonly column: number;
  readonly isAfterSpace: boolean;
  readonly isIndentation: boolean;
  /** The length of the indentation in the text. */
  readonly indentation: number;
}

/** Lays out YAML events as libyaml does: it knows the column, the indentation, and where a line may be folded. */
export class YamlWriter {
  /** Whether values were written without indentation because there was too much already. */
  hasReachedLimit = false;
  readonly #chunks: string[] = [];
  readonly #indents: number[] = [];
  #indent = -1;
  #column = 0;
  #isAfterSpace = true;
  #isIndentation = true;
  #isInMapping = false;
  #isSimpleKey = false;
  #indentation = 0;

  /** Returns everything written, ended by a line break. */
  finish(): string {
    this.#newLine();
    return this.#chunks.join("");
  }

  /** The indentation of what is being written; blocks at the same one have the same lines. */
  get indent(): number {
    return this.#indent;
  }

  /** The length of all indentation that was written. */
  get indentation(): number {
    return this.#indentation;
  }

  /** Writes a block that begins on its own line, and returns it so that it can be written again at the same indentation. */
  record(write: () => void): WrittenBlock {
    const start = this.#chunks.length;
    const before = this.#indentation;
    write();
    const text = this.#chunks.splice(start).join("");
    this.#chunks.push(text);
    return {
      text,
      column: this.#column,
      isAfterSpace: this.#isAfterSpace,
      isIndentation: this.#isIndentation,
      indentation: this.#indentation - before,
    };
  }

  /** Writes a block that was recorded at the same indentation. */
  repeat({ text, column, isAfterSpace, isIndentation, indentation }: WrittenBlock): void {
    this.#indentation += indentation;
    this.#chunks.push(text);
    this.#column = column;
    this.#isAfterSpace = isAfterSpace;
    this.#isIndentation = isIndentation;
  }

  beginSequence(): void {
    this.#increaseIndent(this.#isInMapping && !this.#isIndentation);
  }

  beginMapping(): void {
    this.#increaseIndent(false);
  }

  endCollection(): void {
    this.#indent = this.#indents.pop() ?? -1;
  }

  item(): void {
    this.#newLine();
    this.#mark("-", true);
    this.#isInMapping = false;
  }

  /** Begins a key; a complex key takes a question mark and its own lines. */
  beginKey(isSimple: boolean): void {
    this.#newLine();
    if (!isSimple) this.#mark("?", true);
    this.#isInMapping = true;
    this.#isSimpleKey = isSimple;
  }

  endKey(wasSimple: boolean): void {
    this.#isSimpleKey = false;
    if (wasSimple) {
      this.#put(":");
      this.#isAfterSpace = false;
      this.#isIndentation = false;
    } else {
      this.#newLine();
      this.#mark(":", true);
    }
    this.#isInMapping = true;
  }

  endValue(): void {
    this.#isInMapping = true;
  }

  /** Writes an empty collection. */
  indicator(text: string): void {
    this.#mark(text, false);
  }

  /** Writes a word that needs no quotes and cannot be folded. */
  plain(text: string): void {
    this.#mark(text, false);
  }

  scalar(text: string, style: ScalarStyle): void {
    this.#indents.push(this.#indent);
    this.#indent = this.#indent < 0 ? INDENT : this.#indent + INDENT;
    if (style === "literal") this.#literal(text);
    else if (style === "double-quoted") this.#doubleQuoted(text);
    else this.#flowing(text, style);
    this.#indent = this.#indents.pop() ?? -1;
  }

  #increaseIndent(isIndentless: boolean): void {
    this.#indents.push(this.#indent);
    if (this.#indent < 0) this.#indent = 0;
    else if (!isIndentless) this.#indent += INDENT;
  }

  #flowing(text: string, style: "plain" | "single-quoted"): void {
    const isQuoted = style === "single-quoted";
    if (isQuoted) this.#mark("'", false);
    else if (!this.#isAfterSpace) this.#put(" ");
    const written = isQuoted ? text.replaceAll("'", "''") : text;
    if (this.#fits(written)) this.#put(written);
    else this.#fold(text, isQuoted);
    if (isQuoted) this.#put("'");
    this.#isAfterSpace = false;
    this.#isIndentation = false;
  }

  #fold(text: string, isQuoted: boolean): void {
    let wasSpace = false;
    let wasBreak = false;
    for (let index = 0; index < text.length; index++) {
      const character = text.charAt(index);
      if (character === " ") {
        const isInside = !isQuoted || (index > 0 && index < text.length - 1);
        if (!wasSpace && isInside && this.#mayFold() && text.charAt(index + 1) !== " ") this.#newLine();
        else this.#put(character);
        wasSpace = true;
      } else if (BREAK.test(character)) {
        this.#lineBreak(character);
        wasBreak = true;
      } else {
        if (wasBreak) this.#newLine();
        this.#put(isQuoted && character === "'" ? "''" : character);
        this.#isIndentation = false;
        wasSpace = false;
        wasBreak = false;
      }
    }
  }

  #doubleQuoted(text: string): void {
    this.#mark('"', false);
    // libyaml looks for the mark at the start of the text wherever it stands, so then it escapes everything.
    const isAllEscaped = text.startsWith("\ufeff");
    let wasSpace = false;
    let index = 0;
    for (const character of text) {
      const next = index + character.length;
      if (isAllEscaped || ESCAPED.test(character)) {
        this.#put(escape(character));
        wasSpace = false;
      } else if (character === " ") {
        if (!wasSpace && index > 0 && next < text.length && this.#mayFold()) {
          this.#newLine();
          if (text.charAt(next) === " ") this.#put("\\");
        } else this.#put(character);
        wasSpace = true;
      } else {
        this.#put(character);
        wasSpace = false;
      }
      index = next;
    }
    this.#put('"');
    this.#isAfterSpace = false;
    this.#isIndentation = false;
  }

  #literal(text: string): void {
    this.#mark(`|${indentHint(text)}${chompHint(text)}`, false);
    this.#lineBreak("\n");
    this.#isAfterSpace = true;
    let wasBreak = true;
    for (const part of text.split(/([\r\n\u0085\u2028\u2029])/)) {
      if (part === "") continue;
      if (BREAK.test(part)) {
        this.#lineBreak(part);
        wasBreak = true;
        continue;
      }
      if (wasBreak) this.#newLine();
      this.#put(part);
      this.#isIndentation = false;
      wasBreak = false;
    }
  }

  #fits(text: string): boolean {
    return (this.#isSimpleKey || this.#column + text.length <= WIDTH) && !BREAK.test(text);
  }

  #mayFold(): boolean {
    return !this.#isSimpleKey && this.#column > WIDTH;
  }

  #mark(text: string, isIndentation: boolean): void {
    if (!this.#isAfterSpace) this.#put(" ");
    this.#put(text);
    this.#isAfterSpace = false;
    this.#isIndentation &&= isIndentation;
  }

  #newLine(): void {
    const indent = Math.max(this.#indent, 0);
    const isUsed = !this.#isIndentation || this.#column > indent || (this.#column === indent && !this.#isAfterSpace);
    if (isUsed) this.#lineBreak("\n");
    if (this.#column < indent) {
      this.#indentation += indent - this.#column;
      this.#put(" ".repeat(indent - this.#column));
    }
    this.#isAfterSpace = true;
    this.#isIndentation = true;
  }

  #lineBreak(character: string): void {
    this.#chunks.push(character);
    this.#column = 0;
    this.#isIndentation = true;
  }

  #put(text: string): void {
    this.#chunks.push(text);
    this.#column += text.length;
  }
}

function indentHint(text: string): string {
  return text.startsWith(" ") || BREAK.test(text.charAt(0)) ? String(INDENT) : "";
}

function chompHint(text: string): string {
  if (!BREAK.test(text.charAt(text.length - 1))) return "-";
  return text.length === 1 || BREAK.test(text.charAt(text.length - 2)) ? "+" : "";
}

function escape(character: string): string {
  const named = NAMED_ESCAPES[character];
  if (named !== undefined) return `\\${named}`;
  const point = character.codePointAt(0) ?? 0;
  const hexadecimal = point.toString(16).toUpperCase();
  if (point <= 0xff) return `\\x${hexadecimal.padStart(2, "0")}`;
  return point <= 0xffff ? `\\u${hexadecimal.padStart(4, "0")}` : `\\U${hexadecimal.padStart(8, "0")}`;
}
