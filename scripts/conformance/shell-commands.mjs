// The commands of the shell in simulated containers. A command gets its arguments, input, outputs, environment, and files, and returns its exit code; none is 0.
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** Thrown for an operand that is missing or wrong; a command that throws it ends with `code`. */
export class UsageError extends Error {
  constructor(message, code = 1) {
    super(message);
    this.code = code;
  }
}

/** The texts of the errors of files. */
export const ERRORS = { ENOENT: "No such file or directory", EROFS: "Read-only file system" };

/** The commands by their names. */
export const COMMANDS = {
  true: () => 0,
  ":": () => 0,
  false: () => 1,
  sync: () => 0,
  trap: () => 0,
  wait: () => 0,
  chmod: () => 0,
  echo: ({ args, out }) => {
    const words = args.filter((arg, index) => !(index === 0 && /^-[ne]+$/u.test(arg)));
    const text = args[0]?.includes("e") && args[0].startsWith("-") ? escapes(words.join(" ")) : words.join(" ");
    out(/^-e?n/u.test(args[0] ?? "") ? text : `${text}\n`);
  },
  printf: ({ args: [format = "", ...values], out }) => {
    out(escapes(format).replaceAll(/%[sd]/gu, () => values.shift() ?? ""));
  },
  grep: ({ args, files, stdin, out }) => {
    const [pattern = "", ...paths] = args.filter((arg) => !arg.startsWith("-"));
    const isInverted = args.some((arg) => /^-\w*v/u.test(arg));
    const isQuiet = args.some((arg) => /^-\w*q/u.test(arg));
    const text = paths.length === 0 ? stdin : paths.map((file) => contents(files, file).toString("utf8")).join("");
    const lines = text.replace(/\n$/u, "").split("\n");
    const found = text === "" ? [] : lines.filter((line) => isMatch(line, pattern) !== isInverted);
    if (!isQuiet) out(found.map((line) => `${line}\n`).join(""));
    return Number(found.length === 0);
  },
  hexdump: ({ args, files, out }) => {
    for (const file of args.filter((arg) => !arg.startsWith("-"))) out(hexLines(contents(files, file)));
  },
  seq: ({ args, out }) => {
    const [first, last] = args.length === 1 ? [1, Number(args[0])] : [Number(args[0]), Number(args.at(-1))];
    for (let number = first; number <= last; number += 1) out(`${String(number)}\n`);
  },
  sleep: async ({ args, signal }) => {
    await delay(seconds(args[0] ?? "0") * 1000, undefined, { signal });
  },
  hostname: ({ env, out }) => out(`${env.HOSTNAME}\n`),
  date: ({ args, out }) => {
    const now = new Date();
    out(args[0] === "+%s" ? `${String(Math.floor(now.getTime() / 1000))}\n` : `${now.toUTCString()}\n`);
  },
  env: ({ env, out }) => {
    for (const [name, value] of Object.entries(env)) out(`${name}=${value}\n`);
  },
  cat: ({ args, files, stdin, out }) => {
    if (args.length === 0) out(stdin);
    for (const file of args) out(contents(files, file).toString("utf8"));
  },
  head: ({ args, files, stdin, out }) => {
    const { count, file } = lineOptions(args);
    const text = file === undefined ? stdin : contents(files, file).toString("utf8");
    const lines = text.split("\n");
    out(lines.length > count ? `${lines.slice(0, count).join("\n")}\n` : text);
  },
  cut: ({ args, files, stdin, out }) => {
    const fields = /^-f(?<one>\d+)?$/u.exec(args[0] ?? "");
    const [number = "", ...paths] =
      fields?.groups.one === undefined ? args.slice(1) : [fields.groups.one, ...args.slice(1)];
    if (fields === null || !/^\d+$/u.test(number))
      throw new UsageError(`${args.join(" ")}: these options are not simulated`, 2);
    const text = paths.length === 0 ? stdin : paths.map((file) => contents(files, file).toString("utf8")).join("");
    for (const line of text.split("\n").slice(0, text.endsWith("\n") ? -1 : undefined))
      out(`${line.includes("\t") ? (line.split("\t")[Number(number) - 1] ?? "") : line}\n`);
  },
  // Files that are followed do not grow.
  tail: async ({ args, files, stdin, out, signal }) => {
    const { count, file } = lineOptions(args);
    const text = file === undefined ? stdin : file === "/dev/null" ? "" : contents(files, file).toString("utf8");
    const lines = text.replace(/\n$/u, "").split("\n").slice(-count);
    if (text !== "") out(lines.map((line) => `${line}\n`).join(""));
    if (args.includes("-f")) await delay(LONGEST_WAIT_MS, undefined, { signal });
  },
  ls: ({ args, files, out }) => {
    for (const file of args.filter((arg) => !arg.startsWith("-"))) {
      if (!files.exists(file)) throw new UsageError(`${file}: No such file or directory`);
      out(
        files.isFolder(file)
          ? files
              .list(file)
              .map((name) => `${name}\n`)
              .join("")
          : `${file}\n`,
      );
    }
  },
  touch: ({ args, files }) => {
    for (const file of args) {
      const refusal = files.exists(file) ? undefined : files.write(file, Buffer.alloc(0));
      if (refusal !== undefined) throw new UsageError(`${file}: ${ERRORS[refusal]}`);
    }
  },
  mkdir: ({ args, files }) => {
    for (const file of args.filter((arg) => !arg.startsWith("-"))) {
      if (files.refusal(file) === "EROFS") throw new UsageError(`can't create directory '${file}': ${ERRORS.EROFS}`);
      files.makeFolder(file);
    }
  },
  rm: ({ args, files }) => {
    const isForced = args.some((arg) => /^-\w*f/u.test(arg));
    for (const file of args.filter((arg) => !arg.startsWith("-"))) {
      if (!files.exists(file) && !isForced) throw new UsageError(`can't remove '${file}': No such file or directory`);
      if (files.refusal(file) === "EROFS") throw new UsageError(`can't remove '${file}': ${ERRORS.EROFS}`);
      files.remove(file);
    }
  },
  cp: ({ args, files }) => copy(files, args, { isMoved: false, out: () => undefined }),
  mv: ({ args, files, out }) => copy(files, args, { isMoved: true, out: args[0] === "-v" ? out : () => undefined }),
  ln: ({ args, files }) => copy(files, args, { isMoved: false, out: () => undefined }),
  dd: ({ args, files, stdin, out }) => {
    const operands = Object.fromEntries(args.map((arg) => arg.split(/=(.*)/su)));
    const input = operands.if === undefined ? Buffer.from(stdin) : contents(files, operands.if);
    const refusal = operands.of === undefined ? undefined : files.write(operands.of, input);
    if (operands.of === undefined) out(input.toString("utf8"));
    if (refusal !== undefined) throw new UsageError(`can't open '${operands.of}': ${ERRORS[refusal]}`);
  },
  wc: ({ args, files, stdin, out }) => {
    const [file] = args.filter((arg) => !arg.startsWith("-"));
    const text = file === undefined ? stdin : contents(files, file).toString("utf8");
    const counts = { l: text.split("\n").length - 1, w: text.match(/\S+/gu)?.length ?? 0, c: Buffer.byteLength(text) };
    const wanted = ["l", "w", "c"].filter((letter) => args.some((arg) => arg.startsWith("-") && arg.includes(letter)));
    const shown = (wanted.length === 0 ? ["l", "w", "c"] : wanted).map((letter) => String(counts[letter]));
    out(`${[...shown, ...(file === undefined ? [] : [file])].join(" ")}\n`);
  },
  // Programs that print a field of each line.
  awk: ({ args: [program = "", ...paths], files, stdin, out }) => {
    const field = /^\s*\{\s*print\s+\$(\d+)\s*\}\s*$/u.exec(program)?.[1];
    if (field === undefined) throw new UsageError(`${program}: this program is not simulated`, 2);
    const text = paths.length === 0 ? stdin : paths.map((file) => contents(files, file).toString("utf8")).join("");
    for (const line of text.replace(/\n$/u, "").split("\n"))
      out(`${field === "0" ? line : (line.trim().split(/\s+/u)[Number(field) - 1] ?? "")}\n`);
  },
  expr: ({ args, out }) => {
    const result = calculate(args);
    out(`${String(result)}\n`);
    return Number(result === 0 || result === "");
  },
  test: ({ args, files }) => Number(!evaluate(args, files)),
  "[": ({ args, files }) => Number(!evaluate(args.at(-1) === "]" ? args.slice(0, -1) : args, files)),
};

