// Runs shell scripts in simulated containers, with the commands of shell-commands.mjs, network-commands.mjs, and system-commands.mjs.
import { handledLater } from "@kubescaffold/platform";

import { NETWORK_COMMANDS } from "./network-commands.mjs";
import { COMMANDS, ERRORS, UsageError } from "./shell-commands.mjs";
import { parseScript } from "./shell-syntax.mjs";
import { SYSTEM_COMMANDS } from "./system-commands.mjs";

const NOT_FOUND = 127;
const REFUSALS = { ...ERRORS, ENOENT: "nonexistent directory" };

/** Thrown by the command `exit`. */
class ExitSignal extends Error {
  constructor(code) {
    super("exit");
    this.code = code;
  }
}

/**
 * Runs a program of a container and returns its exit code. `files` are the container's files, `identity` is that of its processes, `network` connects it to others,
 * `out` and `err` take text, `stdin` is text.
 * A script that the signal interrupts ends with 137, like one that is killed.
 */
export async function runProgram(
  [program = "", ...args],
  { env, files, identity, signal, network, stdin = "", out, err },
) {
  const shell = { name: "sh", env: { ...env }, files, identity, signal, network, status: 0, arguments: [] };
  try {
    return await runCommand(shell, [program, ...args], { stdin, out, err });
  } catch (error) {
    if (error instanceof ExitSignal) return error.code;
    if (signal.aborted) return 137;
    if (!(error instanceof SyntaxError)) throw error;
    err(`${program}: ${error.message}\n`);
    return 2;
  }
}

async function runList(shell, { items }, io) {
  let isSkipped = false;
  for (const { pipeline, operator } of items) {
    const isRun = !isSkipped;
    if (isRun) {
      const running = runPipeline(shell, pipeline, io);
      if (operator === "&") void handledLater(running);
      else shell.status = await running;
    }
    isSkipped = operator === "&&" ? shell.status !== 0 : operator === "||" ? shell.status === 0 : false;
    const isFailure = isRun && shell.status !== 0 && (operator ?? ";") === ";";
    if (shell.exitsOnError && isFailure) throw new ExitSignal(shell.status);
  }
  return shell.status;
}

async function runPipeline(shell, { isNegated, commands }, io) {
  let { stdin } = io;
  let code = 0;
  for (const [index, command] of commands.entries()) {
    let output = "";
    const out = index === commands.length - 1 ? io.out : (text) => (output += text);
    code = await runNode(shell, command, { ...io, stdin, out });
    stdin = output;
  }
  return isNegated ? Number(code === 0) : code;
}

async function runNode(shell, node, outer) {
  shell.signal.throwIfAborted();
  const io = await redirect(shell, node.redirects ?? [], outer);
  if (io === undefined) return 1;
  switch (node.kind) {
    case "simple":
      return await runSimple(shell, node, io);
    case "group":
      return await runList(shell, node.body, io);
    case "if":
      return await runIf(shell, node, io);
    case "loop":
      while (((await runCondition(shell, node.condition, io)) === 0) !== node.isUntil) {
        // A loop of commands that take no time must not block the process.
        await new Promise((resolve) => setImmediate(resolve));
        await runList(shell, node.body, io);
      }
      return 0;
    default:
      for (const value of await expandAll(shell, node.words)) {
        shell.env[node.name] = value;
        await runList(shell, node.body, io);
      }
      return shell.status;
  }
}

async function runIf(shell, { branches, otherwise }, io) {
  for (const { condition, body } of branches) {
    if ((await runCondition(shell, condition, io)) === 0) return await runList(shell, body, io);
  }
  return otherwise === undefined ? 0 : await runList(shell, otherwise, io);
}

async function runCondition(shell, list, io) {
  const { exitsOnError } = shell;
  shell.exitsOnError = false;
  try {
    return await runList(shell, list, io);
  } finally {
    shell.exitsOnError = exitsOnError;
  }
}

// Returns the inputs and outputs of a command, undefined if a file cannot be written.
async function redirect(shell, redirects, io) {
  const result = { ...io };
  for (const { stream, operator, target } of redirects) {
    const [name = ""] = await expandWord(shell, target ?? []);
    const output = stream === "2" ? "err" : "out";
    if (operator === "<") result.stdin = shell.files.read(name)?.toString("utf8") ?? "";
    else if (operator === ">&") result[output] = name === "1" ? result.out : result.err;
    else {
      const refusal = shell.files.write(name, Buffer.alloc(0), { isAppended: operator === ">>" });
      if (refusal !== undefined) {
        io.err(`${shell.name}: can't create ${name}: ${REFUSALS[refusal]}\n`);
        return undefined;
      }
      result[output] = (text) => shell.files.write(name, Buffer.from(text), { isAppended: true });
    }
  }
  return result;
}

