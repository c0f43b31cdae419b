import { SpdyError } from "./errors.ts";

/** A frame of SPDY 3.1. Header blocks are compressed. */
export type SpdyFrame =
  | {
      readonly kind: "syn-stream";
      readonly streamId: number;
      readonly associatedStreamId: number;
      /** 0, the highest, to 7. */
      readonly priority: number;
      readonly isFin: boolean;
      readonly isUnidirectional: boolean;
      readonly headerBlock: Buffer;
    }
  | {
      readonly kind: "syn-reply" | "headers";
      readonly streamId: number;
      readonly isFin: boolean;
      readonly headerBlock: Buffer;
    }
  | { readonly kind: "rst-stream"; readonly streamId: number; readonly status: number }
  | { readonly kind: "settings"; readonly flags: number; readonly entries: readonly SpdySetting[] }
  | { readonly kind: "ping"; readonly id: number }
  | { readonly kind: "goaway"; readonly lastGoodStreamId: number; readonly status: number }
  | { readonly kind: "window-update"; readonly streamId: number; readonly delta: number }
  | { readonly kind: "data"; readonly streamId: number; readonly isFin: boolean; readonly data: Buffer };

/** A setting with its flags. */
export interface SpdySetting {
  /** The flags of the entry. */
  readonly flags: number;
  /** The number of the setting. */
  readonly id: number;
  /** The value of the setting. */
  readonly value: number;
}

const VERSION = 3;
const TYPES = {
  "syn-stream": 1,
  "syn-reply": 2,
  "rst-stream": 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  headers: 8,
  "window-update": 9,
} as const;
const FIN = 0x01;
const UNIDIRECTIONAL = 0x02;
const HEADER_BYTES = 8;
const CONTROL_BIT = 0x80_00_00_00;
const STREAM_ID = 0x7f_ff_ff_ff;
/** Bytes of a frame of data at most: the length has 24 bits. */
const LARGEST_DATA = 0xff_ff_ff;
const LARGEST_CONTROL = 1024 * 1024;

/** Encodes a frame. */
export function encodeFrame(frame: SpdyFrame): Buffer {
  switch (frame.kind) {
    case "data":
      return dataFrame(frame);
    case "syn-stream": {
      const flags = (frame.isFin ? FIN : 0) | (frame.isUnidirectional ? UNIDIRECTIONAL : 0);
      const head = Buffer.alloc(10);
      head.writeUInt32BE(frame.streamId);
      head.writeUInt32BE(frame.associatedStreamId, 4);
      head.writeUInt8(frame.priority << 5, 8);
      return controlFrame(frame.kind, flags, Buffer.concat([head, frame.headerBlock]));
    }
    case "syn-reply":
    case "headers":
      return controlFrame(frame.kind, frame.isFin ? FIN : 0, Buffer.concat([words(frame.streamId), frame.headerBlock]));
    case "rst-stream":
      return controlFrame(frame.kind, 0, words(frame.streamId, frame.status));
    case "settings": {
      const entries = frame.entries.map(({ flags, id, value }) => words(flags * 0x1_00_00_00 + id, value));
      return controlFrame(frame.kind, frame.flags, Buffer.concat([words(frame.entries.length), ...entries]));
    }
    case "ping":
      return controlFrame(frame.kind, 0, words(frame.id));
    case "goaway":
      return controlFrame(frame.kind, 0, words(frame.lastGoodStreamId, frame.status));
    case "window-update":
      return controlFrame(frame.kind, 0, words(frame.streamId, frame.delta));
  }
}

function dataFrame({ streamId, isFin, data }: SpdyFrame & { readonly kind: "data" }): Buffer {
  if (data.length > LARGEST_DATA) throw new RangeError(`a frame has at most ${String(LARGEST_DATA)} bytes`);
  return Buffer.concat([words(streamId, (isFin ? FIN : 0) * 0x1_00_00_00 + data.length), data]);
}

function controlFrame(kind: keyof typeof TYPES, flags: number, payload: Buffer): Buffer {
  const head = words(CONTROL_BIT + VERSION * 0x1_00_00 + TYPES[kind], flags * 0x1_00_00_00 + payload.length);
  return Buffer.concat([head, payload]);
}

function words(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) buffer.writeUInt32BE(value, 4 * index);
  return buffer;
}

/**
 * Splits bytes into frames. Control frames of unknown types are skipped, as the protocol requires.
 *
 * Guarantees: stores the bytes of one incomplete frame, in one buffer, however small the chunks are.
 */
export class FrameReader {
  // Twice as large whenever it is full, so that the number of copies of a byte is constant.
  #stored: Buffer = EMPTY;
  #size = 0;
  #needed = HEADER_BYTES;

