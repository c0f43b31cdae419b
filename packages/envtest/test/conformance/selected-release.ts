import { loadRelease, type Release } from "../../../apiserver/src/release/release.ts";
import { createClusterOf, type EmbeddedCluster } from "../../../cluster/src/cluster/embedded-cluster.ts";

/** The variable with the minor version that tests compare with, as `--kubernetes` selects it. */
const SELECTED_MINOR = "KUBESCAFFOLD_COMPARED_MINOR";

/** The minor version of the server whose answers are recorded. */
export const RECORDED_MINOR = "1.35";

/** Returns the release that tests compare with: that of the recorded answers unless another is selected. */
export function selectedRelease(): Release {
  const minor = process.env[SELECTED_MINOR] ?? RECORDED_MINOR;
  const release = loadRelease(minor);
  if (release === undefined) throw new Error(`cannot compare with ${minor}: no release has its tables`);
  return release;
}

/** Creates an embedded cluster of the release that tests compare with, without controllers. */
export function createComparedCluster(): EmbeddedCluster {
  return createClusterOf(selectedRelease(), { lifecycleControllers: false, workloadSimulation: false });
}
