import type { Container, PodSpec } from "@kubescaffold/k8s/core/v1";
import { describe, expect, it } from "vitest";

import { podAmounts } from "../../../src/admission/limit-ranger/pod-resources.ts";

const container = (cpu: string, restartPolicy?: "Always"): Container => ({
  name: "c",
  resources: { requests: { cpu }, limits: { cpu } },
  ...(restartPolicy === undefined ? {} : { restartPolicy }),
});

const cpuOf = (spec: PodSpec): readonly (string | undefined)[] => [
  podAmounts(spec, "requests")["cpu"],
  podAmounts(spec, "limits")["cpu"],
];

describe("the requests and limits of a Pod", () => {
  it("are those of its containers together", () => {
    expect(cpuOf({ containers: [container("100m"), container("1")] })).toEqual(["1100m", "1100m"]);
    expect(podAmounts({ containers: [{ name: "c" }] }, "limits")).toEqual({});
  });

  it("are those of an init container that needs more, with the sidecars that were started before it", () => {
    const containers = [container("1")];
    expect(cpuOf({ containers, initContainers: [container("500m"), container("3")] })).toEqual(["3", "3"]);
    expect(cpuOf({ containers, initContainers: [container("1", "Always"), container("3")] })).toEqual(["4", "4"]);
    expect(cpuOf({ containers, initContainers: [container("3"), container("1", "Always")] })).toEqual(["3", "3"]);
    expect(cpuOf({ containers, initContainers: [container("500m"), container("1", "Always")] })).toEqual(["2", "2"]);
  });

  it("include the overhead, but a limit only where there is one", () => {
    const overhead = { cpu: "100m", memory: "1Mi" };
    const spec = { containers: [container("1")], overhead };
    expect(podAmounts(spec, "requests")).toEqual({ cpu: "1100m", memory: "1Mi" });
    expect(podAmounts(spec, "limits")).toEqual({ cpu: "1100m" });
  });

  it("are replaced by those of the Pod itself, for the resources that Pods have", () => {
    const resources = { requests: { cpu: "5", "example.com/gpu": "2" } };
    expect(podAmounts({ containers: [container("1")], resources }, "requests")).toEqual({ cpu: "5" });
  });
});
