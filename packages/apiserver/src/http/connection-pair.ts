import { Duplex } from "node:stream";

/**
 * Creates both ends of a connection within the process: what one end writes, the other one reads.
 *
 * Guarantees: when one end closes, so does the other, like sockets; every write takes a turn of the event loop, so that an endless transfer does not block it.
 */
export function connectionPair(): readonly [Duplex, Duplex] {
  const [left, right] = [new ConnectionEnd(), new ConnectionEnd()];
  left.connect(right);
  right.connect(left);
  return [left, right];
}

class ConnectionEnd extends Duplex {
  #peer: ConnectionEnd | undefined;
  // Called when the data of the last write has been read.
  #taken: (() => void) | undefined;

  connect(peer: ConnectionEnd): void {
    this.#peer = peer;
    peer.once("close", () => this.destroy());
  }

  override _read(): void {
    const taken = this.#taken;
    this.#taken = undefined;
    if (taken !== undefined) setImmediate(taken);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#peer?.receive(chunk, done);
  }

  override _final(done: () => void): void {
    this.#peer?.receive(null, done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this._read();
    done(error);
  }

  receive(chunk: Buffer | null, taken: () => void): void {
    if (this.destroyed) {
      setImmediate(taken);
      return;
    }
    if (chunk === null) this.once("end", taken);
    else if (chunk.length === 0) setImmediate(taken);
    else this.#taken = taken;
    if (chunk === null || chunk.length > 0) this.push(chunk);
  }
}