// `-n 5`, `-n5`, or `-5`; 10 lines without.
function lineOptions(args) {
  const at = args.indexOf("-n");
  const joined = args.map((arg) => /^-n?(\d+)$/u.exec(arg)?.[1]).find((number) => number !== undefined);
  const [file] = args.filter((arg, index) => !arg.startsWith("-") && (at < 0 || index !== at + 1));
  return { count: Number(at < 0 ? (joined ?? 10) : args[at + 1]), file };
}

function contents(files, file) {
  const bytes = files.read(file);
  if (bytes === undefined) throw new UsageError(`can't open '${file}': No such file or directory`);
  return bytes;
}

const BLANK = String.raw`^\s*$`;

// Patterns are texts, but for that of blank lines.
function isMatch(line, pattern) {
  if (pattern === BLANK) return line.trim() === "";
  if (/[\\^$.*[\]]/u.test(pattern)) throw new UsageError(`${pattern}: this pattern is not simulated`, 2);
  return line.includes(pattern);
}

function hexLines(bytes) {
  const lines = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const row = bytes
      .subarray(at, at + 16)
      .toString("hex")
      .replaceAll(/../gu, "$& ");
    lines.push(`${at.toString(16).padStart(8, "0")}  ${row}\n`);
  }
  return lines.join("");
}

