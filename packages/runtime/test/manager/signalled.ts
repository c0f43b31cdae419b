import { silentLogger } from "../../src/log/logger.ts";
// Runs a manager with one runnable that goes on after the first signal: until it is asked to end, or forever.
import { createManager } from "../../src/manager/create-manager.ts";
import { setupSignalHandler } from "../../src/manager/signal-handler.ts";

const manager = await createManager(
  { server: "http://127.0.0.1:9" },
  { logger: silentLogger, metrics: { bindAddress: "0" }, gracefulShutdownTimeoutMs: -1 },
);
manager.add(async (signal) => {
  const told = new Promise<void>((resolve) => {
    process.on("message", () => resolve());
  });
  process.send?.("running");
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve());
  });
  process.send?.("stopping");
  await told;
});
await manager.start(setupSignalHandler());
process.send?.("stopped");
process.disconnect();
