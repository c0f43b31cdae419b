import { DockerfileError } from "./errors.ts";
import { type HealthcheckConfig, parseHealthcheck } from "./healthcheck.ts";
import type { ImageSettings } from "./image-config.ts";

/** What the last stage of a Dockerfile says: its base, where the manager goes, and how it is started. */
export interface RuntimeStage {
  readonly base: string;
  readonly managerPath: string;
  readonly settings: ImageSettings;
}

const BUNDLE = "dist/manager.mjs";

/**
 * Reads the last stage of a Dockerfile that copies the bundled manager onto a base.
 *
 * Fails: {@link DockerfileError} with the line, when the stage does what needs a container or other files.
 */
export function readRuntimeStage(text: string): RuntimeStage {
  const instructions = readInstructions(text);
  const from = instructions.findLastIndex(({ name }) => name === "FROM");
  const first = instructions[from];
  if (first === undefined) throw failure(1, "it has no FROM");
  const args = globalArguments(instructions);
  const base = baseOf(first, args, instructions.slice(0, from));
  const state = emptyState();
  for (const instruction of instructions.slice(from + 1)) apply(instruction, state, args);
  if (state.managerPath === undefined) throw failure(first.line, `the last stage does not copy ${BUNDLE}`);
  const { managerPath, environment, labels, ports, ...settings } = state;
  return { base, managerPath, settings: { ...settings, environment, labels, ports } };
}

interface Instruction {
  readonly line: number;
  readonly name: string;
  readonly text: string;
}

