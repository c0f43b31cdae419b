import { KUBERNETES_VERSION_VARIABLE, type KubernetesMinor, readKubernetesVersion } from "@kubescaffold/k8s";

import { kubernetesVersionOf } from "../../../project/kubernetes-version.ts";
import type { Invocation } from "../../command/command.ts";
import { InvalidFlagError } from "../../command/errors.ts";
import { KUBERNETES_FLAG, minorOf } from "../../flags/kubernetes-flag.ts";
import { requireVitest } from "../../programs/require-dependencies.ts";
import { runProgram } from "../../programs/run-program.ts";
import { readProject } from "../../session/project-session.ts";
import { CountFile } from "./test-counts.ts";
import { renderRuns, type TestRun } from "./test-run.ts";

/** The versions that the tests run on, and the arguments of Vitest. */
export interface TestOptions {
  /** The minor versions; undefined without the flag. */
  readonly minors: readonly KubernetesMinor[] | undefined;
  readonly printsJson: boolean;
  readonly words: readonly string[];
}

const FORMATS = ["text", "json"];

/** The texts of the flags, and the other words. */
interface TestWords {
  readonly flags: { readonly kubernetes: string | undefined; readonly output: string | undefined };
  readonly words: readonly string[];
}

/** Reads the flags. Fails: {@link InvalidFlagError} and `KubernetesVersionError`. */
export function readTestOptions({ flags, words }: TestWords, terminal: Invocation["terminal"]): TestOptions {
  const { output = "text", kubernetes } = flags;
  if (!FORMATS.includes(output)) {
    throw new InvalidFlagError(`invalid value "${output}" for flag --output: not ${FORMATS.join(" or ")}`, {
      hint: `write --output ${FORMATS.join(", or --output ")}`,
    });
  }
  const printsJson = output === "json";
  const minors = kubernetes === undefined ? undefined : minorsOf(kubernetes, terminal);
  const file = words.find((word) => /^--outputFile(?:[.=]|$)/u.test(word));
  if (file !== undefined && (printsJson || minors !== undefined)) {
    const flag = printsJson ? "output" : KUBERNETES_FLAG;
    throw new InvalidFlagError(
      `cannot use ${file} with --${flag}: the results of the versions are read from a file of Vitest`,
      {
        hint: `omit --${flag}, and set ${KUBERNETES_VERSION_VARIABLE} to one version`,
      },
    );
  }
  return { minors, printsJson, words };
}

function minorsOf(text: string, terminal: Invocation["terminal"]): readonly KubernetesMinor[] {
  const texts = text.split(",").map((each) => each.trim());
  return [...new Set(texts.map((each) => minorOf(each, terminal)))];
}

/** Runs the tests, on each version one after the other, and returns the exit status: 1 if tests fail on one of them. */
export async function runTest({ minors, printsJson, words }: TestOptions, invocation: Invocation): Promise<number> {
  const project = await readProject(invocation);
  const vitest = requireVitest(invocation.cwd);
  const run = async (added: readonly string[], env: Readonly<Record<string, string>>): Promise<number | undefined> =>
    await runProgram(NODE, [vitest, "run", ...words, ...added], {
      invocation: printsJson ? { ...invocation, terminal: errorsOnly(invocation.terminal) } : invocation,
      env,
    });
  if (minors === undefined && !printsJson) return (await run([], {})) ?? 1;
  const { terminal } = invocation;
  const runs: TestRun[] = [];
  for (const kubernetes of minors ?? [stated() ?? kubernetesVersionOf(project)]) {
    if (!printsJson) terminal.writeOut(`\nKubernetes ${kubernetes}\n`);
    const counts = await CountFile.create();
    try {
      const start = performance.now();
      const status = await run(counts.arguments(words), { [KUBERNETES_VERSION_VARIABLE]: kubernetes });
      const durationMs = Math.round(performance.now() - start);
      runs.push({ kubernetes, hasPassed: status === 0, durationMs, ...(await counts.read()) });
      // The user interrupted it, and wants no other.
      if (status === undefined || status === INTERRUPTED) break;
    } finally {
      await counts.remove();
    }
  }
  terminal.writeOut(printsJson ? `${JSON.stringify({ runs }, undefined, 2)}\n` : `\n${renderRuns(runs)}`);
  return runs.every(({ hasPassed }) => hasPassed) ? 0 : 1;
}

const NODE = { name: process.execPath, hint: "install Node" };
const INTERRUPTED = 130;

function stated(): KubernetesMinor | undefined {
  const text = process.env[KUBERNETES_VERSION_VARIABLE];
  return text ? readKubernetesVersion(text, KUBERNETES_VERSION_VARIABLE).minor : undefined;
}

// Standard output is for the results alone.
function errorsOnly({ writeError }: Invocation["terminal"]): Invocation["terminal"] {
  return { isInteractive: false, writeOut: writeError, writeError };
}
