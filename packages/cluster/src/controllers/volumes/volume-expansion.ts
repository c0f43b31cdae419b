import {
  type ControllerIdentity,
  type InProcessController,
  keyOf,
  requestedSize,
  type ServerContext,
  splitKey,
  storeController,
} from "@kubescaffold/apiserver/cluster-api";
import { compareQuantities, objectKey } from "@kubescaffold/k8s";
import type { PersistentVolume, PersistentVolumeClaim } from "@kubescaffold/k8s/core/v1";

import { eventWriter } from "../workload/event-writer.ts";
import { readStored } from "../workload/workload-objects.ts";
import { wantsExpansion } from "./claim-size.ts";
import { CLAIMS, PERSISTENT_VOLUMES } from "./volume-resources.ts";

/** Reports that claims with larger requests wait for the resizer of their volume: kube-controller-manager expands no volumes of storage drivers itself. */
export function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const events = eventWriter(context, self.user, "volume_expand");
  return storeController({
    name: self.name,
    context,
    watches: [CLAIMS],
    keysOf: ({ object, previous, kind }) =>
      kind !== "deleted" && isIncreased(object, previous) ? [keyOf(objectKey(object))] : [],
    initialKeys: () => context.objects.list(CLAIMS).map((claim) => keyOf(objectKey(claim))),
    work: async (key) => {
      const claim = readStored<PersistentVolumeClaim>(context, CLAIMS, splitKey(key));
      if (claim === undefined || !wantsExpansion(claim)) return;
      const name = claim.spec?.volumeName ?? "";
      const volume = readStored<PersistentVolume>(context, PERSISTENT_VOLUMES, { namespace: "", name });
      if (volume?.spec?.claimRef?.uid !== claim.metadata.uid) return;
      const message = "waiting for an external controller to expand this PVC";
      await events.write(claim, { type: "Normal", reason: "ExternalExpanding", message });
    },
  });
}

function isIncreased(claim: PersistentVolumeClaim, previous: PersistentVolumeClaim | undefined): boolean {
  return previous !== undefined && compareQuantities(requestedSize(claim), requestedSize(previous)) > 0;
}
