/** The handlers, as `handler` of the package: they turn events into requests. */
export { enqueueRequestForObject } from "./enqueue-request-for-object.ts";
export { enqueueRequestForOwner, type OwnerOptions } from "./enqueue-request-for-owner.ts";
export { enqueueRequestsFromMapFunc, type MapFunction } from "./enqueue-requests-from-map-func.ts";
export { funcs, LOW_PRIORITY } from "./event-handler.ts";
export { withLowPriorityWhenUnchanged } from "./low-priority.ts";