  /** Returns the frames that are complete with this chunk. Fails: {@link SpdyError} for a malformed frame. */
  push(chunk: Buffer): readonly SpdyFrame[] {
    let rest = chunk;
    if (this.#size > 0) {
      this.#store(chunk);
      if (this.#size < this.#needed) return [];
      rest = this.#stored.subarray(0, this.#size);
    }
    const frames: SpdyFrame[] = [];
    while (rest.length >= HEADER_BYTES) {
      const length = frameLength(rest);
      if (rest.length < length) break;
      const frame = parseFrame(rest.subarray(0, length));
      if (frame !== undefined) frames.push(frame);
      rest = rest.subarray(length);
    }
    this.#keep(rest);
    return frames;
  }

  // The stored frames are in use: what remains is copied unless nothing was complete.
  #keep(rest: Buffer): void {
    const isUnchanged = this.#size > 0 && rest.length === this.#size;
    this.#needed = rest.length >= HEADER_BYTES ? frameLength(rest) : HEADER_BYTES;
    if (isUnchanged) return;
    this.#stored = EMPTY;
    this.#size = 0;
    this.#store(rest);
  }

  #store(chunk: Buffer): void {
    const size = this.#size + chunk.length;
    if (size > this.#stored.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(size, Math.min(2 * this.#stored.length, this.#needed)));
      this.#stored.copy(larger, 0, 0, this.#size);
      this.#stored = larger;
    }
    chunk.copy(this.#stored, this.#size);
    this.#size = size;
  }
}

const EMPTY = Buffer.alloc(0);

// Fails for a frame that is too long to be stored, before it arrives.
function frameLength(bytes: Buffer): number {
  const payload = bytes.readUInt32BE(4) & LARGEST_DATA;
  const isControl = isControlFrame(bytes);
  if (isControl && bytes.readUInt16BE() !== (0x80_00 | VERSION)) {
    throw new SpdyError(`unsupported version ${String(bytes.readUInt16BE() & 0x7f_ff)}`);
  }
  if (isControl && payload > LARGEST_CONTROL) throw new SpdyError(`a control frame has ${String(payload)} bytes`);
  return HEADER_BYTES + payload;
}

function isControlFrame(bytes: Buffer): boolean {
  return (bytes.readUInt8() & 0x80) !== 0;
}

function parseFrame(bytes: Buffer): SpdyFrame | undefined {
  const flags = bytes.readUInt8(4);
  const payload = bytes.subarray(HEADER_BYTES);
  const isFin = (flags & FIN) !== 0;
  if (!isControlFrame(bytes)) return { kind: "data", streamId: streamIdAt(bytes, 0), isFin, data: payload };
  switch (bytes.readUInt16BE(2)) {
    case TYPES["syn-stream"]:
      requireLength("SYN_STREAM", payload.length >= 10);
      return {
        kind: "syn-stream",
        streamId: streamIdAt(payload, 0),
        associatedStreamId: payload.readUInt32BE(4) & STREAM_ID,
        priority: payload.readUInt8(8) >> 5,
        isFin,
        isUnidirectional: (flags & UNIDIRECTIONAL) !== 0,
        headerBlock: payload.subarray(10),
      };
    case TYPES["syn-reply"]:
      requireLength("SYN_REPLY", payload.length >= 4);
      return { kind: "syn-reply", streamId: streamIdAt(payload, 0), isFin, headerBlock: payload.subarray(4) };
    case TYPES.headers:
      requireLength("HEADERS", payload.length >= 4);
      return { kind: "headers", streamId: streamIdAt(payload, 0), isFin, headerBlock: payload.subarray(4) };
    case TYPES["rst-stream"]:
      requireLength("RST_STREAM", payload.length === 8);
      return { kind: "rst-stream", streamId: streamIdAt(payload, 0), status: payload.readUInt32BE(4) };
    case TYPES.settings:
      return { kind: "settings", flags, entries: settingsOf(payload) };
    case TYPES.ping:
      requireLength("PING", payload.length === 4);
      return { kind: "ping", id: payload.readUInt32BE() };
    case TYPES.goaway:
      requireLength("GOAWAY", payload.length === 8);
      return { kind: "goaway", lastGoodStreamId: payload.readUInt32BE() & STREAM_ID, status: payload.readUInt32BE(4) };
    case TYPES["window-update"]:
      requireLength("WINDOW_UPDATE", payload.length === 8);
      return {
        kind: "window-update",
        streamId: payload.readUInt32BE() & STREAM_ID,
        delta: payload.readUInt32BE(4) & STREAM_ID,
      };
    default:
      return undefined;
  }
}

function settingsOf(payload: Buffer): readonly SpdySetting[] {
  requireLength("SETTINGS", payload.length >= 4);
  const count = payload.readUInt32BE();
  requireLength("SETTINGS", payload.length === 4 + 8 * count);
  return Array.from({ length: count }, (_, index) => {
    const at = 4 + 8 * index;
    return { flags: payload.readUInt8(at), id: payload.readUIntBE(at + 1, 3), value: payload.readUInt32BE(at + 4) };
  });
}

// Stream 0 does not exist.
function streamIdAt(bytes: Buffer, offset: number): number {
  const id = bytes.readUInt32BE(offset) & STREAM_ID;
  if (id === 0) throw new SpdyError("a frame has the stream ID 0");
  return id;
}

function requireLength(name: string, isRight: boolean): void {
  if (!isRight) throw new SpdyError(`a ${name} frame has an invalid length`);
}
