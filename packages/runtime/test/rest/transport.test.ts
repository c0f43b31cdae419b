import { describe, expect, it } from "vitest";

import { createRestClient } from "../../src/rest/rest-client.ts";

describe("a transport in place of sockets", () => {
  it("gets web requests with credentials, body and signal, and its answers count as a server's", async () => {
    const seen: Request[] = [];
    const client = createRestClient({
      server: "http://embedded/",
      credentials: { kind: "token", token: "t" },
      transport: async (request) => {
        seen.push(request.clone());
        return Response.json({ echoed: await request.json() }, { status: 201 });
      },
    });
    expect(
      await client.request({ method: "POST", path: "/api/v1/x", query: { dryRun: "All" }, body: { a: 1 } }),
    ).toEqual({
      echoed: { a: 1 },
    });
    expect(seen[0]?.url).toBe("http://embedded/api/v1/x?dryRun=All");
    expect(seen[0]?.headers.get("authorization")).toBe("Bearer t");
  });

  it("streams, and leaving the iteration cancels the body", async () => {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from('{"n":1}\n{"n":2}\n')),
      cancel: () => {
        isCancelled = true;
      },
    });
    const client = createRestClient({
      server: "http://embedded",
      transport: () => Promise.resolve(new Response(body)),
    });
    const values: unknown[] = [];
    for await (const value of client.stream({ method: "GET", path: "/watch" })) {
      values.push(value);
      if (values.length === 2) break;
    }
    expect(values).toEqual([{ n: 1 }, { n: 2 }]);
    expect(isCancelled).toBe(true);
  });

  it("a transport that throws is an unreachable server", async () => {
    const client = createRestClient({
      server: "http://embedded",
      transport: () =>
        Promise.reject(
          new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code: "ECONNREFUSED" }) }),
        ),
    });
    await expect(client.request({ method: "GET", path: "/" })).rejects.toMatchObject({ failure: "refused" });
  });
});
