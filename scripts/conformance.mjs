// `npm run test:conformance`: runs the conformance specs of Kubernetes' own end-to-end suite against the embedded API server, each on a new cluster.
//
//   node scripts/conformance.mjs [--kubernetes 1.36] [--focus text]... [--skip text]... [--quick] [--resume] [--jobs 3] [--seconds 420] [--output folder] [--page]
//
// `--kubernetes` selects the version of the suite, of the server, and of kubectl, by default that of the newest server. `--resume` leaves out the specs that passed on this
// machine from the same commit. `--quick` runs the specs of hack/conformance/quick.txt. `--output` writes the output of each failed spec, `--page` docs/verification/conformance.md from the results of this
// run and, for specs that it leaves out, of earlier ones.
// Ends with status 1 if a spec fails that hack/conformance/exceptions.json does not explain; specs that it explains are run only with `--focus`.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";

import { buildControlPlane } from "./build-control-plane.mjs";
import { readExceptions, reasonFor, writePage } from "./conformance/page.mjs";
import { keepResult, keptResults } from "./conformance/results.mjs";
import { buildSuite, conformanceSpecs, runSpec, temporaryKubeconfig } from "./conformance/suite.mjs";
import { DEFAULT_MINOR } from "./control-plane-pins.mjs";
import { ensureInstalled, ROOT, run } from "./ensure-installed.mjs";
import { goVersion } from "./go-programs.mjs";
import { sourceCommit } from "./source-commit.mjs";

const { values } = parseArgs({
  options: {
    kubernetes: { type: "string", default: DEFAULT_MINOR },
    resume: { type: "boolean", default: false },
    focus: { type: "string", multiple: true, default: [] },
    skip: { type: "string", multiple: true, default: [] },
    quick: { type: "boolean", default: false },
    jobs: { type: "string", default: "3" },
    seconds: { type: "string", default: "420" },
    output: { type: "string" },
    page: { type: "boolean", default: false },
  },
});

if (goVersion() === undefined) {
  console.log("*".repeat(76));
  console.log("* SKIPPED: the conformance specs of Kubernetes did NOT run.");
  console.log("* They need Go 1.26 or later on the PATH.");
  console.log("*".repeat(76));
  process.exit(0);
}
ensureInstalled();
run(process.execPath, [path.join(ROOT, "scripts", "build.mjs")]);
const { startConformanceCluster } = await import("./conformance/cluster.mjs");
const minor = values.kubernetes;
const suite = buildSuite(minor);
const kubectl = path.join(buildControlPlane({ minor }), "kubectl");
const exceptions = readExceptions();
const quick = values.quick ? quickSpecs() : undefined;
const titles = await conformanceSpecs(suite);
const UNKNOWN_SECONDS = 30;
const kept = keptResults(minor);
const { commit } = sourceCommit(ROOT);
const results = await runAll(titles.filter(isSelected).toSorted(longestFirst));
report(results);
if (values.page) writePage(titles, [...keptResults(minor).values()], { minor, seconds: values.seconds });

// Specs that take minutes, and those that were never run, must not be the last ones.
function longestFirst(left, right) {
  return (kept.get(right)?.seconds ?? UNKNOWN_SECONDS) - (kept.get(left)?.seconds ?? UNKNOWN_SECONDS);
}

function quickSpecs() {
  const text = readFileSync(path.join(ROOT, "hack", "conformance", "quick.txt"), "utf8");
  return new Set(text.split("\n").filter((line) => line !== "" && !line.startsWith("#")));
}

function isSelected(title) {
  if (quick !== undefined && !quick.has(title)) return false;
  if (values.resume && hasPassed(title)) return false;
  if (values.focus.length === 0 && reasonFor(title, exceptions) !== undefined) return false;
  const isFocused = values.focus.length === 0 || values.focus.some((text) => title.includes(text));
  return isFocused && !values.skip.some((text) => title.includes(text));
}

// With changes that are not committed, nobody knows what ran.
function hasPassed(title) {
  const known = kept.get(title);
  return known?.state === "passed" && known.commit === commit && !/^unknown|-dirty$/u.test(commit);
}

async function runAll(titles) {
  const results = [];
  const waiting = [...titles];
  const worker = async () => {
    for (let title = waiting.shift(); title !== undefined; title = waiting.shift()) {
      const result = await runOnNewCluster(title);
      results.push(result);
      keepResult(minor, { ...result, commit });
      console.log(
        `${result.state === "passed" ? "ok  " : "FAIL"} ${result.seconds.toFixed(1).padStart(6)} s  ${title}`,
      );
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, worker));
  return results.toSorted((left, right) => (left.title < right.title ? -1 : 1));
}

async function runOnNewCluster(title) {
  const cluster = await startConformanceCluster(minor);
  const kubeconfig = temporaryKubeconfig(cluster.kubeconfig);
  try {
    return await runSpec({ suite, title, kubeconfig: kubeconfig.file, kubectl, seconds: Number(values.seconds) });
  } finally {
    kubeconfig.remove();
    await cluster.close();
  }
}

function report(results) {
  const failed = results.filter(({ state }) => state !== "passed");
  if (values.output !== undefined) {
    mkdirSync(values.output, { recursive: true });
    const lines = results.map(({ title, state, seconds, message }) =>
      JSON.stringify({ title, state, seconds, message }),
    );
    writeFileSync(path.join(values.output, "results.jsonl"), `${lines.join("\n")}\n`);
    for (const [index, { title, output }] of failed.entries())
      writeFileSync(path.join(values.output, `${String(index + 1).padStart(3, "0")}.log`), `${title}\n\n${output}`);
  }
  for (const { title, message } of failed) console.log(`\n${title}\n  ${message.split("\n").slice(0, 4).join("\n  ")}`);
  console.log(`\n${String(results.length - failed.length)} passed, ${String(failed.length)} failed`);
  process.exitCode = failed.every(({ title }) => reasonFor(title, exceptions) !== undefined) ? 0 : 1;
}
