import { sendHostileValues } from "./send-hostile-values.ts";

const TYPED = "reads fields of a built-in kind, and metadata";

sendHostileValues("packages/cluster/src", {
  calls: {
    "controllers/garbage-collector/ownership-graph.ts nodeOf": ({ object }) => [{ group: "", resource: "a" }, object],
  },
  others: {
    "controllers/workload/controller-revisions.ts adoptRevisions": TYPED,
    "controllers/workload/controller-revisions.ts createRevision": TYPED,
    "controllers/workload/controller-revisions.ts revisionsOf": TYPED,
    "controllers/workload/workload-objects.ts ownedBy": TYPED,
  },
});
