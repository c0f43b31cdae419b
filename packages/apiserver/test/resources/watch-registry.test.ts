import { type Clock, realClock } from "@kubescaffold/platform/clock";
import fc from "fast-check";
import { expect, it } from "vitest";

import { type RunningWatch, WatchRegistry } from "../../src/resources/watch-registry.ts";

const AWAITED_MS = 60_000;

function watchOf(user: string, query: string): RunningWatch {
  const context = {
    user: { name: user },
    info: { path: "/api/v1/pods" },
    request: { query: new URLSearchParams(query) },
  };
  return { context, end: () => undefined, expire: () => undefined } as unknown as RunningWatch;
}

const IDENTITIES = [
  ["alice", ""],
  ["alice", "labelSelector=a"],
  ["bob", ""],
] as const;

const printed = ({ user, request }: RunningWatch["context"]): string => `${user.name} ${request.query.toString()}`;

it("awaits each watch that the server has ended, until one like it is open again, or a minute has passed", () => {
  const steps = fc.array(
    fc.record({
      watch: fc.constantFrom(0, 1, 2),
      step: fc.constantFrom("open", "end", "leave", "pass"),
      ms: fc.constantFrom(1, 20_000, 70_000),
    }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(steps, (run) => {
      let now = 0;
      const clock: Clock = { ...realClock, now: () => now };
      const registry = new WatchRegistry(clock);
      const running: (readonly [watch: number, remove: (by: "client" | "server") => void])[] = [];
      let ended: { readonly watch: number; readonly at: number }[] = [];
      for (const { watch, step, ms } of run) {
        const open = running.findIndex(([each]) => each === watch);
        if (step === "pass") now += ms;
        else if (step === "open") {
          running.push([watch, registry.add(watchOf(...(IDENTITIES[watch] as (typeof IDENTITIES)[0])))]);
          const reopened = ended.findIndex((each) => each.watch === watch);
          if (reopened >= 0) ended = ended.toSpliced(reopened, 1);
        } else if (open >= 0) {
          const [[, remove]] = running.splice(open, 1) as [(typeof running)[number]];
          remove(step === "end" ? "server" : "client");
          if (step === "end") {
            ended = [...ended.filter(({ at }) => at >= now - AWAITED_MS), { watch, at: now }];
          }
        }
        const expected = ended.filter(({ at }) => at >= now - AWAITED_MS);
        const names = expected.map((each) => (IDENTITIES[each.watch] ?? []).join(" "));
        expect(registry.awaited.map(({ context }) => printed(context)).sort()).toEqual(names.sort());
        expect(registry.running).toHaveLength(running.length);
      }
    }),
  );
});
