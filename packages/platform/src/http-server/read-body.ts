import type { IncomingMessage } from "node:http";

/**
 * Reads the body of a request up to a limit; returns undefined beyond it, and leaves the rest unread.
 *
 * Iterating over the request instead would close the connection with the iteration, and so before the response.
 *
 * Fails: when the client closes the connection before the end of the body.
 */
export async function readBody(message: IncomingMessage, limitBytes: number): Promise<Buffer | undefined> {
  if (Number(message.headers["content-length"] ?? 0) > limitBytes) return undefined;
  return await new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = (): void => {
      message.off("data", onData).off("end", onEnd).off("error", onError).off("close", onClose);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= limitBytes) return;
      stop();
      resolve(undefined);
    };
    const onEnd = (): void => {
      stop();
      resolve(Buffer.concat(chunks));
    };
    const onError = (error: Error): void => {
      stop();
      reject(error);
    };
    const onClose = (): void => onError(new Error("the client has closed the connection before the end of the body"));
    message.on("data", onData).once("end", onEnd).once("error", onError).once("close", onClose);
  });
}
