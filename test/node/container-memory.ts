import { readFileSync } from "node:fs";

const MIB = 1024 * 1024;

/** The memory that the kernel charges to a container. */
export interface ContainerMemory {
  /** All of it, less the files that the kernel can drop at once: what the kubelet and `kubectl top` report. */
  readonly workingMib: number;
  readonly peakMib: number;
}

/** Reads the memory of the container of a process from its cgroup. */
export function containerMemory(pid: number): ContainerMemory {
  const cgroups = readFileSync(`/proc/${String(pid)}/cgroup`, "utf8");
  const folder = `/sys/fs/cgroup/memory${/^\d+:memory:(?<path>.*)$/mu.exec(cgroups)?.groups?.["path"] ?? ""}`;
  const read = (file: string): string => readFileSync(`${folder}/${file}`, "utf8");
  const inactive = Number(/^total_inactive_file (?<bytes>\d+)$/mu.exec(read("memory.stat"))?.groups?.["bytes"]);
  return {
    workingMib: (Number(read("memory.usage_in_bytes")) - inactive) / MIB,
    peakMib: Number(read("memory.max_usage_in_bytes")) / MIB,
  };
}
