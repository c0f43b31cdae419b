import { FakeClock } from "@kubescaffold/platform/clock";
import { expect, it } from "vitest";

import { BackendClient } from "../../src/aggregation/backend-client.ts";
import { mergedOpenApi } from "../../src/aggregation/merged-open-api.ts";
import type { Merging } from "../../src/aggregation/merging.ts";
import type { RequestContext } from "../../src/request/request-context.ts";
import type { ServerResponse } from "../../src/request/server-request.ts";

const MESSAGE = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
const LOCAL: ServerResponse = { code: 200, contentType: "application/json", body: '{"swagger":"2.0"}' };

let served: Response | undefined;

const merging: Merging = {
  client: new BackendClient(() => Promise.reject(new TypeError("no connection is needed"))),
  clock: new FakeClock(),
  routeTo: () => ({
    backend: { kind: "handler", handle: () => served ?? new Response("", { status: 404 }) },
    location: "one.default.svc:443",
    serverName: "one.default.svc",
    caBundle: "",
    isVerified: false,
  }),
  registered: [
    {
      name: "v1.example.com",
      group: "example.com",
      version: "v1",
      groupPriority: 1,
      versionPriority: 1,
      backend: {
        service: { namespace: "default", name: "one", port: 443 },
        caBundle: "",
        isVerified: false,
        isAvailable: true,
      },
    },
  ],
  answerLocally: async () => await Promise.resolve(LOCAL),
};

/** Returns the body of `/openapi/v2`. */
async function swagger(): Promise<ServerResponse["body"]> {
  const header = (name: string): string | undefined => (name === "accept" ? MESSAGE : undefined);
  const context = { info: { path: "/openapi/v2" }, request: { header } } as unknown as RequestContext;
  return (await mergedOpenApi(merging, context)).body;
}

it("without documents of other servers, the document of version 2 is that of this server", async () => {
  served = undefined;
  expect(await swagger()).toBe(LOCAL.body);
});

it("documents of version 2 are merged again only if one has changed", async () => {
  served = Response.json({ definitions: { A: { type: "object" } } });
  const first = await swagger();
  served = Response.json({ definitions: { A: { type: "object" } } });
  expect(await swagger()).toBe(first);
  served = Response.json({ definitions: { B: { type: "object" } } });
  expect(await swagger()).not.toEqual(first);
});
