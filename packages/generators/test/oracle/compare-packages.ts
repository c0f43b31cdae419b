import { withoutVersion } from "../support/golden-cases.ts";
import { compare, type Comparison } from "./compare.ts";
import { runBinary, runControllerGen, type GoTools, type Outcome } from "./go-oracle.ts";
import type { Package } from "./package-model.ts";
import type { PartResult } from "./part-result.ts";
import { randomPackage, type GeneratorName } from "./random-package.ts";
import { renderGo, type Files } from "./render-go.ts";
import { renderTypeScript } from "./render-typescript.ts";
import { runScaffold } from "./scaffold-oracle.ts";
import { shrink } from "./shrink.ts";

export interface ComparePackagesOptions {
  readonly tools: GoTools;
  readonly seed: number;
  readonly count: number;
  readonly generator?: GeneratorName | undefined;
  readonly print: (text: string) => void;
}

const BATCH = 250;
// How many packages of a batch controller-gen itself is asked about, to hold the program in hack/oracle true.
const ASKED_AGAIN = 4;
const SHRUNK_AT_MOST = 5;
const ASKED_UNTIL_SAME = 16;

/** Compares both programs over random packages; prints each unlisted difference, made as small as it gets, as a golden case. */
export async function comparePackages(options: ComparePackagesOptions): Promise<PartResult> {
  const { tools, seed, count, generator, print } = options;
  const tally = new Map<string, number>();
  let failed = 0;
  for (let start = 0; start < count; start += BATCH) {
    const length = Math.min(BATCH, count - start);
    const packages = Array.from({ length }, (_, index) => randomPackage(seed + start + index, generator));
    const { comparisons, faults } = await compareAll(tools, packages, true);
    for (const fault of faults) print(fault);
    failed += faults.length;
    for (const [index, first] of comparisons.entries()) {
      const model = packages[index];
      if (model === undefined) continue;
      const comparison = first.verdict.kind === "different" ? await askUntilSame(tools, model, first) : first;
      countIn(tally, model, comparison);
      if (comparison.verdict.kind !== "different") continue;
      failed += 1;
      print(
        failed > SHRUNK_AT_MOST
          ? `seed ${String(model.seed)}: ${comparison.verdict.how}`
          : await explain(tools, model, comparison),
      );
    }
  }
  const details = [...tally]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([what, times]) => `${String(times)} ${what}`);
  return {
    name: `packages (seeds ${String(seed)} to ${String(seed + count - 1)})`,
    passed: count - failed,
    failed,
    details,
  };
}

// Where controller-gen goes through a map of Go, its answer changes from run to run; ours is one of them.
async function askUntilSame(tools: GoTools, model: Package, first: Comparison): Promise<Comparison> {
  const { comparisons } = await compareAll(
    tools,
    Array.from({ length: ASKED_UNTIL_SAME }, () => model),
    false,
  );
  const isSame = comparisons.some(({ verdict }) => verdict.kind !== "different");
  return isSame ? { ...first, verdict: { kind: "listed", row: "source-order" } } : first;
}

function countIn(tally: Map<string, number>, { kind }: Package, { verdict }: Comparison): void {
  const what =
    verdict.kind === "same"
      ? verdict.isRefused
        ? "rejected by both"
        : "with the same bytes"
      : verdict.kind === "listed"
        ? `listed as ${verdict.row}`
        : "different";
  const key = `${kind} ${what}`;
  tally.set(key, (tally.get(key) ?? 0) + 1);
}

async function compareAll(
  tools: GoTools,
  packages: readonly Package[],
  isAskedAgain: boolean,
): Promise<{ readonly comparisons: readonly Comparison[]; readonly faults: readonly string[] }> {
  const theirs = runControllerGen(tools, packages);
  const faults = isAskedAgain ? askAgain(tools, packages, theirs) : [];
  const comparisons: Comparison[] = [];
  for (const [index, model] of packages.entries()) {
    const outcome = theirs[index] ?? { output: "", errors: ["no answer"] };
    comparisons.push(compare(model, outcome, await runScaffold(model)));
  }
  return { comparisons, faults };
}

function askAgain(tools: GoTools, packages: readonly Package[], theirs: readonly Outcome[]): readonly string[] {
  const step = Math.max(1, Math.floor(packages.length / ASKED_AGAIN));
  return packages.flatMap((model, index) => {
    if (index % step !== 0) return [];
    const known = theirs[index];
    const answer = runBinary(tools, model, index);
    const isSame =
      known !== undefined &&
      answer.errors.length > 0 === known.errors.length > 0 &&
      (answer.errors.length > 0 || withoutVersion(answer.output) === withoutVersion(known.output));
    return isSame
      ? []
      : [`seed ${String(model.seed)}: controller-gen and hack/oracle differ\n${answer.errors.join("\n")}`];
  });
}

async function explain(tools: GoTools, model: Package, found: Comparison): Promise<string> {
  const { verdict } = found;
  const smallest = await shrink(model, async (candidates) => {
    const { comparisons } = await compareAll(tools, candidates, false);
    return comparisons.map((each) => isAlike(each, found));
  });
  const { comparisons } = await compareAll(tools, [smallest], false);
  const { theirs, ours } = comparisons[0] ?? found;
  return [
    `seed ${String(model.seed)}: ${verdict.kind === "different" ? verdict.how : verdict.kind}`,
    ...firstDifference(found),
    `arguments: ${JSON.stringify(smallest.options)}`,
    ...section("go", renderGo(smallest)),
    ...section("input", renderTypeScript(smallest)),
    "--- controller-gen",
    theirs.errors.length > 0 ? theirs.errors.join("\n") : theirs.output,
    "--- ours",
    ours.errors.length > 0 ? ours.errors.join("\n") : ours.output,
  ].join("\n");
}

function isAlike(each: Comparison, found: Comparison): boolean {
  if (each.verdict.kind !== "different" || found.verdict.kind !== "different") return false;
  return each.verdict.how === found.verdict.how && reasonOf(each) === reasonOf(found);
}

// What is said, without places and names, so that shrinking does not lead to another error.
function reasonOf({ theirs, ours }: Comparison): string {
  const [first = ""] = [...theirs.errors, ...ours.errors];
  return first.replace(/^.*?:\d+:\d+: |^[^ ]*:-: |".*$/gu, "").slice(0, 40);
}

// Where the whole package differs, in case that the smallest one does so for another reason.
function firstDifference({ theirs, ours }: Comparison): readonly string[] {
  const [left, right] = [theirs, ours].map(({ output }) => withoutVersion(output).split("\n"));
  const index = left?.findIndex((line, at) => line !== right?.[at]) ?? -1;
  return index === -1 ? [] : [`- ${left?.[index] ?? ""}`, `+ ${right?.[index] ?? ""}`];
}

function section(folder: string, files: Files): readonly string[] {
  return Object.entries(files).flatMap(([file, text]) => [`--- ${folder}/${file}`, text]);
}
