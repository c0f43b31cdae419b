import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Questions put to Kubernetes' own Go libraries, with their answers. */
export interface Recording {
  readonly inputs: readonly unknown[];
  readonly answers: readonly unknown[];
}

/**
 * Returns recorded questions and answers of a subject, in pairs. With `UPDATE_RECORDED=1` the inputs are put to the
 * Go program and recorded first.
 */
export function recordedAnswers<Pair extends readonly [input: unknown, answer: unknown]>(
  subject: string,
  makeInputs: () => readonly Pair[0][],
): readonly Pair[] {
  if (process.env["UPDATE_RECORDED"] === "1") record(subject, makeInputs());
  const { inputs, answers } = readRecording(subject);
  return inputs.map((input, index) => [input, answers[index]] as unknown as Pair);
}

/** Reads what was recorded of a subject. */
export function readRecording(subject: string): Recording {
  return JSON.parse(readFileSync(recordingPath(subject), "utf8")) as Recording;
}

/** Puts questions to the Go program. */
export function askOracle(subject: string, inputs: readonly unknown[]): readonly unknown[] {
  const run = spawnSync(buildOracle() ?? "", [subject], {
    input: JSON.stringify(inputs),
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (run.status !== 0) throw new TypeError(`the oracle failed: ${run.stderr}`, { cause: run.error });
  return JSON.parse(run.stdout) as unknown[];
}

let built: string | undefined;

/** Builds the Go program and returns its path; undefined where Go or its modules are missing. */
export function buildOracle(): string | undefined {
  if (built !== undefined) return built;
  const output = join(tmpdir(), `kubescaffold-k8s-oracle-${process.pid}`);
  const mayDownload = process.env["UPDATE_RECORDED"] === "1" || process.env["KUBESCAFFOLD_ORACLE"] === "1";
  const run = spawnSync("go", ["build", "-o", output, "."], {
    cwd: fileURLToPath(new URL(".", import.meta.url)),
    env: { ...process.env, GOFLAGS: "-mod=readonly", ...(mayDownload ? {} : { GOPROXY: "off" }) },
    encoding: "utf8",
  });
  built = run.status === 0 ? output : undefined;
  return built;
}

function record(subject: string, inputs: readonly unknown[]): void {
  const answers = askOracle(subject, inputs);
  const lines = (list: readonly unknown[]): string => list.map((item) => `\n${JSON.stringify(item)}`).join(",");
  writeFileSync(recordingPath(subject), `{"inputs": [${lines(inputs)}\n], "answers": [${lines(answers)}\n]}\n`);
}

function recordingPath(subject: string): string {
  return fileURLToPath(new URL(`../recorded/${subject}.json`, import.meta.url));
}
