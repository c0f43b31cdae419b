// Asks the packages of kube-apiserver what they make of the expressions below hack/cel-reference/cases, and writes the answers next to the
// tests of CEL. It needs Go; the tests do not:
//   node scripts/record-cel.mjs
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const reference = fileURLToPath(new URL("../hack/cel-reference/", import.meta.url));
const folder = fileURLToPath(new URL("../packages/schema/test/cel/recorded/", import.meta.url));

/** Runs of the reference: what differs between them, since Go walks maps in any order, is no answer to compare with. */
const RUNS = 4;

mkdirSync(folder, { recursive: true });
for (const name of ["language", "libraries", "schemas", "wild"]) {
  record(name, JSON.parse(readFileSync(`${reference}cases/${name}.json`, "utf8")));
}
writeJson("functions", JSON.parse(ask("", ["functions"])));

function record(name, groups) {
  const cases = groups.flatMap(({ expressions, ...rest }) =>
    expressions.map((expression) => ({ expression, ...rest })),
  );
  const runs = Array.from({ length: RUNS }, () => JSON.parse(ask(JSON.stringify(cases), [])));
  let next = 0;
  let kept = 0;
  const recorded = groups.map(({ expressions, ...rest }) => {
    const answers = expressions.flatMap((expression) => {
      const index = next++;
      const answer = runs[0][index];
      const wavers = runs.some((run) => JSON.stringify(run[index]) !== JSON.stringify(answer));
      if (wavers || answer.panic !== undefined) {
        process.stdout.write(`left out: ${expression}: ${answer.panic ?? "answers differ between runs"}\n`);
        return [];
      }
      kept++;
      return [{ expression, ...answer }];
    });
    return { ...rest, answers };
  });
  writeJson(name, recorded);
  process.stdout.write(`${name}: ${kept} cases\n`);
}

function ask(input, args) {
  return execFileSync("go", ["run", ".", ...args], { cwd: reference, input, encoding: "utf8", maxBuffer: 2 ** 28 });
}

function writeJson(name, content) {
  const text = Array.isArray(content)
    ? `[\n${content.map((group) => groupText(group)).join(",\n")}\n]\n`
    : `${JSON.stringify(content, undefined, 1)}\n`;
  writeFileSync(`${folder}${name}.json`, text);
}

// One line for each answer: differences are read by line.
function groupText({ answers, ...rest }) {
  const head = JSON.stringify(rest).slice(0, -1);
  return `${head},"answers":[\n${answers.map((answer) => JSON.stringify(answer)).join(",\n")}\n]}`;
}
