import type { Worker } from "node:worker_threads";

/** The commands that change sources whenever they write; each changes little else that takes time. What `init` writes is plain, but for unusual values. */
export const WRITERS_OF_SOURCES: readonly string[] = [
  "create api",
  "create webhook",
  "delete api",
  "delete webhook",
  "rename api",
];

// The launcher starts the thread, and the program, which is another script with its own modules, uses it.
const PLACE = Symbol.for("kubescaffold.syntax-thread");

/**
 * Starts a thread that loads the parsers while the program is loaded and plans, if the words of a command line are those of a command that writes sources.
 *
 * Guarantees: the thread does not keep the process alive; where none can be started, {@link problemsOfThread} returns nothing.
 */
export function startSyntaxThread(words: readonly string[], program: URL): void {
  if (!writesSources(words)) return;
  try {
    // Most commands start no thread, and the module takes a millisecond to load.
    const threads = process.getBuiltinModule("node:worker_threads");
    const thread = new threads.Worker(program, { env: threads.SHARE_ENV, execArgv: [] });
    thread.unref();
    // Without a listener it would end the process; the thread has ended then, and the files are parsed without it.
    thread.on("error", () => undefined);
    (globalThis as Holder)[PLACE] = thread;
  } catch {
    // Threads are forbidden or out of reach here.
  }
}

interface Holder {
  [PLACE]?: Worker | undefined;
}

function writesSources(words: readonly string[]): boolean {
  const isWriter = WRITERS_OF_SOURCES.some(
    (command) => command === words.slice(0, command.split(" ").length).join(" "),
  );
  return isWriter && !words.some((word) => /^(?:-h$|--help\b|--dry-run\b)/u.test(word));
}

/**
 * Parses files in the thread, once per process: the thread ends when it has answered.
 *
 * Returns one entry per file, or nothing where there is no thread or it has failed: the caller parses them then.
 */
export async function problemsOfThread(
  files: readonly SourceText[],
): Promise<readonly (SyntaxProblem | undefined)[] | undefined> {
  const holder = globalThis as Holder;
  const thread = holder[PLACE];
  holder[PLACE] = undefined;
  // A thread that has ended has this number.
  if (thread === undefined || thread.threadId === -1) return undefined;
  if (files.length === 0) {
    await thread.terminate();
    return [];
  }
  return await new Promise((resolve) => {
    thread.once("message", resolve);
    thread.once("exit", () => {
      resolve(undefined);
    });
    thread.ref();
    thread.postMessage(files, []);
  });
}

/** A place in a text that its language does not allow; line and column are counted from 1. */
export interface SyntaxProblem {
  readonly language: "YAML" | "JSON" | "TypeScript" | "JavaScript";
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

/** A file of a language that is parsed. */
export interface SourceText {
  readonly path: string;
  readonly text: string;
}
