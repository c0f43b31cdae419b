import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";

import { createCertificateAuthority } from "@kubescaffold/cluster";

import type { Json } from "./row.ts";

/** A request that the webhook received. */
export interface AuditDelivery {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly contentType: string;
  readonly accept: string;
  readonly authorization: string;
  /** The common name of the client certificate. */
  readonly client: string;
  readonly list: { readonly items: readonly Json[] } & Json;
}

/** A webhook for audit events on loopback that notes every request. */
export interface AuditWebhookServer {
  readonly url: string;
  readonly deliveries: readonly AuditDelivery[];
  /** A client certificate and its key, and the authority of both sides, in base64. */
  readonly files: Readonly<Record<"ca" | "cert" | "key", string>>;
  /** Answers all further requests with a status. */
  answerWith(status: number): void;
  close(): Promise<void>;
}

/** Starts a webhook that answers 200. */
export async function startAuditWebhook(): Promise<AuditWebhookServer> {
  const deliveries: AuditDelivery[] = [];
  let status = 200;
  const authority = await createCertificateAuthority("audit-webhook");
  const pair = await authority.issueServer({ dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] });
  const client = await authority.issueClient({ user: "auditor" });
  const options = { ...pair, ca: authority.cert, requestCert: true, rejectUnauthorized: false };
  const server = createServer(options, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { headers, method = "", url = "" } = request;
      const { subject } = (request.socket as TLSSocket).getPeerCertificate() as {
        readonly subject?: { readonly CN?: string };
      };
      deliveries.push({
        method,
        url,
        contentType: headers["content-type"] ?? "",
        accept: headers.accept ?? "",
        authorization: headers.authorization ?? "",
        client: subject?.CN ?? "",
        list: JSON.parse(Buffer.concat(chunks).toString("utf8")) as AuditDelivery["list"],
      });
      response.writeHead(status, { "content-type": "text/plain" }).end("noted");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  return {
    url: `https://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    deliveries,
    files: { ca: base64(authority.cert), cert: base64(client.cert), key: base64(client.key) },
    answerWith: (next) => {
      status = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
