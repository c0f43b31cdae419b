import { get, type IncomingMessage } from "node:http";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { ApiServer } from "../../src/server/api-server.ts";
import { createApiServer } from "../../src/server/create-api-server.ts";
import { configMap, CONFIG_MAPS } from "../support/test-server.ts";

let server: ApiServer;
let port: number;

beforeEach(async () => {
  server = createApiServer();
  ({ port } = await server.listen());
});

afterEach(async () => server.close());

async function create(name: string, text: string): Promise<number> {
  const body = JSON.stringify({ ...configMap(name), data: { text } });
  const headers = { "content-type": "application/json" };
  const { status } = await fetch(`http://127.0.0.1:${String(port)}${CONFIG_MAPS}`, { method: "POST", headers, body });
  return status;
}

async function open(path: string): Promise<IncomingMessage> {
  return await new Promise((resolve, reject) => {
    get({ port, host: "127.0.0.1", path, agent: false }, resolve).once("error", reject);
  });
}

describe("a response", () => {
  // A pair of surrogates at each position of the limits of pieces.
  it.each([0, 1])("of several megabytes is whole, with offset %d", async (offset) => {
    const text = `${"x".repeat(offset)}${"\u{1f600}".repeat(200_000)}`;
    for (const name of ["a", "b", "c", "d"]) await create(name, text);
    const response = await open(CONFIG_MAPS);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    expect(Number(response.headers["content-length"])).toBe(body.length);
    const { items } = JSON.parse(body.toString()) as { readonly items: readonly { readonly data: object }[] };
    expect(items.map(({ data }) => data)).toEqual(Array.from({ length: 4 }, () => ({ text })));
  });

  it("ends when its client leaves in the middle, and the server serves others", async () => {
    const text = "x".repeat(900_000);
    for (let index = 0; index < 6; index += 1) await create(`big-${String(index)}`, text);
    const response = await open(CONFIG_MAPS);
    response.once("error", () => undefined);
    response.destroy();
    expect(await create("after", "x")).toBe(201);
  });
});

describe("a watch", () => {
  it("receives all events of one turn of the loop, in order", async () => {
    const response = await open(`${CONFIG_MAPS}?watch=true`);
    response.setEncoding("utf8");
    const names = Array.from({ length: 50 }, (_, index) => `object-${String(index)}`);
    await Promise.all(names.map((name) => create(name, "x")));
    let text = "";
    for await (const chunk of response) {
      text += chunk as string;
      if (text.split("\n").length > names.length) break;
    }
    const events = text
      .trimEnd()
      .split("\n")
      .map(
        (line) =>
          JSON.parse(line) as {
            readonly object: { readonly metadata: { readonly name: string; readonly resourceVersion: string } };
          },
      );
    expect(events.map(({ object }) => object.metadata.name).toSorted()).toEqual(names.toSorted());
    const versions = events.map(({ object }) => Number(object.metadata.resourceVersion));
    expect(versions).toEqual(versions.toSorted((one, other) => one - other));
  });
});