// Lines that end with a backslash go on; comments in between count for nothing.
function readInstructions(text: string): readonly Instruction[] {
  const instructions: Instruction[] = [];
  let open: { readonly line: number; text: string } | undefined;
  for (const [index, raw] of text.split(/\r?\n/u).entries()) {
    if (raw.trim() === "" || /^\s*#/u.test(raw)) continue;
    const goesOn = /\\\s*$/u.test(raw);
    const part = raw.replace(/\\\s*$/u, "").trim();
    open = { line: open?.line ?? index + 1, text: open === undefined ? part : `${open.text} ${part}` };
    if (goesOn) continue;
    instructions.push(instructionOf(open));
    open = undefined;
  }
  if (open !== undefined) instructions.push(instructionOf(open));
  return instructions;
}

function instructionOf({ line, text }: { readonly line: number; readonly text: string }): Instruction {
  const [, name = "", rest = ""] = /^(\S+)(?!\S)(.*)$/u.exec(text) ?? [];
  return { line, name: name.toUpperCase(), text: rest.trim() };
}

type Variables = Map<string, string>;

function globalArguments(instructions: readonly Instruction[]): Variables {
  const args: Variables = new Map();
  for (const { name, text, line } of instructions) {
    if (name === "FROM") break;
    if (name === "ARG") declareArgument({ text, line }, args);
  }
  return args;
}

function declareArgument({ text, line }: Pick<Instruction, "text" | "line">, args: Variables): void {
  const [name = "", ...value] = text.split("=");
  if (value.length > 0) args.set(name, unquote(substitute({ text: value.join("="), line }, args)));
}

// A stage that only names an image stands for it.
function baseOf(from: Instruction, args: Variables, before: readonly Instruction[]): string {
  const words = from.text.split(/\s+/u).filter((word) => !word.startsWith("--"));
  const base = substitute({ text: words[0] ?? "", line: from.line }, args);
  if (base === "") throw failure(from.line, `FROM ${from.text} has no image`);
  const index = before.findLastIndex(({ name, text }) => name === "FROM" && isStage(text, base));
  const stage = before[index];
  if (stage === undefined) return base;
  if ((before[index + 1] ?? from).name !== "FROM") {
    throw failure(from.line, `its last stage is based on the stage ${base}`);
  }
  return baseOf(stage, args, before.slice(0, index));
}

function isStage(text: string, name: string): boolean {
  return /\sAS\s+(\S+)$/iu.exec(text)?.[1]?.toLowerCase() === name.toLowerCase();
}

type State = {
  -readonly [Key in keyof ImageSettings]: ImageSettings[Key];
} & {
  managerPath?: string;
  environment: Record<string, string>;
  labels: Record<string, string>;
  ports: string[];
};

function emptyState(): State {
  return { environment: {}, labels: {}, ports: [] };
}

function apply({ line, name, text }: Instruction, state: State, args: Variables): void {
  const value = substitute({ text, line }, new Map([...args, ...Object.entries(state.environment)]));
  switch (name) {
    case "ARG":
      declareArgument({ text, line }, args);
      break;
    case "ENV":
      Object.assign(state.environment, pairsOf(value, line));
      break;
    case "LABEL":
      Object.assign(state.labels, pairsOf(value, line));
      break;
    case "USER":
      state.user = value;
      break;
    case "WORKDIR":
      state.workingDirectory = resolvePath(state.workingDirectory, value);
      break;
    case "EXPOSE":
      state.ports.push(...value.split(/\s+/u).map((port) => (port.includes("/") ? port : `${port}/tcp`)));
      break;
    case "STOPSIGNAL":
      state.stopSignal = value;
      break;
    case "ENTRYPOINT":
      state.entrypoint = wordsOf(text);
      break;
    case "CMD":
      state.command = wordsOf(text);
      break;
    case "HEALTHCHECK":
      state.healthcheck = healthcheckOf(text, line);
      break;
    case "COPY":
      state.managerPath = copyTarget(value, { line, workingDirectory: state.workingDirectory });
      break;
    default:
      throw failure(line, `its last stage has ${name}, which requires a container`);
  }
}

function copyTarget(
  text: string,
  { line, workingDirectory }: { readonly line: number; readonly workingDirectory: string | undefined },
): string {
  const words = text.startsWith("[") ? wordsOf(text) : text.split(/\s+/u);
  const options = words.filter((word) => word.startsWith("--"));
  const [source = "", target = "", ...more] = words.filter((word) => !word.startsWith("--"));
  const foreign = options.find((option) => !/^--(?:from=|link)/u.test(option));
  if (foreign !== undefined) throw failure(line, `its last stage copies with ${foreign}`);
  if (more.length > 0 || !source.endsWith(BUNDLE)) throw failure(line, `its last stage copies more than ${BUNDLE}`);
  const file = target.endsWith("/") || target === "." ? `${target}/manager.mjs` : target;
  return resolvePath(workingDirectory, file);
}

function resolvePath(from: string | undefined, target: string): string {
  const absolute = target.startsWith("/") ? target : `${from ?? ""}/${target}`;
  const parts = absolute.split("/").filter((part) => part !== "" && part !== ".");
  return `/${parts.join("/")}`;
}

function wordsOf(text: string): readonly string[] {
  if (text.startsWith("[")) {
    try {
      const words: unknown = JSON.parse(text);
      if (Array.isArray(words) && words.every((word) => typeof word === "string")) return words;
    } catch {
      // What is not JSON is a line for the shell.
    }
  }
  return ["/bin/sh", "-c", text];
}

function healthcheckOf(text: string, line: number): HealthcheckConfig {
  const check = parseHealthcheck(text, wordsOf);
  if (check === undefined) throw failure(line, `HEALTHCHECK ${text} is not supported`);
  return check;
}

function pairsOf(text: string, line: number): Readonly<Record<string, string>> {
  const pairs = [...text.matchAll(/(?<![^\s=])([^\s=]+)=("(?:\\.|[^"\\])*"|'[^']*'|(?:\\.|\S)*)/gu)];
  if (pairs.length > 0 && !/^[^\s=]+\s/u.test(text))
    return Object.fromEntries(pairs.map(([, name = "", value = ""]) => [unquote(name), unquote(value)]));
  const [, name, value] = /^(\S+)\s+(?!\s)(.*)$/u.exec(text) ?? [];
  if (name === undefined || value === undefined) throw failure(line, `"${text}" is not of the form name=value`);
  return { [name]: value };
}

function unquote(text: string): string {
  const quoted = /^(["'])(.*)\1$/su.exec(text)?.[2] ?? text;
  return quoted.replaceAll(/\\(.)/gu, "$1");
}

// Linux permits no longer variables; those that contain each other would double.
const LONGEST_VALUE = 131_072;

function substitute(
  { text, line }: Pick<Instruction, "text" | "line">,
  variables: ReadonlyMap<string, string>,
): string {
  let { length } = text;
  return text.replaceAll(
    /(?<!\\)\$(?:(\w+)|\{(\w+)(?::([-+])([^{}]*))?\})/gu,
    (_, bare?: string, braced?: string, operator?: string, word = "") => {
      const value = variables.get(bare ?? braced ?? "") ?? "";
      const result = operator === "+" ? (value === "" ? "" : word) : operator === "-" && value === "" ? word : value;
      length += result.length;
      if (length > LONGEST_VALUE)
        throw failure(line, `its variables exceed ${String(LONGEST_VALUE)} characters, the limit of Linux`);
      return result;
    },
  );
}

function failure(line: number, why: string): DockerfileError {
  return new DockerfileError(`cannot build the Dockerfile without Docker: line ${line}: ${why}`, {
    hint: `copy only ${BUNDLE} in the last stage, with ENV, USER, ENTRYPOINT, and LABEL; or build with Docker`,
  });
}
