// How busy the machine is around a measurement.
import { readFileSync } from "node:fs";
import { loadavg } from "node:os";

/** Prints the load of the machine; the returned function prints it once more, with the processor time that the host gave to other machines in between. */
export function printLoad() {
  console.log(`load at the start: ${loadavg()[0].toFixed(1)}\n`);
  const before = processorTicks();
  return () => {
    console.log(`\nload at the end: ${loadavg()[0].toFixed(1)}${stolenShare(before, processorTicks())}`);
  };
}

function stolenShare(before, after) {
  if (before === undefined || after === undefined) return "";
  const percent = (100 * (after.stolen - before.stolen)) / Math.max(1, after.total - before.total);
  return `; stolen from this virtual machine: ${percent.toFixed(1)} % of its processors' time`;
}

// The first line of Linux's /proc/stat has user, nice, system, idle, iowait, irq, softirq, and steal; user includes what guests get.
function processorTicks() {
  try {
    const [, ...ticks] = readFileSync("/proc/stat", "utf8").split("\n", 1)[0].split(/\s+/u);
    const counted = ticks.slice(0, 8).map(Number);
    return { stolen: counted[7] ?? 0, total: counted.reduce((sum, each) => sum + each, 0) };
  } catch {
    return undefined;
  }
}
