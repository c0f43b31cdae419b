import { get } from "node:http";
import { gunzipSync } from "node:zlib";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { ApiServer } from "../../src/server/api-server.ts";
import { createApiServer } from "../../src/server/create-api-server.ts";
import { configMap, CONFIG_MAPS } from "../support/test-server.ts";

interface Received {
  readonly coding: string | undefined;
  readonly vary: string | undefined;
  readonly body: Buffer;
}

let server: ApiServer;
let port: number;

beforeAll(async () => {
  server = createApiServer();
  ({ port } = await server.listen());
  // Together above 128 KiB, each of them below.
  for (const name of ["a", "b"]) {
    const body = JSON.stringify({ ...configMap(name), data: { text: "x".repeat(100_000) } });
    const headers = { "content-type": "application/json" };
    await fetch(`http://127.0.0.1:${String(port)}${CONFIG_MAPS}`, { method: "POST", headers, body });
  }
});

afterAll(async () => server.close());

async function read(path: string, headers: Readonly<Record<string, string>>): Promise<Received> {
  return await new Promise((resolve, reject) => {
    get({ port, host: "127.0.0.1", path, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.once("end", () =>
        resolve({
          coding: answer.headers["content-encoding"],
          vary: answer.headers.vary,
          body: Buffer.concat(chunks),
        }),
      );
    }).once("error", reject);
  });
}

describe("responses", () => {
  // kube-apiserver ignores weights.
  it.each(["gzip", "deflate, gzip", " gzip ,br"])(
    "above 128 KiB are compressed for clients with %s",
    async (accepted) => {
      const { coding, vary, body } = await read(CONFIG_MAPS, { "accept-encoding": accepted });
      expect({ coding, vary }).toEqual({ coding: "gzip", vary: "Accept-Encoding" });
      expect(body.length).toBeLessThan(10_000);
      const { items } = JSON.parse(gunzipSync(body).toString()) as { readonly items: readonly unknown[] };
      expect(items).toHaveLength(2);
    },
  );

  it.each(["", "identity", "gzip;q=1.0", "gzip;q=0", "x-gzip", "br"])(
    "are not compressed for clients with %j",
    async (accepted) => {
      const { coding, vary, body } = await read(CONFIG_MAPS, accepted === "" ? {} : { "accept-encoding": accepted });
      expect({ coding, vary }).toEqual({ coding: undefined, vary: undefined });
      expect((JSON.parse(body.toString()) as { readonly items: readonly unknown[] }).items).toHaveLength(2);
    },
  );

  it("below 128 KiB are not compressed", async () => {
    const { coding, body } = await read(`${CONFIG_MAPS}/a`, { "accept-encoding": "gzip" });
    expect(coding).toBeUndefined();
    expect(JSON.parse(body.toString())).toMatchObject({ metadata: { name: "a" } });
  });
});
