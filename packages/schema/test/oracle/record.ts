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

const output = execFileSync("go", ["run", "."], {
  cwd: here,
  input: JSON.stringify(cases),
  encoding: "utf8",
  maxBuffer: 2 ** 28,
});
const answers = JSON.parse(output) as readonly (OracleAnswer & { readonly panic?: string })[];

mkdirSync(folder, { recursive: true });
for (const op of new Set(cases.map((question) => question.op))) {
  const lines = cases.flatMap((question, index) => {
    const answer = answers[index];
    return question.op !== op || answer === undefined || answer.panic !== undefined ? [] : [JSON.stringify({ ...question, answer })];
  });
  writeFileSync(`${folder}${op}.json`, `[\n${lines.join(",\n")}\n]\n`);
  process.stdout.write(`${op}: ${String(lines.length)} cases\n`);
}
process.stdout.write(`upstream gave up on ${String(answers.filter((answer) => answer.panic !== undefined).length)} cases\n`);
