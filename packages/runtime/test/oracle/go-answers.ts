import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Inputs of a subject of the Go program in this folder, with its answers. */
interface Recording<Input, Answer> {
  readonly inputs: readonly Input[];
  readonly answers: readonly Answer[];
}

/** Reads the recorded answers of a subject. With `UPDATE_RECORDED=1` the Go program answers the inputs first. */
export function goAnswers<Input, Answer>(
  subject: string,
  makeInputs: () => readonly Input[],
): readonly (readonly [Input, Answer])[] {
  const file = fileURLToPath(new URL(`../recorded/${subject}.json`, import.meta.url));
  if (process.env["UPDATE_RECORDED"] === "1") {
    const inputs = makeInputs();
    writeFileSync(file, printRecording({ inputs, answers: askGo(subject, inputs) }));
  }
  const { inputs, answers } = JSON.parse(readFileSync(file, "utf8")) as Recording<Input, Answer>;
  return inputs.map((input, index) => [input, answers[index] as Answer]);
}

function askGo(subject: string, inputs: readonly unknown[]): readonly unknown[] {
  const run = spawnSync(buildGoProgram(), [subject], {
    input: JSON.stringify(inputs),
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (run.status !== 0) throw new TypeError(`the Go program failed: ${run.stderr}`, { cause: run.error });
  return JSON.parse(run.stdout) as unknown[];
}

function buildGoProgram(): string {
  const output = path.join(tmpdir(), `kubescaffold-runtime-oracle-${String(process.pid)}`);
  const run = spawnSync("go", ["build", "-o", output, "."], {
    cwd: fileURLToPath(new URL(".", import.meta.url)),
    env: { ...process.env, GOFLAGS: "-mod=readonly" },
    encoding: "utf8",
  });
  if (run.status !== 0) throw new TypeError(`the Go program was not built: ${run.stderr}`, { cause: run.error });
  return output;
}

function printRecording({ inputs, answers }: Recording<unknown, unknown>): string {
  const lines = (list: readonly unknown[]): string => list.map((item) => `\n${JSON.stringify(item)}`).join(",");
  return `{"inputs": [${lines(inputs)}\n], "answers": [${lines(answers)}\n]}\n`;
}
