// `npm run nightly`: all shards of the random tests, of which the gate runs one per day. Prints `N passed, N failed` on the last line.
//
// node scripts/nightly.mjs [--test fuzz] [--shard 3]
import { parseArgs } from "node:util";

import { ensureInstalled, runStatus } from "./ensure-installed.mjs";
import { goVersion } from "./go-programs.mjs";
import { RANDOM_TESTS, selectedShard, SHARDS } from "./random-tests.mjs";

const { values } = parseArgs({
  options: { test: { type: "string", multiple: true }, shard: { type: "string" } },
});
const names = RANDOM_TESTS.map(({ name }) => name);
const unknown = (values.test ?? []).filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`nightly: unknown test ${unknown.join(", ")}; the random tests are ${names.join(", ")}`);
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
for (const each of failed) console.log(`failed: ${each}`);
console.log(`\n${String(passed)} passed, ${String(failed.length)} failed`);
process.exit(failed.length === 0 ? 0 : 1);