async function runSimple(shell, { assignments, words }, io) {
  for (const { name, word } of assignments) shell.env[name] = (await expandWord(shell, word)).join(" ");
  const argv = await expandAll(shell, words);
  return argv.length === 0 ? 0 : await runCommand(shell, argv, io);
}

async function runCommand(shell, [program, ...args], io) {
  const name = program.split("/").at(-1);
  switch (name) {
    case "exit":
      throw new ExitSignal(args[0] === undefined ? shell.status : Number(args[0]) & 0xff);
    case "set":
      if (args.some((arg) => /^-\w*e/u.test(arg))) shell.exitsOnError = true;
      return 0;
    case "export": {
      for (const arg of args) {
        const [variable, value] = arg.split(/=(.*)/su);
        if (value !== undefined) shell.env[variable] = value;
      }
      return 0;
    }
    case "exec":
    case "eval":
      return name === "exec" ? await runCommand(shell, args, io) : await runText(shell, args.join(" "), io);
    case "sh":
    case "ash":
    case "bash":
      return await runShell({ ...shell, name: program }, args, io);
    default: {
      const command = COMMANDS[name] ?? NETWORK_COMMANDS[name] ?? SYSTEM_COMMANDS[name];
      if (command === undefined) {
        io.err(`${shell.name}: ${program}: not found\n`);
        return NOT_FOUND;
      }
      try {
        return (await command({ ...shell, ...io, args })) ?? 0;
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        io.err(`${name}: ${error.message}\n`);
        return error.code;
      }
    }
  }
}

async function runShell(shell, args, io) {
  const script = args.findIndex((arg) => !arg.startsWith("-"));
  const options = script < 0 ? args : args.slice(0, script);
  const isText = options.some((option) => /^-\w*c/u.test(option));
  const [text = "", , ...others] = script < 0 ? [] : args.slice(script);
  const inner = {
    ...shell,
    env: { ...shell.env },
    arguments: others,
    exitsOnError: options.some((option) => /^-\w*e/u.test(option)),
  };
  try {
    return await runText(inner, isText ? text : (shell.files.read(text)?.toString("utf8") ?? io.stdin), io);
  } catch (error) {
    if (error instanceof ExitSignal) return error.code;
    throw error;
  }
}

async function runText(shell, text, io) {
  return await runList(shell, parseScript(text), io);
}

async function expandAll(shell, words) {
  const values = [];
  for (const word of words) values.push(...(await expandWord(shell, word)));
  return values;
}

// Unquoted expansions are split at white space.
async function expandWord(shell, parts) {
  const fields = [];
  let current;
  for (const part of parts) {
    const text = await expandPart(shell, part);
    if (part.kind === "text" || part.isQuoted) {
      if (part.isQuoted || text !== "") current = (current ?? "") + text;
      continue;
    }
    const [first, ...others] = text.split(/\s+/u);
    if (first !== "") current = (current ?? "") + first;
    for (const other of others) {
      if (current !== undefined) fields.push(current);
      current = other === "" ? undefined : other;
    }
  }
  return current === undefined ? fields : [...fields, current];
}

async function expandPart(shell, part) {
  switch (part.kind) {
    case "text":
      return part.text;
    case "variable":
      return variable(shell, part.name) || part.fallback;
    case "arithmetic":
      return String(calculate(shell, part.text));
    default: {
      let output = "";
      const inner = { ...shell, env: { ...shell.env } };
      try {
        shell.status = await runList(inner, part.body, {
          stdin: "",
          out: (text) => (output += text),
          err: () => undefined,
        });
      } catch (error) {
        if (!(error instanceof ExitSignal)) throw error;
        shell.status = error.code;
      }
      return output.replace(/(?<!\n)\n+$/u, "");
    }
  }
}

function variable(shell, name) {
  if (name === "?") return String(shell.status);
  if (name === "$") return "1";
  if (name === "#") return String(shell.arguments.length);
  if (name === "@" || name === "*") return shell.arguments.join(" ");
  if (name === "RANDOM") return String(Math.floor(Math.random() * 32_768));
  return (/^\d$/u.test(name) ? shell.arguments[Number(name) - 1] : shell.env[name]) ?? "";
}

// Integers, names of variables, and + - * / % from the left, without parentheses.
function calculate(shell, text) {
  const tokens = text.match(/\d+|[A-Za-z_]\w*|[-+*/%]/gu) ?? [];
  const numberOf = (token) => Number(/^\d/u.test(token) ? token : variable(shell, token) || 0);
  const terms = [];
  let sign = 1;
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token === "+") sign = 1;
    else if (token === "-") sign = -1;
    else if ("*/%".includes(token)) {
      const right = numberOf(tokens[(index += 1)]);
      const left = terms.pop();
      terms.push(token === "*" ? left * right : token === "/" ? Math.trunc(left / right) : left % right);
    } else {
      terms.push(sign * numberOf(token));
    }
  }
  return terms.reduce((sum, term) => sum + term, 0);
}
