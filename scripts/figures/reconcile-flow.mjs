// Watch event → reconcile: from the change of an object on the server to the call of the reconciler, as far as the runtime is concerned.
import { createApiServer } from "@kubescaffold/apiserver";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { handledLater } from "@kubescaffold/platform";
import { createManager, silentLogger, newControllerManagedBy } from "@kubescaffold/runtime";

import { CallCounter, filesOf } from "./called-files.mjs";

const GROUP_RESOURCE = { group: "", resource: "configmaps" };
const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

/** Returns the files that an event passes through. */
export async function reconcileFlow() {
  const server = createApiServer();
  const manager = await createManager(server.restConfig(), {
    logger: silentLogger,
    metrics: { bindAddress: "0" },
    healthProbeBindAddress: "0",
  });
  const counter = new CallCounter();
  const calls = new Calls();
  await newControllerManagedBy(manager)
    .for(ConfigMap)
    .complete(async () => calls.add());
  const stop = new AbortController();
  const running = handledLater(manager.start(stop.signal));
  // What happens once for each controller does not count.
  for (const data of ["1", "2"]) {
    await write(server, data);
    await calls.next();
  }
  // After 10 ms of work, a worker waits for the next turn of the event loop before it waits for a request.
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  let files;
  calls.onCall = () => {
    files = counter.stop();
  };
  const stopObserving = server.context.objects.observe(GROUP_RESOURCE, () => {
    stopObserving();
    counter.start();
  });
  await write(server, "3");
  await calls.next();
  stop.abort();
  await running;
  await server.close();
  return filesOf(files, ["packages/runtime/", "packages/schema/", "packages/k8s/", "packages/platform/"]);
}

/** Calls of a reconciler, each taken once. */
class Calls {
  onCall = () => undefined;
  #count = 0;
  #waiting;

  add() {
    this.onCall();
    this.#count += 1;
    this.#waiting?.();
  }

  async next() {
    while (this.#count === 0) await new Promise((resolve) => (this.#waiting = resolve));
    this.#count -= 1;
  }
}

async function write(server, value) {
  const isFirst = value === "1";
  const answer = await server.handle(
    new Request(`http://server.test${CONFIG_MAPS}${isFirst ? "" : "/one"}`, {
      method: isFirst ? "POST" : "PATCH",
      headers: { "Content-Type": isFirst ? "application/json" : "application/merge-patch+json" },
      body: JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "one" }, data: { value } }),
    }),
  );
  if (!answer.ok) throw new Error(`cannot write the object: ${await answer.text()}`);
}
