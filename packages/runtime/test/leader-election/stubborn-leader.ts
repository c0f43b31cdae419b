// Runs a manager whose only runnable writes for as long as the process runs, even after its signal has aborted.
import type { RestConfig } from "@kubescaffold/k8s";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";

import { silentLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";

const [, , configText = "{}", writer = "", timingText = "{}"] = process.argv;
const manager = await createManager(JSON.parse(configText) as RestConfig, {
  logger: silentLogger,
  metrics: { bindAddress: "0" },
  leaderElection: true,
  leaderElectionId: "stubborn",
  leaderElectionNamespace: "default",
  ...(JSON.parse(timingText) as object),
});
const recorder = manager.getEventRecorder("stubborn");
let written = 0;

async function writeOnce(): Promise<void> {
  const object = ConfigMap.create({
    metadata: { namespace: "default", generateName: `${writer}-`, labels: { writer } },
    data: { sentAt: String(Date.now()) },
  });
  try {
    const created = await manager.getClient().create(object);
    written += 1;
    recorder.event(created, { type: "Normal", reason: "Written", action: "Write", note: `number ${String(written)}` });
  } catch {
    // Goes on, as a reconciler does that handles no errors of its own.
  }
}

manager.add(async () => {
  for (;;) {
    await writeOnce();
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
});

const startedAt = Date.now();
try {
  await manager.start(new AbortController().signal);
} catch (error) {
  process.send?.({ code: (error as { code?: string }).code, endedAt: Date.now(), startedAt });
  // The runnable would go on for ever; give it the chance to show that its writes are refused.
  setTimeout(() => process.exit(1), 1000);
}
