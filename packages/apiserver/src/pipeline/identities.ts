import { createHash, randomUUID } from "node:crypto";

import { type GroupResource, randomString } from "@kubescaffold/k8s";

/** Creates uids and the ends of generated names. */
export interface Identities {
  /** Returns a uid; with a seed, the n-th for the same occasion, such as the name of an object, is the same in each run. */
  readonly newUid: (occasion?: string) => string;
  /** Returns five random characters for a generated name; with a seed, the n-th for the same occasion is the same in each run. */
  readonly nameSuffix: (occasion?: string) => string;
}

/** Returns the occasion of the uid and of the generated name of an object, given its key in the store. */
export function objectOccasion({ resource }: Pick<GroupResource, "resource">, key: string): string {
  return `${resource} ${key}`;
}

const SUFFIX_LENGTH = 5;

/** Creates identities: random ones without a seed. */
export function identitiesOf(seed: string | number | undefined): Identities {
  return seed === undefined
    ? { newUid: () => randomUUID(), nameSuffix: () => randomString(SUFFIX_LENGTH) }
    : seededIdentities(String(seed));
}

// By occasion, so that requests that happen in another order do not change the names of each other's objects.
function seededIdentities(seed: string): Identities {
  const counts = new Map<string, number>();
  const nextDigest = (purpose: string, occasion: string): Buffer => {
    const name = `${purpose} ${occasion}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return createHash("sha256")
      .update(`${seed}\0${name}\0${String(count)}`)
      .digest();
  };
  return {
    newUid: (occasion = "") => uuidOf(nextDigest("uid", occasion)),
    nameSuffix: (occasion = "") => {
      const digest = nextDigest("name", occasion);
      let index = 0;
      return randomString(SUFFIX_LENGTH, () => digest.readUInt32BE(4 * index++) / 2 ** 32);
    },
  };
}

// In the form of a random UUID, version 4.
function uuidOf(digest: Buffer): string {
  const bytes = digest.subarray(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
