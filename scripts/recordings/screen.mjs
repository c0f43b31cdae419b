// A terminal of a fixed size: enough control sequences for the output of Kubescaffold. An unknown one is an error, so that no recording is wrong unnoticed.
const ESCAPE = "\u001B";
const TOKEN = new RegExp(
  String.raw`${ESCAPE}\[(?<parameters>[\d;?]*)(?<command>[A-Za-z])|${ESCAPE}(?<other>[^[])|(?<control>[\r\n\b])|(?<character>.)`,
  "gsu",
);

const PLAIN = Object.freeze({ color: undefined, bold: false, dim: false });
const STYLES = new Map([
  [0, () => PLAIN],
  [1, (style) => ({ ...style, bold: true })],
  [2, (style) => ({ ...style, dim: true })],
  // Reverse video, which is not drawn.
  [7, (style) => style],
  [27, (style) => style],
  [22, (style) => ({ ...style, bold: false, dim: false })],
  [39, (style) => ({ ...style, color: undefined })],
]);

export class Screen {
  #columns;
  #rows;
  #lines = [[]];
  #row = 0;
  #column = 0;
  #style = PLAIN;

  constructor({ columns, rows }) {
    this.#columns = columns;
    this.#rows = rows;
  }

  /** Shows text, and obeys the control sequences in it. */
  write(text) {
    for (const { groups } of text.matchAll(TOKEN)) this.#obey(groups);
  }

  /** Returns the visible lines, each as runs of characters that have the same style. */
  lines() {
    return this.#lines.map(runsOf);
  }

  #obey({ parameters, command, other, control, character }) {
    if (other !== undefined) throw new Error(`unknown control sequence: ESC ${other}`);
    if (command !== undefined) this.#control(command, parameters);
    else if (control === "\r") this.#column = 0;
    else if (control === "\n") this.#nextLine();
    else if (control === "\b") this.#column = Math.max(0, this.#column - 1);
    else this.#put(character);
  }

  #control(command, parameters) {
    const count = Number(parameters) || 1;
    switch (command) {
      case "A":
        this.#row = Math.max(0, this.#row - count);
        break;
      case "B":
        this.#row = Math.min(this.#lines.length - 1, this.#row + count);
        break;
      case "C":
        this.#column = Math.min(this.#columns - 1, this.#column + count);
        break;
      case "D":
        this.#column = Math.max(0, this.#column - count);
        break;
      case "G":
        this.#column = count - 1;
        break;
      case "J":
        this.#eraseLine(parameters);
        this.#lines.length = this.#row + 1;
        break;
      case "K":
        this.#eraseLine(parameters);
        break;
      case "m":
        for (const code of parameters.split(";")) this.#style = styleAfter(this.#style, Number(code));
        break;
      // The cursor, which is not shown, and modes of the keyboard.
      case "h":
      case "l":
        break;
      default:
        throw new Error(`unknown control sequence: ESC [ ${parameters} ${command}`);
    }
  }

  #eraseLine(parameters) {
    if (Number(parameters) !== 0) throw new Error(`unknown part of the screen to erase: ${parameters}`);
    this.#lines[this.#row].length = Math.min(this.#lines[this.#row].length, this.#column);
  }

  #put(character) {
    if (this.#column === this.#columns) {
      this.#column = 0;
      this.#nextLine();
    }
    const line = this.#lines[this.#row];
    while (line.length < this.#column) line.push({ character: " ", style: PLAIN });
    line[this.#column] = { character, style: this.#style };
    this.#column += 1;
  }

  #nextLine() {
    this.#row += 1;
    if (this.#row === this.#lines.length) this.#lines.push([]);
    if (this.#lines.length <= this.#rows) return;
    this.#lines.shift();
    this.#row -= 1;
  }
}

function styleAfter(style, code) {
  if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) return { ...style, color: code % 10 };
  const change = STYLES.get(code);
  if (change === undefined) throw new Error(`unknown style: ${String(code)}`);
  return change(style);
}

function runsOf(line) {
  const runs = [];
  for (const { character, style } of line) {
    const last = runs.at(-1);
    if (last !== undefined && isSame(last.style, style)) last.text += character;
    else runs.push({ text: character, style });
  }
  return runs;
}

function isSame(left, right) {
  return left.color === right.color && left.bold === right.bold && left.dim === right.dim;
}
