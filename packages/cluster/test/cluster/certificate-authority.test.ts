import { createPrivateKey, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { createServer, get } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";

import { describe, expect, it } from "vitest";

import { createCertificateAuthority } from "../../src/cluster/certificate-authority.ts";

describe("createCertificateAuthority", () => {
  it("issues certificates that a TLS server and its client accept from one another", async () => {
    const authority = await createCertificateAuthority("test-ca");
    const server = await authority.issueServer({ dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] });
    const client = await authority.issueClient({ user: "jane", groups: ["developers", "system:masters"] });
    const listener = createServer(
      { ...server, ca: authority.cert, requestCert: true, rejectUnauthorized: true },
      (request, response) => {
        response.end(JSON.stringify((request.socket as TLSSocket).getPeerCertificate().subject));
      },
    ).listen(0, "127.0.0.1");
    await once(listener, "listening");
    const { port } = listener.address() as AddressInfo;
    const [answer] = (await once(
      get({ host: "127.0.0.1", port, path: "/", ca: authority.cert, ...client }),
      "response",
    )) as [AsyncIterable<Buffer>];
    let subject = "";
    for await (const chunk of answer) subject += chunk.toString();
    listener.close();
    expect(JSON.parse(subject)).toEqual({ CN: "jane", O: ["developers", "system:masters"] });
  });

  it("names the hosts and addresses that a server answers for, and no others", async () => {
    const authority = await createCertificateAuthority("test-ca");
    const server = new X509Certificate(
      (await authority.issueServer({ dnsNames: ["a.b.svc"], ipAddresses: ["127.0.0.1"] })).cert,
    );
    expect(server.checkHost("a.b.svc")).toBe("a.b.svc");
    expect(server.checkHost("localhost")).toBeUndefined();
    expect(server.checkIP("127.0.0.1")).toBe("127.0.0.1");
    expect(server.checkIssued(new X509Certificate(authority.cert))).toBe(true);
  });

  it("writes addresses, usages, and times so that other programs read them", async () => {
    const authority = await createCertificateAuthority("test-ca");
    const ca = new X509Certificate(authority.cert);
    const issued = await authority.issueServer({
      dnsNames: Array.from({ length: 20 }, (_each, index) => `host-${String(index)}.example.com`),
      ipAddresses: ["10.0.0.1", "2001:db8::1", "::ffff:1.2.3.4"],
      validDays: 40 * 365,
    });
    const server = new X509Certificate(issued.cert);
    expect(ca.ca).toBe(true);
    expect(ca.verify(ca.publicKey)).toBe(true);
    expect(server.ca).toBe(false);
    expect(server.verify(ca.publicKey)).toBe(true);
    expect(server.checkPrivateKey(createPrivateKey(issued.key))).toBe(true);
    expect(server.checkHost("host-19.example.com")).toBe("host-19.example.com");
    expect(server.checkIP("2001:db8::1")).toBe("2001:db8::1");
    expect(server.subjectAltName).toContain("IP Address:1.2.3.4");
    expect(server.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
    expect(new Date(server.validTo).getUTCFullYear()).toBeGreaterThan(2050);
    expect(new Date(ca.validFrom).getTime()).toBeLessThan(Date.now());
    expect(server.serialNumber).toHaveLength(32);
  });
});
