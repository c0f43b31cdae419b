import type { X509Certificate } from "node:crypto";

import { afterEach, describe, expect, it } from "vitest";

import { serverForTests } from "../support/server-for-tests.ts";
import { HOUR_MS, type Interceptor, Installation, isTrustedBy, MINUTE_MS } from "./certificates-on-server.ts";

const server = serverForTests();
const TEST = { timeout: 300_000 };
let current: Installation | undefined;

afterEach(async () => await current?.stopAll());

const WRITES: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/** Lets a replica die at its nth write: before it is sent, or before the answer arrives. All its later requests fail. */
function dyingAt(
  nth: number,
  side: "before" | "after",
): { readonly intercept: Interceptor; readonly hasDied: () => boolean } {
  let writes = 0;
  let hasDied = false;
  const die = (): never => {
    hasDied = true;
    throw new TypeError("the process was killed");
  };
  return {
    hasDied: () => hasDied,
    intercept: async (request, send) => {
      if (hasDied) return die();
      if (!WRITES.has(request.method)) return await send(request);
      writes += 1;
      if (writes !== nth) return await send(request);
      if (side === "after") await send(request);
      return die();
    },
  };
}

// Making writes the Secret and two bundles. Replacing writes the Secret and two bundles to introduce an authority, the Secret to let it sign, and the Secret and
// two bundles to remove the old one.
const MAKING = [1, 2, 3];
const REPLACING = [4, 5, 6, 7, 8, 9, 10];
const SIDES = ["before", "after"] as const;
const CASES = [...MAKING, ...REPLACING].flatMap((nth) => SIDES.map((side) => [side, nth] as const));

describe("a replica that dies at a write", () => {
  it.each(CASES)("%s write %i leaves a state from which another one continues", TEST, async (side, nth) => {
    current = new Installation(server.config, server.on);
    const installation = await current.install();
    const { intercept, hasDied } = dyingAt(nth, side);
    const dying = installation.start(intercept);
    await installation.clock.advance(5000);
    const isReplacing = nth > MAKING.length;
    expect(dying.isReady()).toBe(isReplacing);
    if (isReplacing) {
      await orderAuthority(installation);
      await installation.clock.advance(2 * HOUR_MS);
    }
    expect(hasDied()).toBe(true);
    const abandoned = dying.served();
    await dying.stop();
    // The one that was killed may be served by a replica that is cut off: its bundle stays for as long as that is ready.
    const next = installation.start();
    await installation.settle();
    expect(next.isReady()).toBe(true);
    await expectTrusted(installation, next.served());
    const canBeServed = nth > 1 && nth < 8 && abandoned !== undefined;
    const bundles = canBeServed ? await installation.ownBundles() : [];
    expect(bundles.every((each) => abandoned !== undefined && isTrustedBy(abandoned, each))).toBe(true);
    await installation.clock.advance(2 * HOUR_MS + MINUTE_MS);
    await expectTrusted(installation, next.served());
    const bundle = (await installation.data())["ca.crt"];
    expect((await installation.ownBundles()).every((each) => each === bundle)).toBe(true);
    expect(await installation.authorities()).toHaveLength(1);
  });
});

/** Ends the authority early, in place, as when it is due: its key is lost. */
async function orderAuthority(installation: Installation): Promise<void> {
  await installation.damage({ "ca.key": "lost" });
}

async function expectTrusted(installation: Installation, served: X509Certificate | undefined): Promise<void> {
  const bundles = await installation.ownBundles();
  expect(bundles).toHaveLength(4);
  expect(served !== undefined && bundles.every((bundle) => isTrustedBy(served, bundle))).toBe(true);
}
