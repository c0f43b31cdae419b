/** Names a path of the scale subresource. */
export type ScalePathName = "specReplicasPath" | "statusReplicasPath" | "labelSelectorPath";

/** Says of each path of the scale subresource below what it must lead. */
export const SCALE_PATH_ROOTS: Readonly<Record<ScalePathName, readonly string[]>> = {
  specReplicasPath: [".spec"],
  statusReplicasPath: [".status"],
  labelSelectorPath: [".spec", ".status"],
};

/** Says whether a path of the scale subresource leads to where it must, without brackets. */
export function isScalePath(name: ScalePathName, path: string): boolean {
  return SCALE_PATH_ROOTS[name].some((root) => path.startsWith(`${root}.`)) && !/[[\]]/u.test(path);
}
