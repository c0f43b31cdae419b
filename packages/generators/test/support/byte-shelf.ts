import type { ByteStore } from "../../src/cache/memo.ts";

/** A store in memory that counts what is written to it. */
export class ByteShelf implements ByteStore {
  readonly kept = new Map<string, Uint8Array>();
  writes = 0;
  readonly read = (key: string): Uint8Array | undefined => this.kept.get(key);
  readonly write = (key: string, bytes: Uint8Array): void => {
    this.writes += 1;
    this.kept.set(key, bytes);
  };

  /** Breaks all that is kept. */
  damage(): void {
    for (const [key, bytes] of this.kept) this.kept.set(key, bytes.subarray(0, bytes.length / 2));
  }
}
