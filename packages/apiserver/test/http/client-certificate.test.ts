import type { IncomingMessage } from "node:http";

import { describe, expect, it } from "vitest";

import type { Exchange } from "../../src/http/exchange.ts";
import { toServerRequest } from "../../src/http/socket-request.ts";

describe("the user of a client certificate", () => {
  it("is the last of several common names, as in Go", () => {
    const request = requestOf({ CN: ["system:admin", "jane"], O: ["devs", "ops"] });
    const expected = { commonName: "jane", organizations: ["devs", "ops"], isVerified: true };
    expect(toServerRequest(request, undefined)?.clientCertificate).toEqual(expected);
  });

  it("is empty without a common name", () => {
    expect(toServerRequest(requestOf({ O: "devs" }), undefined)?.clientCertificate).toMatchObject({ commonName: "" });
  });
});

function requestOf(subject: Readonly<Record<string, unknown>>): Exchange {
  const socket = { authorized: true, getPeerCertificate: () => ({ subject }) };
  const message: Partial<IncomingMessage> = { url: "/api", headers: {}, rawHeaders: [], socket: socket as never };
  return { message } as Exchange;
}
