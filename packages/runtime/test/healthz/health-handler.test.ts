import { describe, expect, it } from "vitest";

import { healthHandler, ping, type HealthCheck } from "../../src/healthz/health-handler.ts";
import { createRecordingLogger } from "../../src/log/logger.ts";
import { goAnswers } from "../oracle/go-answers.ts";

const failing: HealthCheck = () => {
  throw new TypeError("the disk is on fire");
};

async function ask(
  url: string,
  checks: Record<string, HealthCheck>,
): Promise<{ status: number; body: string; logged: number }> {
  const log = createRecordingLogger();
  const handler = healthHandler({ path: "/healthz", checks: new Map(Object.entries(checks)), log });
  const response = await handler(new Request(`http://localhost${url}`));
  return { status: response.status, body: await response.text(), logged: log.records.length };
}

interface HealthInput {
  /** The error of each check; empty for one that passes. */
  readonly checks: Readonly<Record<string, string>>;
  readonly target: string;
}

const CHECKS: readonly HealthInput["checks"][] = [
  {},
  { ping: "" },
  { ping: "", disk: "the disk is on fire" },
  { b: "", a: "", c: "no" },
];
const QUERIES = [
  "",
  "/",
  "?verbose",
  "?verbose=",
  "?verbose=false",
  "?exclude=disk",
  "?exclude=disk&exclude=c",
  "?exclude=moon",
  "?verbose&exclude=moon&exclude=ping",
  "?verbose&exclude=a&exclude=b&exclude=c",
  "/ping",
  "/disk",
  "/disk?verbose",
  "/c",
  "/moon",
  "/ping/more",
];

const allHealthInputs = (): readonly HealthInput[] =>
  CHECKS.flatMap((checks) => QUERIES.map((query) => ({ checks, target: `/healthz${query}` })));

// Go lists the names of a map in random order.
function withSortedNames(body: string): string {
  return body.replace(/(?<=no matches for ).*/u, (names) => names.split(",").toSorted().join(","));
}

describe("row 47: health endpoints beside upstream's", () => {
  it.each(goAnswers<HealthInput, { readonly status: number; readonly body: string }>("health", allHealthInputs))(
    "%j is answered like upstream's",
    async ({ checks, target }, answer) => {
      const own = Object.entries(checks).map(([name, failure]): readonly [string, HealthCheck] => [
        name,
        () => {
          if (failure !== "") throw new Error(failure);
        },
      ]);
      const { status, body } = await ask(target, Object.fromEntries(own));
      expect({ status, body: withSortedNames(body) }).toEqual({ ...answer, body: withSortedNames(answer.body) });
    },
  );
});

describe("row 47: health endpoints", () => {
  it("answer ok when every check passes", async () => {
    expect(await ask("/healthz", { ping })).toEqual({ status: 200, body: "ok", logged: 0 });
  });

  it("have one implicit check when none is registered", async () => {
    expect((await ask("/healthz?verbose", {})).body).toBe("[+]ping ok\nhealthz check passed\n");
    expect((await ask("/healthz/ping", {})).body).toBe("ok");
  });

  it("withhold the reason of a failure, name the check, and log the reason", async () => {
    const answer = await ask("/healthz", { ping, disk: failing });
    expect(answer).toEqual({
      status: 500,
      body: "[-]disk failed: reason withheld\n[+]ping ok\nhealthz check failed\n",
      logged: 1,
    });
  });

  it("return the reason of a single check", async () => {
    const answer = await ask("/healthz/disk", { disk: failing });
    expect(answer.status).toBe(500);
    expect(answer.body).toContain("the disk is on fire");
  });

  it("leave excluded checks out and warn of unknown ones", async () => {
    const answer = await ask("/healthz?verbose&exclude=disk&exclude=moon", { ping, disk: failing });
    expect(answer.status).toBe(200);
    expect(answer.body).toBe(
      '[+]disk excluded: ok\n[+]ping ok\nwarn: some health checks cannot be excluded: no matches for "moon"\nhealthz check passed\n',
    );
  });

  it("answer 404 for a check that does not exist", async () => {
    expect((await ask("/healthz/moon", { ping })).status).toBe(404);
  });
});
