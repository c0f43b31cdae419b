import { execFile } from "node:child_process";
import process from "node:process";
import { promisify } from "node:util";

import { expect, it } from "vitest";

import { element, text } from "../../src/cluster/der.ts";
import { encodedRequest } from "./encoded-request.ts";

// A process in which nothing has loaded TLS before.
const PROGRAM = `
const { createCertificateAuthority } = await import(process.argv[1]);
const authority = await createCertificateAuthority("ca");
const terms = { usages: [], extendedUsages: [], notBefore: new Date(0), notAfter: new Date(4e12) };
await authority.signRequest(process.argv[2], terms);
const { createServer } = await import("node:https");
createServer(await authority.issueServer({ dnsNames: ["localhost"] }));
console.log("served");
`;

it("a process that has signed a request can still serve TLS", { timeout: 60_000 }, async () => {
  const request = encodedRequest([["2.5.4.3", text("jane")]], [element(0x82, Buffer.from("a"))]);
  const module = new URL("../../src/cluster/certificate-authority.ts", import.meta.url).href;
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--conditions=@kubescaffold/source",
    "--import=tsx",
    "--input-type=module",
    "--eval",
    PROGRAM,
    module,
    request,
  ]);
  expect(stdout).toBe("served\n");
});
