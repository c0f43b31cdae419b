// A controller that reconciles requests without any work, beside controller-runtime: its source is a function, so no server takes part.
import { realClock } from "@kubescaffold/platform/clock";
import { createUnmanagedController, metrics, silentLogger, source } from "@kubescaffold/runtime";

import { compareWorkloads } from "./beside-go.mjs";

const COUNT = 10_000;

async function noop(requests) {
  const end = new AbortController();
  let remaining = requests.length;
  const reconciler = async () => {
    remaining -= 1;
    if (remaining === 0) end.abort();
  };
  const surroundings = { logger: silentLogger, clock: realClock, registry: metrics.registry };
  const controller = createUnmanagedController("bench", surroundings, { reconciler });
  await controller.watch(
    source.func(({ queue }) => {
      for (const request of requests) queue.add(request);
    }),
  );
  await controller.start(end.signal);
}

await compareWorkloads(import.meta.url, {
  noop: { count: COUNT, run: noop },
  "noop-long": { count: 50 * COUNT, run: noop },
});
