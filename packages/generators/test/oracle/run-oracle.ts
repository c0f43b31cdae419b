// Run by scripts/test-oracle.mjs: the first argument says where the Go programs are, the others are the user's.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { resourceNameOf } from "@kubescaffold/k8s";
import { printYaml } from "@kubescaffold/k8s/yaml";

import { comparePackages } from "./compare-packages.ts";
import { askOracle, type GoTools } from "./go-oracle.ts";
import { listedMarkerDifference, ourMarkerAnswer, randomMarkerQuestion, theirMarkerAnswer } from "./marker-answers.ts";
import { compareAnswers, type PartResult } from "./part-result.ts";
import { flectWords, randomKind } from "./plural-answers.ts";
import type { GeneratorName } from "./random-package.ts";
import { createRandom } from "./random.ts";
import { listedYamlDifference, randomDocument } from "./yaml-answers.ts";

const GENERATORS: readonly GeneratorName[] = ["crd", "rbac", "webhook"];
const ANSWERS = 3000;
const KINDS = 10_000;
const RECORDED = 400;

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    packages: { type: "string", default: "200" },
    seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
    generator: { type: "string" },
    only: { type: "string" },
    record: { type: "boolean", default: false },
  },
});
const tools = JSON.parse(process.argv[2] ?? "{}") as GoTools & { readonly flect: string };
const seed = Number(values.seed);
const generator = GENERATORS.find((each) => each === values.generator);
if (values.generator !== undefined && generator === undefined) {
  console.error(`--generator is one of ${GENERATORS.join(", ")}`);
  process.exit(2);
}

const PARTS: Readonly<Record<string, () => PartResult | Promise<PartResult>>> = {
  generate: () => comparePackages({ tools, seed, count: Number(values.packages), generator, print: console.log }),
  markers: compareMarkers,
  yaml: compareYaml,
  plurals: comparePlurals,
};

process.exitCode = values.record ? record() : await compareParts();

async function compareParts(): Promise<number> {
  console.log(`seed ${String(seed)}`);
  let failed = 0;
  for (const [name, part] of Object.entries(PARTS)) {
    if (values.only !== undefined && values.only !== name) continue;
    const start = performance.now();
    const result = await part();
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${result.name}: ${String(result.passed)} passed, ${String(result.failed)} failed (${seconds} s)`);
    for (const detail of result.details) console.log(`  ${detail}`);
    failed += result.failed;
  }
  return failed === 0 ? 0 : 1;
}

// Writes what `npm test`, which has no Go, compares with.
function record(): number {
  const random = createRandom(seed);
  const markers = Array.from({ length: RECORDED }, () => randomMarkerQuestion(random));
  const documents = Array.from({ length: RECORDED }, () => randomDocument(random));
  writeRecording(
    "marker-answers",
    markers,
    askOracle(tools, "markers", markers).map((each) => theirMarkerAnswer(each)),
  );
  writeRecording("yaml-answers", documents, askOracle(tools, "yaml", documents));
  return 0;
}

function writeRecording(name: string, questions: readonly unknown[], answers: readonly unknown[]): void {
  const lines = questions.map((question, index) => `  ${JSON.stringify({ question, answer: answers[index] })}`);
  writeFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), `[\n${lines.join(",\n")}\n]\n`);
}

function compareMarkers(): PartResult {
  const random = createRandom(seed);
  const questions = Array.from({ length: ANSWERS }, () => randomMarkerQuestion(random));
  const theirs = askOracle(tools, "markers", questions).map((answer) => theirMarkerAnswer(answer));
  return compareAnswers({
    name: "marker texts",
    questions,
    theirs,
    ours: ourMarkerAnswer,
    print: console.log,
    listed: listedMarkerDifference,
  });
}

function compareYaml(): PartResult {
  const random = createRandom(seed);
  const questions = Array.from({ length: ANSWERS }, () => randomDocument(random));
  const theirs = askOracle(tools, "yaml", questions);
  return compareAnswers({
    name: "YAML documents",
    questions,
    theirs,
    ours: printYaml,
    print: console.log,
    listed: listedYamlDifference,
  });
}

function comparePlurals(): PartResult {
  const random = createRandom(seed);
  const words = flectWords(tools.flect);
  const questions = [...words, ...Array.from({ length: KINDS }, () => randomKind(random, words))];
  const theirs = askOracle(tools, "plurals", questions);
  return compareAnswers({ name: "plurals", questions, theirs, ours: resourceNameOf, print: console.log });
}
