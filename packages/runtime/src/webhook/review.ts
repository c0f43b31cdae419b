/** Reads the body of a request as text; returns undefined if it exceeds the limit. */
export async function readLimited(request: Request, limitBytes: number): Promise<string | undefined> {
  if (request.body === null) return "";
  if (Number(request.headers.get("content-length") ?? 0) > limitBytes) return undefined;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limitBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
