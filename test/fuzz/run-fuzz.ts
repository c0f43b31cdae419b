// `npm run fuzz -- --minutes N [--target name] [--seed N]`: see CONTRIBUTING.md.
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

import { bundleTarget } from "./engine/bundle-target.ts";
import { type FoundInput, runTarget } from "./engine/run-target.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    target: { type: "string", multiple: true },
    seed: { type: "string" },
  },
});
const targets =
  values.target ??
  readdirSync(path.join(import.meta.dirname, "targets"))
    .map((file) => path.basename(file, ".ts"))
    .toSorted();
const seed = values.seed === undefined ? Math.trunc(Math.random() * 2 ** 31) : Number(values.seed);
const forMs = (Number(values.minutes) * 60_000) / targets.length;
const AT_ONCE = Math.min(2, targets.length);

console.log(`fuzzing ${String(targets.length)} targets for ${values.minutes} minutes with --seed ${String(seed)}`);
const bundles = mkdtempSync(path.join(tmpdir(), "kubescaffold-fuzz-"));
const waiting = [...targets];
let failed = 0;
await Promise.all(Array.from({ length: AT_ONCE }, work));
rmSync(bundles, { recursive: true, force: true });
process.exitCode = failed === 0 ? 0 : 1;

async function work(): Promise<void> {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await fuzz(name);
}

async function fuzz(name: string): Promise<void> {
  const bundle = path.join(bundles, `${name}.mjs`);
  const counters = await bundleTarget(name, bundle);
  const { executions, covered, corpus, found } = await runTarget({ bundle, counters, seed, forMs: forMs * AT_ONCE });
  const totals = [
    `${String(executions)} executions`,
    `${String(covered)} of ${String(counters)} branches`,
    `${String(corpus)} inputs in the corpus`,
  ];
  console.log(`${name}: ${totals.join(", ")}, ${String(found.length)} findings`);
  failed += found.length;
  for (const each of found) console.log(described(name, store(name, each), each));
}

function store(name: string, { input }: FoundInput): string {
  const folder = path.join(import.meta.dirname, "fixtures", name);
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${createHash("sha256").update(input).digest("hex").slice(0, 12)}.txt`);
  writeFileSync(file, input);
  return file;
}

function described(name: string, file: string, { finding }: FoundInput): string {
  const place = path.relative(process.cwd(), file);
  const message = finding.message.split("\n").slice(0, 8).join("\n    ");
  return `  ${place}\n    ${message}\n    reproduce: npx vitest run test/fuzz -t ${JSON.stringify(`${name} ${path.basename(file)}`)}`;
}
