import { createHash } from "node:crypto";

/** Returns a number of 32 bits that depends on all characters of a text, and is equal in all processes. */
export function hashOf(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE(0);
}

/**
 * Assigns shards to replicas: each replica gets at most `ceil(shards / replicas)`, by rendezvous hashing.
 *
 * All processes compute the same result from the same replicas, and most shards stay where they are when a replica comes or goes.
 */
export function assignShards(shards: number, replicas: readonly string[]): readonly (string | undefined)[] {
  const capacity = Math.ceil(shards / Math.max(1, replicas.length));
  const loads = new Map(replicas.map((replica) => [replica, 0]));
  return Array.from({ length: shards }, (_, shard) => {
    const open = [...loads.keys()].filter((replica) => (loads.get(replica) ?? 0) < capacity);
    const owner = highest(open, (replica) => hashOf(`${String(shard)}/${replica}`));
    if (owner !== undefined) {
      loads.set(owner, (loads.get(owner) ?? 0) + 1);
    }
    return owner;
  });
}

// Equal weights are unlikely; the name decides then, since the order of the replicas may differ between processes.
function highest(replicas: readonly string[], weightOf: (replica: string) => number): string | undefined {
  let best: { readonly replica: string; readonly weight: number } | undefined;
  for (const replica of replicas) {
    const weight = weightOf(replica);
    if (best === undefined || weight > best.weight || (weight === best.weight && replica < best.replica)) {
      best = { replica, weight };
    }
  }
  return best?.replica;
}
