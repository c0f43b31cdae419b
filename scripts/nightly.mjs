// `npm run nightly`: all shards of the random tests, of which the gate runs one per day, and the tests with all clients of other languages, of which it compiles one per day. Prints `N passed, N failed` on the last line.
//
// node scripts/nightly.mjs [--test fuzz] [--shard 3]
import { parseArgs } from "node:util";

import { ensureInstalled, runStatus } from "./ensure-installed.mjs";
import { goVersion } from "./go-programs.mjs";
import { RANDOM_TESTS } from "./random-tests.mjs";
import { selectedShard, SHARDS } from "./rotation.mjs";

const { values } = parseArgs({
  options: { test: { type: "string", multiple: true }, shard: { type: "string" } },
});
const CLIENT_TESTS = [
  "test/e2e/other-clients.test.ts",
  "test/e2e/other-runtimes.test.ts",
  "test/e2e/docs-languages.test.ts",
];
// Without shards: all parts of what CI runs in turns.
const WHOLE_TESTS = [
  { name: "clients", commands: [["scripts/install-clients.mjs"], ["scripts/run-tests.mjs", "--e2e", ...CLIENT_TESTS]] },
  { name: "test:e2e", commands: [["scripts/run-tests.mjs", "--e2e"]] },
  { name: "test:control-plane", commands: [["scripts/test-control-plane.mjs"]] },
];
const names = [...RANDOM_TESTS, ...WHOLE_TESTS].map(({ name }) => name);
const unknown = (values.test ?? []).filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`nightly: unknown test ${unknown.join(", ")}; the tests are ${names.join(", ")}`);
  process.exit(2);
}
const shards =
  values.shard === undefined
    ? Array.from({ length: SHARDS }, (_, index) => index)
    : [selectedShard({ named: values.shard })];

ensureInstalled();
const hasGo = goVersion() !== undefined;
const failed = [];
let passed = 0;
for (const { name, needsGo = false, argsOf } of RANDOM_TESTS) {
  if (values.test !== undefined && !values.test.includes(name)) continue;
  if (needsGo && !hasGo) {
    console.log(`\n==== ${name}: SKIPPED, since there is no Go on the PATH`);
    continue;
  }
  for (const shard of shards) {
    console.log(`\n==== ${name}, shard ${String(shard)} of ${String(SHARDS)}`);
    if (runStatus(process.execPath, argsOf(shard)) === 0) passed += 1;
    else failed.push(`${name}, shard ${String(shard)}: node ${argsOf(shard).join(" ")}`);
  }
}
for (const test of WHOLE_TESTS) if (values.test === undefined || values.test.includes(test.name)) runWhole(test);
for (const each of failed) console.log(`failed: ${each}`);
console.log(`\n${String(passed)} passed, ${String(failed.length)} failed`);
process.exit(failed.length === 0 ? 0 : 1);

function runWhole({ name, commands }) {
  console.log(`\n==== ${name}`);
  for (const args of commands) {
    if (runStatus(process.execPath, args) === 0) passed += 1;
    else failed.push(`${name}: node ${args.join(" ")}`);
  }
}
