import type { FileTree } from "kubescaffold/plugin";

import { ManifestsError } from "./errors.ts";
import { asManifest, buildKustomization } from "./kustomize/build.ts";
import { documentsIn } from "./kustomize/kustomization.ts";
import type { Manifest } from "./manifest.ts";

const DEFAULT = "config/default";

/**
 * Returns the objects that a chart is made of: those of a file, else those that config/default makes, and what they come from.
 *
 * Fails: {@link ManifestsError} when there is no such file, or nothing in it.
 */
export function loadManifests(
  tree: FileTree,
  bundle: string | undefined,
): { readonly manifests: readonly Manifest[]; readonly source: string } {
  if (bundle === undefined)
    return { manifests: buildKustomization((path) => tree.read(path), DEFAULT), source: DEFAULT };
  const text = tree.read(bundle);
  if (text === undefined && tree.filesBelow(bundle).length > 0)
    throw new ManifestsError(`cannot make a chart of ${bundle}: it is a folder`, {
      hint: `name a file with manifests, such as that of \`kubectl kustomize ${bundle} > bundle.yaml\``,
    });
  if (text === undefined)
    throw new ManifestsError(`cannot make a chart of ${bundle}: there is no such file`, {
      hint: `write it with \`kubectl kustomize ${DEFAULT} > ${bundle}\`, or pass --manifests=dist/install.yaml, which stands for ${DEFAULT}`,
    });
  const manifests = documentsIn(text, bundle).map((each) => asManifest(each, bundle));
  if (manifests.length > 0) return { manifests, source: bundle };
  throw new ManifestsError(`cannot make a chart of ${bundle}: it holds no manifests`, {
    hint: `write it with \`kubectl kustomize ${DEFAULT} > ${bundle}\``,
  });
}
