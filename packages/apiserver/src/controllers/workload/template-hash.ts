import type { PodTemplateSpec } from "@kubescaffold/k8s/core/v1";

// Letters and digits that make no words, as upstream's hashes have them.
const SAFE_ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** The label by which the pods of one revision are told apart. */
export const TEMPLATE_HASH_LABEL = "pod-template-hash";

/** Returns a short name of a pod template; the same template always has the same, upstream's would differ in its letters. */
export function templateHash(template: PodTemplateSpec): string {
  const hash = fnv32a(JSON.stringify(sortKeys(template)));
  return Array.from(String(hash), (digit) => SAFE_ALPHABET[digit.charCodeAt(0) % SAFE_ALPHABET.length]).join("");
}

/** Says whether two templates are equal, the hash label aside. */
export function templatesEqual(left: PodTemplateSpec, right: PodTemplateSpec): boolean {
  return JSON.stringify(sortKeys(withoutHash(left))) === JSON.stringify(sortKeys(withoutHash(right)));
}

function withoutHash(template: PodTemplateSpec): PodTemplateSpec {
  const { [TEMPLATE_HASH_LABEL]: _, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => sortKeys(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, item]) => [key, sortKeys(item)]),
  );
}

function fnv32a(text: string): number {
  let hash = FNV_OFFSET;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, FNV_PRIME) >>> 0;
  return hash;
}
