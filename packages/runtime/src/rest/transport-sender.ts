import type { Transport } from "@kubescaffold/k8s";

import type { Sender, WireHeaders, WireRequest, WireResponse } from "./wire.ts";

/** Creates a sender that hands web requests to a function, with no socket in between. */
export function createTransportSender(server: string, transport: Transport): Sender {
  return {
    send: async (request) => wireResponse(await transport(webRequest(server, request))),
    close: () => Promise.resolve(),
  };
}

function webRequest(server: string, request: WireRequest): Request {
  return new Request(`${server}${request.path}`, {
    method: request.method,
    headers: webHeaders(request.headers),
    body: request.body ?? null,
    signal: request.signal,
  });
}

function webHeaders(headers: WireHeaders): Headers {
  const result = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const each of typeof value === "string" ? [value] : value) {
      result.append(name, each);
    }
  }
  return result;
}

function wireResponse(response: Response): WireResponse {
  return {
    status: response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    text: () => response.text(),
    chunks: () => bodyChunks(response),
    discard: async () => {
      await response.body?.cancel();
    },
  };
}

async function* bodyChunks(response: Response): AsyncGenerator<Uint8Array> {
  if (response.body !== null) {
    yield* response.body as AsyncIterable<Uint8Array>;
  }
}
