import type { FileTree } from "../machinery/file-tree.ts";
import { PackageManifestError } from "./errors.ts";

/** The members of a `package.json`. */
export type PackageManifest = Readonly<Record<string, unknown>>;

/**
 * Changes members of the `package.json` of a project; those that the change does not name stay, in their order.
 *
 * Fails: {@link PackageManifestError} for a file that is not a JSON object.
 */
export function updatePackageManifest(tree: FileTree, change: (manifest: PackageManifest) => PackageManifest): void {
  tree.update("package.json", (text) => {
    const manifest = parseManifest(text);
    const changes = change(manifest);
    return Object.keys(changes).length === 0 ? text : `${JSON.stringify({ ...manifest, ...changes }, undefined, 2)}\n`;
  });
}

function parseManifest(text: string): PackageManifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new PackageManifestError(`it is not JSON: ${(error as Error).message}`, error);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new PackageManifestError("it is not a JSON object");
  }
  return value as PackageManifest;
}

/** Returns a member that is an object, or an empty one. */
export function membersOf(manifest: PackageManifest, name: string): Readonly<Record<string, unknown>> {
  const value = manifest[name];
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
