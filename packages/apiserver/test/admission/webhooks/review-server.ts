import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";

import { createCertificateAuthority } from "@kubescaffold/cluster";

/** The request of a review, as far as tests look at it. */
interface ReviewRequest {
  readonly uid: string;
  readonly name?: string;
  readonly operation: string;
  readonly subResource?: string;
  readonly kind: object;
  readonly requestKind: object;
  readonly resource: object;
  readonly requestResource: object;
  readonly userInfo: object;
  readonly object: Readonly<Record<string, unknown>> | null;
  readonly oldObject: Readonly<Record<string, unknown>> | null;
  readonly dryRun: boolean;
  readonly options: object;
}

/** A webhook on loopback whose answers a test decides. */
export interface ReviewServer {
  readonly port: number;
  readonly url: string;
  readonly caBundle: string;
  readonly calls: { readonly url: string; readonly request: ReviewRequest }[];
  close(): Promise<void>;
}

/** Answers one call: with the `response` of a review, or however it likes. */
export type Reviewer = (request: ReviewRequest, response: ServerResponse, url: string) => object | undefined;

/** Starts a webhook; what the reviewer returns is sent with the uid of the request. */
export async function startReviewServer(
  reviewer: Reviewer,
  dnsNames: readonly string[] = ["localhost"],
): Promise<ReviewServer> {
  const authority = await createCertificateAuthority("webhooks");
  const calls: ReviewServer["calls"] = [];
  const server = createServer(
    await authority.issueServer({ dnsNames, ipAddresses: ["127.0.0.1"] }),
    (message, response) => {
      const chunks: Buffer[] = [];
      message.on("data", (chunk: Buffer) => chunks.push(chunk));
      message.on("end", () => {
        const { request } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly request: ReviewRequest };
        calls.push({ url: message.url ?? "", request });
        const answer = reviewer(request, response, message.url ?? "");
        if (answer === undefined) return;
        const review = {
          apiVersion: "admission.k8s.io/v1",
          kind: "AdmissionReview",
          response: { uid: request.uid, ...answer },
        };
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(review));
      });
    },
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `https://127.0.0.1:${String(port)}`,
    caBundle: Buffer.from(authority.cert).toString("base64"),
    calls,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Encodes a JSON patch as answers carry it. */
export function patchAnswer(...operations: readonly object[]): object {
  const patch = Buffer.from(JSON.stringify(operations)).toString("base64");
  return { allowed: true, patchType: "JSONPatch", patch };
}
