// Asks upstream's libraries all cases about CEL rules and writes their answers next to the tests. It needs Go; the tests do not:
//   npx tsx --conditions=@kubescaffold/source packages/schema/test/oracle/rules/record.ts
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { checkCases } from "./check-cases.ts";
import { costCases } from "./cost-cases.ts";
import { validateCases } from "./validate-cases.ts";

const module = fileURLToPath(new URL("..", import.meta.url));
const folder = fileURLToPath(new URL("../../recorded/", import.meta.url));
const cases = [...costCases, ...checkCases, ...validateCases];

// Upstream walks maps in any order: an answer that differs between runs is no answer to compare with.
const RUNS = 4;
const runs = Array.from({ length: RUNS }, ask);
const isStable = (index: number): boolean => new Set(runs.map((run) => JSON.stringify(run[index]))).size === 1;

function ask(): readonly object[] {
  const input = JSON.stringify(cases);
  const output = execFileSync("go", ["run", "./rules"], { cwd: module, input, encoding: "utf8", maxBuffer: 2 ** 28 });
  return JSON.parse(output) as readonly object[];
}

mkdirSync(folder, { recursive: true });
for (const op of new Set(cases.map((question) => question.op))) {
  const lines = cases.flatMap((question, index) => {
    const answer = runs[0]?.[index];
    if (question.op !== op || answer === undefined) {
      return [];
    }
    if ("panic" in answer || !isStable(index)) {
      process.stdout.write(
        `left out: ${JSON.stringify(question).slice(0, 300)} ${JSON.stringify(answer).slice(0, 300)}\n`,
      );
      return [];
    }
    return [JSON.stringify({ ...question, answer })];
  });
  writeFileSync(`${folder}${op}.json`, `[\n${lines.join(",\n")}\n]\n`);
  process.stdout.write(`${op}: ${String(lines.length)} cases\n`);
}
