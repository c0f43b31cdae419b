const SKIPPED = new Set(["node_modules", "dist"]);

/** Says whether folders of a name are left out when all below a folder is meant. */
export function isSkippedDirectory(name: string): boolean {
  return SKIPPED.has(name) || name.startsWith(".");
}
