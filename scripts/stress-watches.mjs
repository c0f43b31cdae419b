import { spawnSync } from "node:child_process";
import path from "node:path";

// `npm run stress:watches -- --writes 500 --writers 20 --watchers 200 --seed 1`: many writers and watchers of the embedded API server at once, in the
// process and over HTTP.
//
// Compares the events of each watcher with the history of the store. Ends with status 1 and prints the watchers whose events differ.
import { binOf, ensureInstalled, ROOT } from "./ensure-installed.mjs";

ensureInstalled();
const test = path.join("packages", "apiserver", "test", "watch-stress");
const { status } = spawnSync(process.execPath, [binOf("vitest"), "run", test], {
  cwd: ROOT,
  stdio: "inherit",
  env: {
    ...process.env,
    WATCH_STRESS_WRITES: valueOf("--writes") ?? "500",
    WATCH_STRESS_WRITERS: valueOf("--writers") ?? "20",
    WATCH_STRESS_WATCHERS: valueOf("--watchers") ?? "200",
    WATCH_STRESS_SEED: valueOf("--seed") ?? "1",
  },
});
process.exit(status ?? 1);

function valueOf(flag) {
  const index = process.argv.indexOf(flag);
  return index === -1 ? undefined : process.argv[index + 1];
}
