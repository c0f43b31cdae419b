import process from "node:process";

/** The styles of text on a terminal. */
const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

/** Adds color and weight to text, or returns it unchanged. */
export type TextStyle = Readonly<Record<keyof typeof CODES, (text: string) => string>>;

/** Returns the styles of a terminal: none if `NO_COLOR` is set, or if the terminal has no colors. */
export function textStyle(env: NodeJS.ProcessEnv = process.env): TextStyle {
  const isPlain = (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
  const paint = (name: keyof typeof CODES) => (text: string) => {
    const [on, off] = CODES[name];
    return isPlain || text === "" ? text : `\u001B[${String(on)}m${text}\u001B[${String(off)}m`;
  };
  return {
    bold: paint("bold"),
    dim: paint("dim"),
    red: paint("red"),
    green: paint("green"),
    yellow: paint("yellow"),
    cyan: paint("cyan"),
  };
}
