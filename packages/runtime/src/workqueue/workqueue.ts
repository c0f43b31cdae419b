/** The work queues, as `workqueue` of the package. */
export { type ParallelizeOptions, parallelizeUntil } from "./parallelize.ts";
export { createPriorityQueue } from "./priority-queue.ts";
export {
  isPriorityQueue,
  type AddOptions,
  type DelayingQueue,
  type PrioritizedItem,
  type PriorityQueue,
  type QueueOptions,
  type RateLimiter,
  type RateLimitingQueue,
  type RateLimitingQueueOptions,
  type WorkQueue,
} from "./queue.ts";
export {
  bucketRateLimiter,
  defaultRateLimiter,
  itemExponentialFailureRateLimiter,
  itemFastSlowRateLimiter,
  maxOfRateLimiter,
  withMaxWaitRateLimiter,
  type BucketOptions,
  type ExponentialOptions,
  type FastSlowOptions,
} from "./rate-limiter.ts";
export { createDelayingQueue, createRateLimitingQueue, createWorkQueue } from "./rate-limiting-queue.ts";
