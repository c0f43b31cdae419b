import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { createApiServer } from "@kubescaffold/apiserver";
import { FakeClock } from "@kubescaffold/platform/clock";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { requestsOf } from "../../../apiserver/test/support/cluster-requests.ts";
import { seededState } from "./seeded-run.ts";

const run = promisify(execFile);

/** Returns the state that another process reaches with a seed. */
async function stateInProcess(seed: string): Promise<string> {
  const program = fileURLToPath(new URL("seeded-process.ts", import.meta.url));
  const args = ["--import", "tsx", "--conditions=@kubescaffold/source", program, seed];
  const { stdout } = await run(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

function linesOf(state: string, field: string): readonly string[] {
  return state.split("\n").filter((line) => line.includes(`"${field}":`));
}

describe("the seed of a cluster", { timeout: 240_000 }, () => {
  it("determines the state that the same requests lead to, in two processes", async () => {
    const first = await stateInProcess("1");
    const second = await stateInProcess("1");
    expect(second.split("\n")).toEqual(first.split("\n"));
    expect(linesOf(first, "podIP").length).toBeGreaterThanOrEqual(3);
    const other = await seededState("2");
    const [uids, otherUids] = [linesOf(first, "uid"), linesOf(other, "uid")];
    expect(uids.length).toBeGreaterThan(20);
    expect(uids.filter((uid) => otherUids.includes(uid))).toEqual([]);
    // Names are other ones, and so is their order.
    expect(linesOf(other, "podIP").toSorted()).toEqual(linesOf(first, "podIP").toSorted());
  });

  it("names objects the same, in whatever order they are created", async () => {
    const names = ["a", "b", "c", "d"];
    const path = "/api/v1/namespaces/default/configmaps";
    const identities = async (order: readonly string[]): Promise<readonly string[]> => {
      const server = createApiServer({ seed: 7, clock: new FakeClock() });
      const requests = requestsOf(server.restConfig());
      const made: string[] = [];
      for (const name of order) {
        const { body } = await requests.post(path, { metadata: { generateName: `${name}-` } });
        const metadata = body["metadata"] as { readonly name: string; readonly uid: string };
        made.push(`${metadata.name} ${metadata.uid}`);
      }
      await server.close();
      return made.sort();
    };
    const expected = await identities(names);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(names, { minLength: names.length }), async (order) => {
        expect(await identities(order)).toEqual(expected);
      }),
      { numRuns: 6 },
    );
  });

  it("gives an object that is created again another uid", async () => {
    const server = createApiServer({ seed: 7 });
    const requests = requestsOf(server.restConfig());
    const path = "/api/v1/namespaces/default/configmaps";
    const uids: unknown[] = [];
    for (let index = 0; index < 3; index += 1) {
      const { body } = await requests.post(path, { metadata: { name: "a" } });
      uids.push((body["metadata"] as { readonly uid: string }).uid);
      await requests.delete(`${path}/a`);
    }
    await server.close();
    expect(new Set(uids).size).toBe(3);
    expect(uids[0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/u);
  });
});
