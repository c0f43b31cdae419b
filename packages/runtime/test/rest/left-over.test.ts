import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createRestClient } from "../../src/rest/rest-client.ts";
import { sendJson, startServer, until, type RecordingServer } from "./recording-server.ts";

let server: RecordingServer;

beforeAll(async () => {
  server = await startServer((response, request) => {
    if (request.url === "/watch") {
      response.write('{"n":1}\n');
    } else {
      sendJson(response, {});
    }
  });
});

afterAll(() => server.close());

function openSockets(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === "TCPSocketWrap").length;
}

describe("row 50: nothing left over", () => {
  it("a hundred clients that were used, watching as well, leave no socket open once they are closed", async () => {
    const before = openSockets();
    for (let round = 0; round < 100; round += 1) {
      const client = createRestClient({ server: server.url, timeoutMs: 60_000 });
      await client.request({ method: "GET", path: "/version" });
      const watch = client.stream({ method: "GET", path: "/watch" })[Symbol.asyncIterator]();
      await watch.next();
      const rest = watch.next().catch(() => undefined);
      await client.close();
      await rest;
    }
    await until(() => openSockets() <= before);
    expect(openSockets()).toBeLessThanOrEqual(before);
    expect(process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length).toBeLessThan(10);
  });

  it("after close a client opens no connection again", async () => {
    const client = createRestClient({ server: server.url });
    await client.close();
    const late = client.request({ method: "GET", path: "/version" });
    await expect(late).rejects.toMatchObject({ code: "CLIENT_CLOSED" });
    await client.close();
    await expect(client.stream({ method: "GET", path: "/watch" })[Symbol.asyncIterator]().next()).rejects.toMatchObject(
      {
        code: "CLIENT_CLOSED",
      },
    );
  });
});
