import { FakeClock } from "@kubescaffold/platform/clock";
import { describe, expect, it } from "vitest";

import { defaultRelease } from "../../../src/release/release.ts";
import { CRD_RESOURCE, type CrdObject } from "../../../src/resources/custom/crd-object.ts";
import { CustomResources } from "../../../src/resources/custom/custom-resources.ts";
import { Registry } from "../../../src/resources/registry.ts";
import { WatchRegistry } from "../../../src/resources/watch-registry.ts";
import { Store } from "../../../src/storage/store.ts";
import { fooCrd } from "../../support/test-server.ts";

const RETRY_MS = 1000;
const NAME = "foos.example.com";

type TrackStatus = () => void;

function start(loadStatusTracking: () => Promise<TrackStatus>) {
  const [clock, store, failures] = [new FakeClock(), new Store({ changes: 100, bytes: 1_000_000 }), [] as unknown[]];
  const resources = new CustomResources({
    store,
    registry: new Registry(defaultRelease, []),
    watches: new WatchRegistry(clock),
    clock,
    conversion: { callWebhook: undefined, newUid: () => "uid" },
    loadStatusTracking,
    reportDefect: (error) => failures.push(String(error)),
  });
  const crd = fooCrd() as CrdObject;
  store.write({ groupResource: CRD_RESOURCE, key: NAME, current: undefined }, { ...crd, status: {} });
  const conditions = () => {
    const stored = store.get(CRD_RESOURCE, { namespace: "", name: NAME }) as CrdObject;
    return (stored.status?.conditions ?? []).map(({ type }) => type);
  };
  return { clock, resources, failures, conditions };
}

describe("CustomResources", () => {
  it("retries definitions after what they need could not be loaded", async () => {
    let loads = 0;
    const { clock, resources, failures, conditions } = start(() =>
      (loads += 1) === 1 ? Promise.reject(new Error("not now")) : Promise.resolve(() => undefined),
    );
    await resources.idle();
    expect([conditions(), failures]).toEqual([[], ["Error: not now"]]);
    clock.step(RETRY_MS);
    await resources.idle();
    expect(conditions()).toEqual(["NamesAccepted", "Established"]);
    expect([loads, failures.length]).toEqual([2, 1]);
  });

  it("retries a definition whose step failed", async () => {
    let writes = 0;
    const { clock, resources, failures, conditions } = start(() =>
      Promise.resolve(() => {
        if ((writes += 1) === 1) throw new Error("broken");
      }),
    );
    await resources.idle();
    expect([conditions(), failures]).toEqual([[], ["Error: broken"]]);
    clock.step(RETRY_MS);
    await resources.idle();
    expect(conditions()).toEqual(["NamesAccepted", "Established"]);
  });

  it("retries nothing after it has stopped", async () => {
    let loads = 0;
    const { clock, resources } = start(() => {
      loads += 1;
      return Promise.reject(new Error("not now"));
    });
    await resources.idle();
    resources.stop();
    clock.step(RETRY_MS);
    await new Promise((resolve) => setImmediate(resolve));
    expect(loads).toBe(1);
  });
});
