/** The work queues, as `workqueue` of the package. */
export { createPriorityQueue } from "./priority-queue.ts";
export {
  isPriorityQueue,
  type AddOptions,
  type DelayingQueue,
  type PrioritizedItem,
  type PriorityQueue,
  type QueueOptions,
  type RateLimitingQueue,
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
  type RateLimiter,
} from "./rate-limiter.ts";
export {
  createDelayingQueue,
  createRateLimitingQueue,
  createWorkQueue,
  type RateLimitingQueueOptions,
} from "./rate-limiting-queue.ts";
