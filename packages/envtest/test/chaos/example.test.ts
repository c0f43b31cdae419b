import { Environment } from "@kubescaffold/envtest";
import { startChaos } from "@kubescaffold/envtest/chaos";
import { ConfigMap, Secret } from "@kubescaffold/k8s/core/v1";
import { controllerutil, createClient, createManager, newControllerManagedBy } from "@kubescaffold/runtime";
import { afterAll, expect, it } from "vitest";

const environment = new Environment();
afterAll(() => environment.stop());

it("keeps a Secret for every ConfigMap, in spite of faults", async () => {
  const config = await environment.start();
  const client = createClient(config); // without faults
  const chaos = await startChaos({ target: config, seed: 7, speed: 20 });
  chaos.pause(); // a manager whose start fails exits, as it should

  const mgr = await createManager(chaos.restConfig, { clock: chaos.clock, metrics: { bindAddress: "0" } });
  await newControllerManagedBy(mgr)
    .for(ConfigMap)
    .complete(async (key) => {
      const { data } = await mgr.getClient().get(ConfigMap, key);
      const secret = Secret.create({ metadata: { ...key } });
      const value = Buffer.from(data?.["value"] ?? "").toString("base64");
      await controllerutil.createOrUpdate(mgr.getClient(), secret, (current) => ({ ...current, data: { value } }));
    });
  const stopping = new AbortController();
  const running = mgr.start(stopping.signal);
  await mgr.elected;

  chaos.resume();
  const script = chaos.script([{ fault: "dropResponse", match: { verb: "create", resource: "secrets" }, times: 2 }]);
  for (const name of ["one", "two", "three"]) {
    await client.create(ConfigMap.create({ metadata: { namespace: "default", name }, data: { value: name } }));
  }
  await script.injected;
  await chaos.heal();

  const names = async (): Promise<readonly (string | undefined)[]> =>
    (await client.list(Secret, { namespace: "default" })).items.map(({ metadata }) => metadata.name);
  await expect.poll(names, { timeout: 10_000 }).toEqual(expect.arrayContaining(["one", "two", "three"]));

  stopping.abort();
  await running;
  await chaos.stop();
});
