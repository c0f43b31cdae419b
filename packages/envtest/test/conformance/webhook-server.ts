import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";

import { createCertificateAuthority } from "@kubescaffold/cluster";
import { parseLosslessJson, printLosslessJson } from "@kubescaffold/k8s";

import type { Json } from "./row.ts";

/** A call that the API server made. */
export interface WebhookCall {
  /** Path and query. */
  readonly url: string;
  readonly review: { readonly request: Json & { readonly uid: string } } & Json;
}

/** What a webhook answers: the `response` of a review without its uid, a whole body with its own status, or nothing at all. */
export type WebhookReply =
  | { readonly kind: "response"; readonly response: Json }
  | {
      readonly kind: "raw";
      readonly status: number;
      readonly body: string;
      /** Default: that the body is JSON. */
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "silence" }
  /** The end of the connection: at once, or within the body. */
  | { readonly kind: "hang-up"; readonly after: "nothing" | "half" }
  /** The start of an answer, and nothing more. */
  | { readonly kind: "stall" }
  /** All that is sent before the connection ends, status line and headers included. */
  | { readonly kind: "bytes"; readonly text: string };

/** A webhook server on loopback that notes every call. */
export interface WebhookServer {
  readonly url: string;
  readonly caBundle: string;
  /** The serving certificate itself, in the form of a bundle. */
  readonly certificate: string;
  /** All calls since the last time this was asked for. */
  readonly takeCalls: () => readonly WebhookCall[];
  readonly close: () => Promise<void>;
}

function breakOff(response: ServerResponse, answer: WebhookReply): void {
  if (answer.kind === "hang-up" && answer.after === "nothing") {
    response.destroy();
    return;
  }
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.write("{", () => {
    if (answer.kind === "hang-up") response.destroy();
  });
}

/** Starts a server whose answers a function decides. */
export async function startWebhookServer(reply: (call: WebhookCall) => WebhookReply): Promise<WebhookServer> {
  const calls: WebhookCall[] = [];
  const authority = await createCertificateAuthority("conformance-webhooks");
  const pair = await authority.issueServer({ dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] });
  const server = createServer(pair, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      // A redirected call may have no body.
      const text = chunks.length === 0 ? '{"request":{}}' : Buffer.concat(chunks).toString("utf8");
      const review = parseLosslessJson(text) as WebhookCall["review"];
      const call = { url: request.url ?? "", review };
      calls.push(call);
      const answer = reply(call);
      if (answer.kind === "silence") return;
      if (answer.kind === "bytes") {
        response.socket?.end(answer.text);
        return;
      }
      if (answer.kind === "hang-up" || answer.kind === "stall") {
        breakOff(response, answer);
        return;
      }
      const body =
        answer.kind === "raw"
          ? answer.body
          : printLosslessJson({
              apiVersion: review["apiVersion"] ?? "admission.k8s.io/v1",
              kind: "AdmissionReview",
              response: { uid: review.request.uid, ...answer.response },
            });
      const headers = (answer.kind === "raw" ? answer.headers : undefined) ?? { "content-type": "application/json" };
      response.writeHead(answer.kind === "raw" ? answer.status : 200, headers).end(body);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `https://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    caBundle: Buffer.from(authority.cert).toString("base64"),
    certificate: Buffer.from(pair.cert).toString("base64"),
    takeCalls: () => calls.splice(0),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
