const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Returns the leader election id of a project: the FNV-1a hash (32 bits, hexadecimal, eight digits) of its repo, then its domain. */
export function leaderElectionIdOf(project: { readonly repo?: string; readonly domain?: string }): string {
  return [
    fnv32a(project.repo ?? "")
      .toString(16)
      .padStart(8, "0"),
    project.domain ?? "",
  ]
    .filter((part) => part !== "")
    .join(".");
}

function fnv32a(text: string): number {
  let hash = FNV_OFFSET;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, FNV_PRIME);
  return hash >>> 0;
}
