import {
  type ControllerIdentity,
  type InProcessController,
  keyOf,
  type ServerContext,
  splitKey,
  storeController,
} from "@kubescaffold/apiserver/cluster-api";
import { isConflict, isNotFound, objectKey } from "@kubescaffold/k8s";
import type { Job } from "@kubescaffold/k8s/batch/v1";

import { JOBS, readStored } from "../workload-objects.ts";
import { endOf } from "./job-conditions.ts";

/** Deletes Jobs with their pods when `ttlSecondsAfterFinished` is over. */
export function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const client = context.clientFor(self.user);
  return storeController({
    name: self.name,
    context,
    watches: [JOBS],
    keysOf: ({ object, kind }) => (kind === "deleted" ? [] : [keyOf(objectKey(object))]),
    initialKeys: () => context.objects.list(JOBS).map((object) => keyOf(objectKey(object))),
    work: async (key, worker) => {
      const job = readStored<Job>(context, JOBS, splitKey(key));
      const ttl = job?.spec?.ttlSecondsAfterFinished;
      const end = job === undefined ? undefined : endOf(job)?.lastTransitionTime;
      if (job === undefined || ttl === undefined || end === undefined || end === null) return;
      if (job.metadata.deletionTimestamp !== undefined) return;
      const remainingMs = Date.parse(end) + ttl * 1000 - context.clock.now();
      if (remainingMs > 0) {
        worker.addAfter(key, remainingMs);
        return;
      }
      const preconditions = { uid: job.metadata.uid ?? "" };
      try {
        await client.delete({ ...JOBS, ...objectKey(job) }, { propagationPolicy: "Foreground", preconditions });
      } catch (error) {
        if (!isNotFound(error) && !isConflict(error)) throw error;
      }
    },
  });
}
