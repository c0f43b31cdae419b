import { describe, expect, it } from "vitest";

import { LateEvents } from "../../src/verify/late-events.ts";

const PERTURBATION = { kind: "late-events", group: "", resource: "configmaps" } as const;

function lateEvents(isOfSamples: boolean): { readonly late: LateEvents; readonly calls: readonly string[] } {
  const calls: string[] = [];
  const view = {
    hold: ({ resource }: { readonly resource: string }) => void calls.push(`hold ${resource}`),
    catchUp: ({ resource }: { readonly resource: string }) => void calls.push(`send ${resource}`),
  };
  return { late: new LateEvents(view, { perturbation: PERTURBATION, isOfSamples }), calls };
}

describe("LateEvents", () => {
  it("hold the events of what the operator creates from the beginning", async () => {
    const { late, calls } = lateEvents(false);
    late.start();
    late.written();
    expect(calls).toEqual(["hold configmaps"]);
    await late.send(1);
    expect(calls).toEqual(["hold configmaps", "send configmaps"]);
    expect(late.isReached).toBe(true);
  });

  it("hold the events of the samples from the first write of the operator on", async () => {
    const { late, calls } = lateEvents(true);
    late.start();
    expect(calls).toEqual([]);
    late.written();
    late.written();
    await late.send(1);
    expect(calls).toEqual(["hold configmaps", "send configmaps"]);
  });

  it("hold nothing when the first write comes too late", async () => {
    const { late, calls } = lateEvents(true);
    late.start();
    await late.send(1);
    late.written();
    expect({ calls, isReached: late.isReached }).toEqual({ calls: [], isReached: false });
  });
});
