// Asks upstream's libraries all cases and writes their answers next to the tests. It needs Go; the tests do not:
//   npx tsx --conditions=@kubescaffold/source packages/schema/test/oracle/record.ts
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { chosenCases } from "./chosen-cases.ts";
import { generatedCases } from "./generated-cases.ts";
import type { OracleAnswer, OracleCase } from "./oracle-case.ts";
import { structuralCases } from "./structural-cases.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const folder = fileURLToPath(new URL("../recorded/", import.meta.url));
const cases: readonly OracleCase[] = [...chosenCases, ...structuralCases, ...generatedCases];

type Answer = OracleAnswer & { readonly panic?: string };

// Upstream walks maps in any order: an answer that differs between runs is no answer to compare with.
const RUNS = 6;
const runs = Array.from({ length: RUNS }, ask);
const answers = runs[0] ?? [];
const isStable = (index: number): boolean => new Set(runs.map((run) => JSON.stringify(run[index]))).size === 1;

function ask(): readonly Answer[] {
  const input = JSON.stringify(cases);
  const output = execFileSync("go", ["run", "."], { cwd: here, input, encoding: "utf8", maxBuffer: 2 ** 28 });
  return JSON.parse(output) as readonly Answer[];
}

mkdirSync(folder, { recursive: true });
for (const op of new Set(cases.map((question) => question.op))) {
  const lines = cases.flatMap((question, index) => {
    const answer = answers[index];
    return question.op !== op || answer === undefined || answer.panic !== undefined || !isStable(index)
      ? []
      : [JSON.stringify({ ...question, answer })];
  });
  writeFileSync(`${folder}${op}.json`, `[\n${lines.join(",\n")}\n]\n`);
  process.stdout.write(`${op}: ${String(lines.length)} cases\n`);
}
const dropped = answers.filter((answer, index) => answer.panic !== undefined || !isStable(index));
process.stdout.write(`left out, since upstream gives up or wavers: ${String(dropped.length)} cases\n`);
