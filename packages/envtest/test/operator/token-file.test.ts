import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { keepToken } from "../../src/operator/token-file.ts";

const MINUTE_MS = 60_000;
const ACCOUNT = { namespace: "default", name: "manager" };

let clock: FakeClock;
let cluster: EmbeddedCluster;
let folder: string;
let file: string;
let stop: () => void;

beforeEach(async () => {
  clock = new FakeClock();
  cluster = createEmbeddedCluster({ clock });
  folder = await mkdtemp(path.join(tmpdir(), "token-file-"));
  file = path.join(folder, "token");
  stop = await keepToken({ config: cluster.config, account: ACCOUNT, file, clock });
});

afterEach(async () => {
  stop();
  await cluster.close();
  await rm(folder, { recursive: true });
});

async function token(): Promise<string> {
  return readFile(file, "utf8");
}

async function statusWith(bearer: string): Promise<number> {
  const headers = { authorization: `Bearer ${bearer}` };
  const { status } = await cluster.server.handle(new Request("http://server.test/version", { headers }));
  return status;
}

describe("keepToken", () => {
  it("writes a token that only its owner reads", async () => {
    expect(await statusWith(await token())).toBe(200);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it("replaces the token before it expires, again and again", async () => {
    let minutesLeft = 48;
    for (let round = 0; round < 3; round += 1) {
      const former = await token();
      clock.step((minutesLeft - 1) * MINUTE_MS);
      expect(await token()).toBe(former);
      clock.step(MINUTE_MS);
      await expect.poll(token, { timeout: 20_000 }).not.toBe(former);
      expect([await statusWith(former), await statusWith(await token())]).toEqual([200, 200]);
      clock.step(13 * MINUTE_MS);
      expect([await statusWith(former), await statusWith(await token())]).toEqual([401, 200]);
      minutesLeft = 48 - 13;
    }
  });

  it("tries again when the server does not answer", async () => {
    const former = await token();
    cluster.server.faults.add({ kind: "error", code: 500, match: { subresource: "token" }, times: 1 });
    clock.step(49 * MINUTE_MS);
    await expect
      .poll(
        async () => {
          clock.step(10_000);
          return await token();
        },
        { timeout: 20_000 },
      )
      .not.toBe(former);
  });

  it("writes nothing after the stop", async () => {
    const former = await token();
    stop();
    clock.step(120 * MINUTE_MS);
    expect(await token()).toBe(former);
  });
});