function copy(files, args, { isMoved, out }) {
  const [source, target] = args.filter((arg) => !arg.startsWith("-"));
  const bytes = files.read(source);
  if (bytes === undefined) throw new UsageError(`can't stat '${source}': No such file or directory`);
  const file = files.isFolder(target) ? path.posix.join(target, path.posix.basename(source)) : target;
  const refusal = files.write(file, bytes);
  if (refusal !== undefined) throw new UsageError(`can't create '${file}': ${ERRORS[refusal]}`);
  if (isMoved) files.remove(source);
  out(`'${source}' -> '${file}'\n`);
}

function escapes(text) {
  return text.replaceAll(/\\([nt\\])/gu, (_match, char) => ({ n: "\n", t: "\t", "\\": "\\" })[char]);
}

function seconds(text) {
  const [, number = "", unit = "s"] = /^(\d+(?:\.\d+)?)([a-z]?)$/u.exec(text) ?? [];
  if (number === "") throw new UsageError(`invalid number '${text}'`);
  return Number(number) * ({ m: 60, h: 3600, d: 86_400 }[unit] ?? 1);
}

function calculate([left = "", operator, right = ""]) {
  const [first, second] = [Number(left), Number(right)];
  switch (operator) {
    case "+":
      return first + second;
    case "-":
      return first - second;
    case "*":
      return first * second;
    case "/":
      return Math.trunc(first / second);
    case "%":
      return first % second;
    default:
      return left;
  }
}

function evaluate(args, files) {
  const or = args.indexOf("-o");
  if (or > 0) return evaluate(args.slice(0, or), files) || evaluate(args.slice(or + 1), files);
  const and = args.indexOf("-a");
  if (and > 0) return evaluate(args.slice(0, and), files) && evaluate(args.slice(and + 1), files);
  if (args[0] === "!") return !evaluate(args.slice(1), files);
  if (args.length <= 1) return (args[0] ?? "") !== "";
  if (args.length === 2) return examine(args[0], args[1], files);
  const [left, operator, right] = args;
  switch (operator) {
    case "=":
    case "==":
      return left === right;
    case "!=":
      return left !== right;
    case "-eq":
      return Number(left) === Number(right);
    case "-ne":
      return Number(left) !== Number(right);
    case "-lt":
      return Number(left) < Number(right);
    case "-le":
      return Number(left) <= Number(right);
    case "-gt":
      return Number(left) > Number(right);
    case "-ge":
      return Number(left) >= Number(right);
    default:
      throw new UsageError(`${operator}: unknown operand`, 2);
  }
}

function examine(operator, value, files) {
  switch (operator) {
    case "-z":
      return value === "";
    case "-n":
      return value !== "";
    case "-d":
      return files.isFolder(value);
    case "-f":
    case "-r":
    case "-s":
      return files.read(value) !== undefined && (operator !== "-s" || files.read(value).length > 0);
    case "-e":
      return files.exists(value);
    default:
      throw new UsageError(`${operator}: unknown operand`, 2);
  }
}
