const NEWLINE = 0x0a;

/**
 * Splits a stream of bytes into the JSON values of its lines; empty lines are skipped.
 *
 * Guarantees: every byte is copied at most once however small the pieces are; nothing is read before it is asked for.
 */
export async function* parseJsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<unknown, void, undefined> {
  let pending: Uint8Array[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      pending.push(chunk.subarray(start, end));
      const line = textOf(pending);
      pending = [];
      start = end + 1;
      if (line.trim() !== "") {
        yield JSON.parse(line) as unknown;
      }
    }
    if (start < chunk.length) {
      pending.push(chunk.subarray(start));
    }
  }
  const rest = textOf(pending);
  if (rest.trim() !== "") {
    yield JSON.parse(rest) as unknown;
  }
}

function textOf(pieces: readonly Uint8Array[]): string {
  const [first] = pieces;
  const whole = pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces);
  return Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength).toString("utf8");
}
