// The workqueues with a million requests, beside controller-runtime's priority queue and client-go's workqueue.
import { workqueue } from "@kubescaffold/runtime";

import { compareWorkloads } from "./beside-go.mjs";

const COUNT = 1_000_000;

const createPriority = () => workqueue.createPriorityQueue({ name: "bench" });
const createPlain = () => workqueue.createRateLimitingQueue({ name: "bench" });

async function fill(queue, requests) {
  for (const request of requests) queue.add(request);
  for (let taken = 0; taken < requests.length; taken += 1) queue.done(await queue.get());
}

async function steady(queue, requests) {
  for (const request of requests) {
    queue.add(request);
    queue.done(await queue.get());
  }
}

await compareWorkloads(import.meta.url, {
  "priority-fill": { count: COUNT, run: (requests) => fill(createPriority(), requests) },
  "priority-steady": { count: COUNT, run: (requests) => steady(createPriority(), requests) },
  "plain-fill": { count: COUNT, run: (requests) => fill(createPlain(), requests) },
  "plain-steady": { count: COUNT, run: (requests) => steady(createPlain(), requests) },
});
