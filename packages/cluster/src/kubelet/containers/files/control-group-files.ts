import { quantityToBigInt } from "@kubescaffold/k8s";
import type { Container, Pod } from "@kubescaffold/k8s/core/v1";

const FOLDER = "/sys/fs/cgroup";
const MILLI = -3;
const PERIOD_US = 100_000;
const LEAST_QUOTA_US = 1000;
const [LEAST_SHARES, MOST_SHARES] = [2, 262_144];
// The kernel counts memory in pages.
const PAGE_BYTES = 4096n;

/** Returns the files of a container's control group (version 2) that a kubelet sets from its requests and limits: `cpu.max`, `cpu.weight`, and `memory.max`. */
export function controlGroupFiles({ resources }: Container, { spec }: Pod): ReadonlyMap<string, Buffer> {
  const { requests = {}, limits = {} } = resources ?? {};
  const ofPod = spec?.resources?.limits ?? {};
  const cpuLimit = milli(limits["cpu"]) || milli(ofPod["cpu"]);
  const memoryLimit = bytes(limits["memory"]) || bytes(ofPod["memory"]);
  const cpuRequest = requests["cpu"] === undefined ? cpuLimit : milli(requests["cpu"]);
  const values = {
    "cpu.max": `${cpuLimit === 0 ? "max" : String(quotaOf(cpuLimit))} ${String(PERIOD_US)}`,
    "cpu.weight": String(weightOf(cpuRequest)),
    "memory.max": memoryLimit === 0n ? "max" : String(memoryLimit - (memoryLimit % PAGE_BYTES)),
  };
  return new Map(Object.entries(values).map(([name, value]) => [`${FOLDER}/${name}`, Buffer.from(`${value}\n`)]));
}

function milli(quantity: string | undefined): number {
  return Number(quantityToBigInt(quantity ?? "0", MILLI));
}

function bytes(quantity: string | undefined): bigint {
  return quantityToBigInt(quantity ?? "0");
}

function quotaOf(milliCpu: number): number {
  return Math.max(Math.trunc((milliCpu * PERIOD_US) / 1000), LEAST_QUOTA_US);
}

// The conversion of container runtimes since runc 1.3: 1, 100, and 10000 are the least, the default, and the most of both units.
function weightOf(milliCpu: number): number {
  const shares = Math.min(Math.max(Math.trunc((milliCpu * 1024) / 1000), LEAST_SHARES), MOST_SHARES);
  if (shares === LEAST_SHARES) return 1;
  if (shares === MOST_SHARES) return 10_000;
  const log = Math.log2(shares);
  return Math.ceil(10 ** ((log * log + 125 * log) / 612 - 7 / 34));
}
