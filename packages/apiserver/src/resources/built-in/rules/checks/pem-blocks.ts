/** A block of a text in PEM. */
export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Buffer;
}

const BEGIN = "-----BEGIN ";
const DASHES = "-----";

/** Returns the blocks of a text in PEM; what is no block is skipped, as Go's `encoding/pem` does. */
export function pemBlocks(text: string): readonly PemBlock[] {
  const blocks: PemBlock[] = [];
  for (let start = text.indexOf(BEGIN); start >= 0; start = text.indexOf(BEGIN, start + BEGIN.length)) {
    const typeEnd = text.indexOf(DASHES, start + BEGIN.length);
    if (typeEnd < 0) break;
    const type = text.slice(start + BEGIN.length, typeEnd);
    const end = text.indexOf(`${DASHES}END ${type}${DASHES}`, typeEnd);
    if (type.includes("\n") || end < 0 || (start > 0 && text[start - 1] !== "\n")) continue;
    const content = text.slice(typeEnd + DASHES.length, end);
    const headers = content.split("\n").filter((line) => line.includes(":"));
    const encoded = content.split("\n").filter((line) => !line.includes(":"));
    blocks.push({ type, hasHeaders: headers.length > 0, bytes: Buffer.from(encoded.join(""), "base64") });
    start = end;
  }
  return blocks;
}
