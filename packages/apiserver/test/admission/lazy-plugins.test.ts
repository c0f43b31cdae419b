import { describe, expect, it } from "vitest";

import { lazyPlugin } from "../../src/admission/admission-chain.ts";
import { TestServer } from "../support/test-server.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

describe("lazyPlugin", () => {
  it("is loaded with the next write when it could not be loaded with the first", async () => {
    let loads = 0;
    const failures: unknown[] = [];
    const plugin = lazyPlugin("Late", async () => {
      loads += 1;
      if (loads === 1) throw new Error("cannot be loaded now");
      return await Promise.resolve(() => ({ name: "Late" }));
    });
    const server = new TestServer({ admission: [plugin], reportPanic: (error) => failures.push(error) });
    const codes = [];
    for (const name of ["a", "b", "c"]) codes.push((await server.post(CONFIG_MAPS, { metadata: { name } })).code);
    expect([codes, loads, failures.length]).toEqual([[500, 201, 201], 2, 1]);
  });
});
