import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { connect } from "node:tls";

import { expect, it } from "vitest";

import { createSelfSignedPair } from "../../src/certificates/self-signed-certificate.ts";

it("a client that trusts the certificate itself accepts a server with it, at its names alone", async () => {
  const { cert, key } = await createSelfSignedPair(["hook.default.svc"], ["127.0.0.1"]);
  const server = createServer({ cert, key });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const connectAs = async (servername: string, ca: string | undefined): Promise<unknown> => {
    const socket = connect({ host: "127.0.0.1", port, servername, ...(ca === undefined ? {} : { ca }) });
    try {
      await once(socket, "secureConnect");
      return "accepted";
    } catch (error) {
      return (error as { readonly code?: string }).code;
    } finally {
      socket.destroy();
    }
  };
  try {
    expect(await connectAs("hook.default.svc", cert)).toBe("accepted");
    expect(await connectAs("other.default.svc", cert)).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
    expect(await connectAs("hook.default.svc", undefined)).toBe("DEPTH_ZERO_SELF_SIGNED_CERT");
  } finally {
    server.close();
  }
});
