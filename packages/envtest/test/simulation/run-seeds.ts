// Runs the schedules of seeds and prints what fails: `run-seeds.ts <first seed> <number>`; scripts/simulate.mjs starts it.
import { shrink } from "./shrink.ts";
import { scriptOf, simulate } from "./simulate.ts";

const [first = 1, count = 100] = process.argv.slice(2).map(Number);
const figures = { schedules: 0, steps: 0, events: 0, faults: 0, longestMs: 0, failures: 0 };

// The first schedule loads modules, which takes real time.
await simulate(scriptOf(0));
for (let seed = first; seed < first + count; seed += 1) {
  const script = scriptOf(seed);
  const { violations, trace, faults, convergedAfterMs } = await simulate(script);
  figures.schedules += 1;
  figures.steps += script.steps.length;
  figures.events += trace.length;
  figures.faults += faults.length;
  figures.longestMs = Math.max(figures.longestMs, convergedAfterMs);
  if (violations.length > 0) {
    figures.failures += 1;
    console.error(`seed ${String(seed)}:\n  ${violations.join("\n  ")}`);
    const smallest = await shrink(script, async (candidate) => await simulate(candidate));
    console.error(`the smallest script that fails:\n${JSON.stringify(smallest)}`);
    console.error((await simulate(smallest)).trace.join("\n"));
    if (figures.failures >= 3) break;
  }
}
console.log(JSON.stringify(figures));
process.exit(figures.failures === 0 ? 0 : 1);
