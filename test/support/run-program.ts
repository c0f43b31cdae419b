import path from "node:path";

import { execa } from "execa";

/** How a program ended, and what it wrote to both streams. */
export interface ProgramResult {
  readonly status: number | undefined;
  readonly output: string;
}

// A program that hangs is ended, so that a test says what it wrote; far longer than any takes.
const LIVENESS_MS = 500_000;

/** Runs a program to its end, with the environment of a user's shell. */
export async function runProgram(
  command: string,
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<ProgramResult> {
  const { exitCode, all, shortMessage } = await execa(command, args, {
    cwd,
    env: { ...userEnvironment(), ...env },
    extendEnv: false,
    stdin: "ignore",
    all: true,
    reject: false,
    timeout: LIVENESS_MS,
  });
  return { status: exitCode, output: exitCode === undefined ? `${all}\n${shortMessage}` : all };
}

/** Runs a program that has to succeed and returns what it wrote. */
export async function runSuccessfully(...call: Parameters<typeof runProgram>): Promise<string> {
  const { status, output } = await runProgram(...call);
  if (status !== 0) {
    throw new Error(`${call[0]} ${call[1].join(" ")} ended with status ${String(status)}:\n${output}`);
  }
  return output;
}

/**
 * Returns the environment without what npm and the test runner put into it.
 *
 * With these a program would find the tools of this repository, and a test runner would think it runs inside another.
 */
export function userEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(?:npm_(?!config_(?:registry|cache|userconfig|globalconfig|cafile|strict_ssl|.*proxy)$)|VITEST|KUBECONFIG$|INIT_CWD$|NODE_ENV$|NODE_OPTIONS$|TEST$|DEV$|PROD$|MODE$|SSR$|BASE_URL$)/u.test(
        name,
      ),
  );
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  return {
    ...Object.fromEntries(kept),
    PATH: folders.filter((folder) => !/node_modules[/\\]\.bin|node-gyp-bin/u.test(folder)).join(path.delimiter),
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_prefer_offline: "true",
    npm_config_update_notifier: "false",
    NO_COLOR: "1",
  };
}
