import type { ReadFile } from "../kustomize/kustomization.ts";
import type { Manifest } from "../kustomize/manifest.ts";

// Every command loads the contract of plugins, and few build a kustomization: the builder, and the schemas that it patches with, are loaded on first use.

/** As `buildKustomization` of the builder: the objects that `kubectl kustomize` makes of a folder. Fails: `KustomizationError`. */
export async function buildKustomization(read: ReadFile, folder: string): Promise<readonly Manifest[]> {
  return (await import("../kustomize/build.ts")).buildKustomization(read, folder);
}

/** As `manifestsIn` of the builder: the objects of a file's text. Fails: `KustomizationError`. */
export async function manifestsIn(text: string, file: string): Promise<readonly Manifest[]> {
  return (await import("../kustomize/build.ts")).manifestsIn(text, file);
}
