import { describe, expect, it, onTestFinished } from "vitest";

import { encodeCbor } from "../../src/cbor/encode-cbor.ts";
import { readCbor } from "../../src/cbor/read-cbor.ts";
import type { ApiServer } from "../../src/server/api-server.ts";
import { createApiServer } from "../../src/server/create-api-server.ts";

const CBOR = "application/cbor";
const SECRETS = "/api/v1/namespaces/default/secrets";

describe("a server with the feature gate CBORServingAndStorage", () => {
  it("stores the same object from CBOR as from JSON, and answers both alike", async () => {
    const server = serverWith(true);
    const object = { apiVersion: "v1", kind: "Secret", metadata: { name: "a" }, data: { k: "AAH/" } };
    const created = await send(server, "POST", SECRETS, encodeCbor(object));
    expect([created.status, created.headers.get("content-type")]).toEqual([201, CBOR]);
    const body = readCbor(new Uint8Array(await created.arrayBuffer()));
    const json = await send(server, "GET", `${SECRETS}/a`, undefined, "application/json");
    expect(body).toEqual(await json.json());
    expect(body).toMatchObject({ data: { k: "AAH/" }, type: "Opaque" });
  });

  it("reads the body of a delete", async () => {
    const server = serverWith(true);
    await send(server, "POST", SECRETS, encodeCbor({ metadata: { name: "a" } }));
    const options = encodeCbor({ preconditions: { uid: "other" } });
    expect((await send(server, "DELETE", `${SECRETS}/a`, options)).status).toBe(409);
  });

  it("applies configurations", async () => {
    const server = serverWith(true);
    const object = { apiVersion: "v1", kind: "Secret", metadata: { name: "a" }, data: { k: "AAH/" } };
    const type = "application/apply-patch+cbor";
    const path = `${SECRETS}/a?fieldManager=me`;
    const applied = await send(server, "PATCH", path, encodeCbor(object), "application/json", type);
    expect(applied.status).toBe(201);
    expect(await applied.json()).toMatchObject({ data: { k: "AAH/" } });
  });
});

describe("a server without the gate", () => {
  it("neither reads nor answers CBOR", async () => {
    const server = serverWith(false);
    expect((await send(server, "GET", SECRETS)).status).toBe(406);
    const body = encodeCbor({ metadata: { name: "a" } });
    expect((await send(server, "POST", SECRETS, body, "application/json")).status).toBe(415);
  });
});

function serverWith(isEnabled: boolean): ApiServer {
  const server = createApiServer({ featureGates: { CBORServingAndStorage: isEnabled } });
  onTestFinished(async () => await server.close());
  return server;
}

async function send(
  server: ApiServer,
  method: string,
  path: string,
  body?: Uint8Array,
  accept: string = CBOR,
  contentType: string = CBOR,
): Promise<Response> {
  const headers = { accept, ...(body === undefined ? {} : { "content-type": contentType }) };
  return await server.handle(
    new Request(`http://in.process${path}`, { method, headers, ...(body && { body: Buffer.from(body) }) }),
  );
}
