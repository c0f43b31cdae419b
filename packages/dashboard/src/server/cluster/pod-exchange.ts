import { type IncomingMessage, request as httpRequest } from "node:http";
import type { Duplex } from "node:stream";

// Managers have some hundred kilobytes.
const LARGEST_BODY = 16 * 1024 * 1024;

/**
 * Sends a request through a connection to a Pod, and returns its response, whose body was read.
 *
 * Fails: for connections that break, for responses that are no HTTP or too large, and for statuses that HTTP does not have. Nothing that a Pod sends throws
 * elsewhere.
 */
export async function exchangeWithPod(socket: Duplex, request: Request): Promise<Response> {
  const message = await send(socket, request);
  const { statusCode = 502 } = message;
  const headers = { "content-type": message.headers["content-type"] ?? "text/plain" };
  const body = await readBody(message);
  if (WITHOUT_BODY.has(statusCode)) return new Response(null, { status: statusCode, headers });
  // Servers may answer with any number of three digits, and the Fetch API knows these.
  if (statusCode >= 200 && statusCode <= 599) return new Response(body, { status: statusCode, headers });
  throw new Error(`the Pod responded with the unknown status ${String(statusCode)}`);
}

const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

async function send(socket: Duplex, { url, headers, signal }: Request): Promise<IncomingMessage> {
  const { pathname, host } = new URL(url);
  return await new Promise<IncomingMessage>((resolve, reject) => {
    // Also after the response, when nobody reads from the connection any more.
    socket.on("error", reject);
    const request = httpRequest({
      createConnection: () => socket,
      path: pathname,
      headers: { ...Object.fromEntries(headers), host, connection: "close", "accept-encoding": "identity" },
      signal,
    });
    request.once("response", resolve);
    request.on("error", reject);
    request.once("upgrade", (_message, upgraded) => {
      upgraded.destroy();
      reject(new Error("the Pod switched to another protocol"));
    });
    request.once("close", () => reject(new Error("the Pod closed the connection without a response")));
    request.end();
  });
}

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > LARGEST_BODY) throw new Error(`the metrics are larger than ${String(LARGEST_BODY)} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
