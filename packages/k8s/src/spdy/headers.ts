import { constants, createDeflate, createInflate, type Deflate, type Inflate } from "node:zlib";

import { afterTurn } from "@kubescaffold/platform/clock";

import { spdyDictionary } from "./dictionary.ts";
import { SpdyError } from "./errors.ts";

/** Headers by their lower-case names; multiple values are separate. */
export type SpdyHeaders = ReadonlyMap<string, readonly string[]>;

// As the heads of HTTP requests in Node: each open stream stores its headers, which compress a thousandfold.
const LARGEST_BLOCK = 16 * 1024;

/**
 * Compresses and decompresses the header blocks of one connection.
 *
 * All blocks of a direction are one zlib stream, so they must be encoded in the order in which they are sent, and decoded in that of their arrival.
 */
export class HeaderCodec {
  readonly #deflate: Deflate;
  readonly #inflate: Inflate;

  constructor() {
    const options = { dictionary: spdyDictionary(), flush: constants.Z_SYNC_FLUSH };
    this.#deflate = createDeflate(options);
    this.#inflate = createInflate(options);
  }

  /** Encodes headers. */
  async encode(headers: SpdyHeaders): Promise<Buffer> {
    return await transform(this.#deflate, printHeaders(headers), Number.POSITIVE_INFINITY);
  }

  /** Decodes a block. Fails: {@link SpdyError} for a malformed block, and for one of more than 16 KiB; the codec is then unusable. */
  async decode(block: Buffer): Promise<SpdyHeaders> {
    let text: Buffer;
    try {
      text = await transform(this.#inflate, block, LARGEST_BLOCK);
    } catch (cause) {
      throw cause instanceof SpdyError ? cause : new SpdyError("a header block cannot be decompressed", { cause });
    }
    return parseHeaders(text);
  }

  /** Releases the memory of the codec. */
  close(): void {
    this.#deflate.destroy();
    this.#inflate.destroy();
  }
}

// The output of a write is complete in the turn after its callback.
async function transform(stream: Deflate | Inflate, input: Buffer, limit: number): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = (): void => {
      stream.off("data", onData);
      stream.off("error", onError);
      stream.off("close", onClose);
    };
    const onError = (error: Error): void => {
      stop();
      // Destroyed streams may fail again.
      stream.on("error", () => undefined);
      reject(error);
    };
    const onClose = (): void => onError(new SpdyError("the connection is closed"));
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > limit) {
        onError(new SpdyError(`a header block has more than ${String(limit)} bytes`));
        stream.destroy();
      }
    };
    if (stream.destroyed) {
      reject(new SpdyError("the connection is closed"));
      return;
    }
    stream.on("data", onData);
    stream.on("error", onError);
    stream.on("close", onClose);
    stream.write(input, (error) => {
      if (error) return;
      afterTurn(() => {
        stop();
        resolve(Buffer.concat(chunks));
      });
    });
  });
}

function printHeaders(headers: SpdyHeaders): Buffer {
  const parts = [number(headers.size)];
  for (const [name, values] of headers) {
    for (const text of [name.toLowerCase(), values.join("\0")]) {
      const bytes = Buffer.from(text, "utf8");
      parts.push(number(bytes.length), bytes);
    }
  }
  return Buffer.concat(parts);
}

function number(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value);
  return buffer;
}

function parseHeaders(block: Buffer): SpdyHeaders {
  let position = 0;
  const readNumber = (): number => {
    if (position + 4 > block.length) throw new SpdyError("a header block ends early");
    position += 4;
    return block.readUInt32BE(position - 4);
  };
  const readText = (): string => {
    const length = readNumber();
    if (length > block.length - position) throw new SpdyError("a header block ends early");
    position += length;
    return block.toString("utf8", position - length, position);
  };
  const headers = new Map<string, readonly string[]>();
  const count = readNumber();
  for (let index = 0; index < count; index += 1) {
    const name = readText();
    if (name === "" || name !== name.toLowerCase() || headers.has(name)) {
      throw new SpdyError(`a header block has the invalid or repeated name ${JSON.stringify(name)}`);
    }
    headers.set(name, readText().split("\0"));
  }
  if (position !== block.length) throw new SpdyError("a header block is longer than its headers");
  return headers;
}
