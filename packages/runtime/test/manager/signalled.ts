// Runs a manager with work that goes on after the first signal: a runnable until it is asked to end, or, with the config of a server, a reconcile forever.
import type { RestConfig } from "@kubescaffold/k8s";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";

import { newControllerManagedBy } from "../../src/builder/controller-builder.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";
import { setupSignalHandler } from "../../src/manager/signal-handler.ts";

const { SIGNALLED_CONFIG: given, SIGNALLED_NAMESPACE: namespace = "default" } = process.env;
const config = (given === undefined ? { server: "http://127.0.0.1:9" } : JSON.parse(given)) as RestConfig;

const manager = await createManager(config, {
  logger: silentLogger,
  metrics: { bindAddress: "0" },
  gracefulShutdownTimeoutMs: -1,
  cache: { defaultNamespaces: { [namespace]: { labelSelector: "tested" } } },
});

async function tell(signal: AbortSignal): Promise<void> {
  process.send?.("running");
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve());
  });
  process.send?.("stopping");
}

if (given === undefined) {
  manager.add(async (signal) => {
    const told = new Promise<void>((resolve) => {
      process.on("message", () => resolve());
    });
    await tell(signal);
    await told;
  });
} else {
  await newControllerManagedBy(manager)
    .for(ConfigMap)
    .complete(async (_key, { signal }) => {
      await tell(signal);
      await new Promise(() => undefined);
    });
}
await manager.start(setupSignalHandler());
process.send?.("stopped");
process.disconnect();
