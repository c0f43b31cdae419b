import type { Pod, ResourceRequirements } from "@kubescaffold/k8s/core/v1";
import { describe, expect, it } from "vitest";

import { controlGroupFiles } from "../../../../src/kubelet/containers/files/control-group-files.ts";

function filesOf(resources: ResourceRequirements, ofPod?: ResourceRequirements): Readonly<Record<string, string>> {
  const container = { name: "c", resources };
  const spec = { containers: [container], ...(ofPod === undefined ? {} : { resources: ofPod }) };
  const pod: Pod = { apiVersion: "v1", kind: "Pod", metadata: {}, spec };
  const files = [...controlGroupFiles(container, pod)];
  return Object.fromEntries(files.map(([path, text]) => [path.replace("/sys/fs/cgroup/", ""), text.toString("utf8")]));
}

describe("the control group of a container", () => {
  it("is unlimited without limits", () => {
    expect(filesOf({})).toEqual({ "cpu.max": "max 100000\n", "cpu.weight": "1\n", "memory.max": "max\n" });
  });

  it("has the requests and limits of the container", () => {
    const [requests, limits] = [{ cpu: "250m" }, { cpu: "1500m", memory: "30Mi" }];
    expect(filesOf({ requests, limits })).toEqual({
      "cpu.max": "150000 100000\n",
      "cpu.weight": "35\n",
      "memory.max": "31457280\n",
    });
  });

  // Recorded from ConvertCPUSharesToCgroupV2Value of github.com/opencontainers/cgroups.
  it.each([
    ["1m", 1],
    ["2m", 1],
    ["15m", 5],
    ["20m", 6],
    ["25m", 6],
    ["100m", 17],
    ["1", 100],
    ["4", 303],
    ["1k", 10_000],
  ])("converts a request of %s of a processor to the weight %i", (cpu, weight) => {
    expect(filesOf({ requests: { cpu } })["cpu.weight"]).toBe(`${String(weight)}\n`);
  });

  it("has the limits as requests where there are none, the least quota, and whole pages", () => {
    expect(filesOf({ limits: { cpu: "5m", memory: "10001" } })).toEqual({
      "cpu.max": "1000 100000\n",
      "cpu.weight": "2\n",
      "memory.max": "8192\n",
    });
  });

  it("has the limits of the Pod where the container has none", () => {
    const ofPod = { limits: { cpu: "2", memory: "1Gi" } };
    expect(filesOf({ limits: { memory: "1Mi" } }, ofPod)).toMatchObject({
      "cpu.max": "200000 100000\n",
      "memory.max": "1048576\n",
    });
  });
});
