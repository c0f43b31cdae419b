import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";

import { afterEach, expect, it } from "vitest";

import { freePorts } from "../../src/control-plane/managed-process.ts";
import { WebhookService } from "../../src/rehearse/webhook-service.ts";

const endings: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

async function backend(answer: string): Promise<number> {
  const server = createServer((socket) => socket.end(answer)).listen(0, "127.0.0.1");
  await once(server, "listening");
  endings.push(async () => await new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

async function answerOf(port: number): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1" });
  let text = "";
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("utf8");
  });
  socket.on("error", () => undefined);
  await once(socket, "close");
  return text;
}

it("reaches the managers that are ready in turn, one of them, or none", async () => {
  const [port = 0] = await freePorts(1);
  const service = await WebhookService.listen(port);
  endings.push(async () => await service.close());
  const [a, b] = [await backend("a"), await backend("b")];
  expect(await answerOf(port)).toBe("");
  await service.route([a, b]);
  expect([await answerOf(port), await answerOf(port)].toSorted()).toEqual(["a", "b"]);
  await service.route([b]);
  expect([await answerOf(port), await answerOf(port)]).toEqual(["b", "b"]);
});

it("closes the connection when a manager does not listen", async () => {
  const [port = 0, closed = 0] = await freePorts(2);
  const service = await WebhookService.listen(port);
  endings.push(async () => await service.close());
  await service.route([closed]);
  expect(await answerOf(port)).toBe("");
});
