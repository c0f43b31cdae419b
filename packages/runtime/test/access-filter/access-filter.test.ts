import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { describe, expect, it } from "vitest";

import { createAccessFilter } from "../../src/access-filter/access-filter.ts";
import { FakeClock } from "../../src/clock/fake-clock.ts";
import { silentLogger } from "../../src/log/silent-logger.ts";

interface Review extends KubernetesObject {
  spec: { token?: string; user?: string; nonResourceAttributes?: { path: string; verb: string } };
}

// An API server that knows one token, and one user who may get /metrics.
class Reviewer {
  readonly asked: string[] = [];
  failures = 0;

  create = <T extends KubernetesObject>(object: T): Promise<T> => {
    const { kind, spec } = object as unknown as Review;
    this.asked.push(kind);
    if (this.failures > 0) {
      this.failures -= 1;
      return Promise.reject(new TypeError("unreachable"));
    }
    const status =
      kind === "TokenReview"
        ? { authenticated: spec.token !== "unknown", user: { username: spec.token ?? "" } }
        : { allowed: spec.user === "scraper" && spec.nonResourceAttributes?.path === "/metrics" };
    return Promise.resolve({ ...object, status });
  };
}

function setup(): { reviewer: Reviewer; clock: FakeClock; ask: (token?: string, path?: string) => Promise<Response> } {
  const reviewer = new Reviewer();
  const clock = new FakeClock();
  const handler = createAccessFilter({ client: reviewer, clock, log: silentLogger })(() =>
    Promise.resolve(new Response("metrics")),
  );
  const ask = async (token?: string, path = "/metrics"): Promise<Response> =>
    await handler(
      new Request(`http://localhost${path}`, {
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      }),
    );
  return { reviewer, clock, ask };
}

describe("createAccessFilter", () => {
  it("lets pass who is known and may", async () => {
    const { ask } = setup();
    const response = await ask("scraper");
    expect([response.status, await response.text()]).toEqual([200, "metrics"]);
  });

  it.each([
    [undefined, "/metrics", 401],
    ["unknown", "/metrics", 401],
    ["stranger", "/metrics", 403],
    ["scraper", "/other", 403],
  ])("answers %s at %s with %i", async (token, path, status) => {
    const { ask } = setup();
    expect((await ask(token, path)).status).toBe(status);
  });

  it("keeps answers for their time and asks again after it", async () => {
    const { ask, clock, reviewer } = setup();
    await ask("scraper");
    await ask("scraper");
    expect(reviewer.asked).toEqual(["TokenReview", "SubjectAccessReview"]);
    clock.step(61_000);
    await ask("scraper");
    expect(reviewer.asked).toEqual(["TokenReview", "SubjectAccessReview", "TokenReview"]);
    clock.step(240_000);
    await ask("scraper");
    expect(reviewer.asked.at(-1)).toBe("SubjectAccessReview");
  });

  it("tries again when the API server fails, and answers 500 when it goes on failing", async () => {
    const { ask, clock, reviewer } = setup();
    reviewer.failures = 2;
    const healed = ask("scraper");
    await clock.advance(10_000);
    expect((await healed).status).toBe(200);
    reviewer.failures = 100;
    const failing = ask("other");
    await clock.advance(10_000);
    expect((await failing).status).toBe(500);
  });
});
