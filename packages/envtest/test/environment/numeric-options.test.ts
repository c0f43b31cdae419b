import { createApiServer } from "@kubescaffold/apiserver";
import { createEmbeddedCluster } from "@kubescaffold/cluster";
import { describe, expect, it } from "vitest";

import { startChaos } from "../../src/chaos/index.ts";
import { poll } from "../../src/eventually/polling.ts";
import { waitForWebhooks } from "../../src/webhooks/wait-for-webhooks.ts";

type Start = (options: Readonly<Record<string, unknown>>) => unknown;

const limits: Start = (options) => createApiServer({ requestLimits: options });
const history: Start = (options) => createApiServer({ recordHistory: options });
const chaos: Start = async (options) => await startChaos({ target: { server: "http://localhost" }, ...options });
const webhooks: Start = async (options) => await waitForWebhooks({ url: "https://localhost:1", ca: "" }, options);
const polls: Start = async (options) =>
  await poll(
    async () => await Promise.resolve(true),
    () => true,
    { timeoutMs: 1, intervalMs: 1, ...options },
  );

/** The numeric options, and what accepts them. */
const OPTIONS: readonly (readonly [name: string, start: Start])[] = [
  ["historyLimit", createApiServer],
  ["historyLimitBytes", createApiServer],
  ["bookmarkIntervalMs", createApiServer],
  ["historyLimit", createEmbeddedCluster],
  ["bookmarkIntervalMs", createEmbeddedCluster],
  ["maxRequestsInFlight", limits],
  ["maxMutatingRequestsInFlight", limits],
  ["requestTimeoutMs", limits],
  ["versions", history],
  ["versionsPerObject", history],
  ["bytes", history],
  ["seed", chaos],
  ["speed", chaos],
  ["timeoutMs", webhooks],
  ["intervalMs", webhooks],
  ["timeoutMs", polls],
  ["intervalMs", polls],
];

describe("a numeric option", () => {
  const cases = OPTIONS.flatMap(([name, start]) =>
    [Number.NaN, 10n, "1000", null, {}, ...(name === "seed" ? [] : [-1])].map((value) => [name, value, start] as const),
  );

  it.each(cases)("%s that is %o is an error before anything starts", async (name, value, start) => {
    const started = async (): Promise<unknown> => await start({ [name]: value });
    await expect(started()).rejects.toThrow(expect.objectContaining({ code: "OPTION_NUMBER" }));
  });

  it.each([2 ** 31, Number.POSITIVE_INFINITY])(
    "of milliseconds may be %d, which is not a timer of one",
    async (most) => {
      let reads = 0;
      const read = async (): Promise<number> => {
        reads += 1;
        await new Promise<void>((resolve) => void setTimeout(resolve, 5));
        return reads;
      };
      const polled = await poll(read, () => true, { timeoutMs: most, intervalMs: most });
      expect(polled).toMatchObject({ isFinal: true, attempts: 1 });
    },
  );
});
