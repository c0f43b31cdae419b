import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";

import { describe, expect, it } from "vitest";

import { watchUnusedConnections } from "../../src/http-server/listening.ts";

describe("watchUnusedConnections", () => {
  it("closes connections without a request, and no others", async () => {
    const server = createServer((_request, response) => response.end("hello"));
    const unused = watchUnusedConnections(server);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const sockets = [connect(port, "127.0.0.1"), connect(port, "127.0.0.1")] as const;
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    const [used, reserved] = sockets;
    used.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
    await once(used, "data");
    const closed = once(reserved, "close");
    reserved.resume();
    const stop = unused.closeWhenOlderThan(0);
    await closed;
    used.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
    const [answer] = (await once(used, "data")) as [Buffer];
    expect(answer.toString()).toContain("200 OK");
    stop();
    used.destroy();
    server.close();
    await once(server, "close");
  });
});
