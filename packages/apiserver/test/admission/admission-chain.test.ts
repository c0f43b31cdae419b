import { describe, expect, it } from "vitest";

import { createAdmissionChain } from "../../src/admission/admission-chain.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../../src/pipeline/extension-points.ts";
import type { ApiObject } from "../../src/storage/api-object.ts";

const ATTRIBUTES = {
  object: { kind: "A", apiVersion: "v1", metadata: {}, trace: "" },
} as unknown as AdmissionAttributes;

function appends(text: string, requests: boolean): AdmissionPlugin {
  return {
    name: text,
    mutate: ({ object }, reinvocation) => {
      if (requests) reinvocation.request();
      const round = reinvocation.stateOf(text, () => ({ count: 0 }));
      round.count += 1;
      return { ...object, trace: `${String(object?.["trace"])}${text}${String(round.count)}` } as ApiObject;
    },
  };
}

describe("an admission chain", () => {
  it("runs all plugins a second time, and no third, if one requests it", async () => {
    const chain = createAdmissionChain([appends("a", false), appends("b", true), appends("c", false)]);
    expect((await chain.mutate(ATTRIBUTES))?.["trace"]).toBe("a1b1c1a2b2c2");
  });

  it("runs them once otherwise, and forgets what they kept", async () => {
    const chain = createAdmissionChain([appends("a", false), appends("b", false)]);
    expect((await chain.mutate(ATTRIBUTES))?.["trace"]).toBe("a1b1");
    expect((await chain.mutate(ATTRIBUTES))?.["trace"]).toBe("a1b1");
  });
});
