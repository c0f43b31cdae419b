import { describe, expect, it } from "vitest";

import { allocateNodePorts, NodePorts } from "../../../../src/resources/built-in/rules/core/node-ports.ts";

const RANGE = { first: 30_000, last: 32_767 };
const SIZE = RANGE.last - RANGE.first + 1;

/** Counts how often somebody asks whether a port is taken. */
class CountingSet extends Set<number> {
  looks = 0;

  override has(port: number): boolean {
    this.looks += 1;
    return super.has(port);
  }
}

function serviceWith(count: number): { readonly type: string; readonly ports: { port: number; nodePort?: number }[] } {
  return { type: "NodePort", ports: Array.from({ length: count }, (_, index) => ({ port: index + 1 })) };
}

describe("a Service with all ports of the nodes", () => {
  it.each([false, true])("gets them after a look at each (dry run: %s)", (isDryRun) => {
    const taken = new CountingSet([RANGE.first, RANGE.last]);
    const spec = serviceWith(SIZE - taken.size);
    const problems = allocateNodePorts(spec, undefined, new NodePorts(taken, { isDryRun, nodePortRange: RANGE }));
    expect(problems).toEqual([]);
    const ports = spec.ports.map(({ nodePort }) => nodePort);
    expect(new Set(ports).size).toBe(spec.ports.length);
    expect(taken.looks).toBeLessThanOrEqual(3 * SIZE);
    if (isDryRun) return;
    const free = Array.from({ length: SIZE - 2 }, (_, index) => RANGE.first + 1 + index);
    // The first ports of the range, which are left to requests, come last.
    expect(ports).toEqual([...free.slice(85), ...free.slice(0, 85)]);
  });

  it("is told that no port is left for one more", () => {
    const nodePorts = new NodePorts(new Set([RANGE.first]), { isDryRun: false, nodePortRange: RANGE });
    expect(() => allocateNodePorts(serviceWith(SIZE), undefined, nodePorts)).toThrow(
      expect.objectContaining({ message: expect.stringContaining("range is full") as string }),
    );
  });

  it("takes ports that it states itself, also for the other protocol", () => {
    const spec = { type: "NodePort", ports: [{ port: 1 }, { port: 2, nodePort: 30_500 }, { port: 2 }, { port: 1 }] };
    const nodePorts = new NodePorts(new Set(), { isDryRun: false, nodePortRange: RANGE });
    expect(allocateNodePorts(spec, undefined, nodePorts)).toEqual([]);
    expect(spec.ports.map((each) => each.nodePort)).toEqual([30_086, 30_500, 30_500, 30_086]);
  });
});
