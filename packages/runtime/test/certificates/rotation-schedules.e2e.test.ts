import { X509Certificate } from "node:crypto";

import fc from "fast-check";
import { afterEach, expect, it } from "vitest";

import { isValidAt, parseBundle } from "../../src/certificates/stored-certificates.ts";
import { createNamespace } from "../support/controller-on-server.ts";
import { serverForTests } from "../support/server-for-tests.ts";
import { DAY_MS, HOUR_MS, Installation, isTrustedBy, MINUTE_MS, type Replica } from "./certificates-on-server.ts";

const server = serverForTests();
let current: Installation | undefined;

afterEach(async () => await current?.stopAll());

const RUNS = Number(process.env["KUBESCAFFOLD_PROPERTY_RUNS"] ?? 15);
const PROPAGATION_MS = 30_000;

type Step =
  | { readonly kind: "advance" | "jump"; readonly durationMs: number }
  | { readonly kind: "start" | "stop" | "cut" | "heal"; readonly replica: number }
  | { readonly kind: "delete" }
  | { readonly kind: "damage"; readonly key: string };

const replica = fc.nat({ max: 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: advances("advance", [1000, 20_000, PROPAGATION_MS, 10 * MINUTE_MS, 70 * MINUTE_MS]) },
  { weight: 2, arbitrary: advances("jump", [31 * DAY_MS]) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom("start", "stop", "cut", "heal"), replica }) },
  { weight: 1, arbitrary: fc.constant({ kind: "delete" } as const) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("damage" as const),
      key: fc.constantFrom("ca.crt", "ca.key", "tls.crt", "tls.key"),
    }),
  },
);

function advances(kind: "advance" | "jump", durations: readonly number[]): fc.Arbitrary<Step> {
  return fc.record({ kind: fc.constant(kind), durationMs: fc.constantFrom(...durations) });
}

/** Three replicas, and the bundles that API servers may use: the present ones, and former ones for a while. */
class Schedule {
  readonly refused: string[] = [];
  readonly #installation: Installation;
  readonly #replicas: (Replica | undefined)[] = [undefined, undefined, undefined];
  readonly #cut = new Set<number>();
  readonly #bundles = new Map<string, { readonly text: string; readonly since: number }[]>();

  constructor(installation: Installation) {
    this.#installation = installation;
  }

  async run(each: Step): Promise<void> {
    const { clock } = this.#installation;
    if ("durationMs" in each) await clock[each.kind](each.durationMs);
    else if ("key" in each) await this.#installation.damage({ [each.key]: "damaged" });
    else if ("replica" in each) await this.#change(each.kind, each.replica);
    else await this.#deleteSecret();
    this.#checkAll(JSON.stringify(each));
  }

  /** Ends all faults; what is left must become sound without help. */
  async end(): Promise<void> {
    this.#cut.clear();
    await this.#change("start", 0);
    await this.#installation.clock.advance(3 * HOUR_MS);
    this.#checkAll("the end");
  }

  async #change(kind: "start" | "stop" | "cut" | "heal", index: number): Promise<void> {
    const present = this.#replicas[index];
    if (kind === "cut") this.#cut.add(index);
    if (kind === "heal") this.#cut.delete(index);
    if (kind === "stop" && present !== undefined) {
      this.#replicas[index] = undefined;
      await present.stop();
    }
    if (kind === "start" && present === undefined) this.#replicas[index] = this.#start(index);
  }

  #start(index: number): Replica {
    const started = this.#installation.start(async (request, send) => {
      if (this.#cut.has(index)) throw new TypeError("no route");
      const response = await send(request);
      if (request.method === "PATCH" && response.ok) this.#note(request.url, await response.clone().text());
      return response;
    });
    started.certificates.source.subscribe(() => this.#checkAll("a new certificate"));
    return started;
  }

  async #deleteSecret(): Promise<void> {
    const secret = await this.#installation.secret();
    if (secret !== undefined) await this.#installation.live.delete(secret);
  }

  #note(url: string, body: string): void {
    const { webhooks } = JSON.parse(body) as {
      readonly webhooks: readonly { readonly clientConfig: { readonly caBundle?: string } }[];
    };
    const text = Buffer.from(webhooks[0]?.clientConfig.caBundle ?? "", "base64").toString();
    const { pathname } = new URL(url);
    this.#bundles.set(pathname, [...(this.#bundles.get(pathname) ?? []), { text, since: this.#now() }]);
    this.#checkAll("a new bundle");
  }

  // The Service sends requests to replicas that are ready, and an API server may use each of these bundles.
  #checkAll(occasion: string): void {
    for (const [index, each] of this.#replicas.entries()) {
      const served = each?.isReady() === true ? each.served() : undefined;
      if (served === undefined) continue;
      const refusing = this.#bundlesInUse().filter((bundle) => !isTrustedBy(served, bundle));
      if (refusing.length > 0) this.refused.push(`replica ${String(index)} after ${occasion}`);
    }
  }

  #bundlesInUse(): readonly string[] {
    return [...this.#bundles.values()].flatMap((history) =>
      history
        .filter((_, index) => {
          const next = history[index + 1];
          return next === undefined || this.#now() - next.since < PROPAGATION_MS;
        })
        .map(({ text }) => text)
        // One whose authorities have ended accepts nothing anyway.
        .filter((text) => parseBundle(text).some((each) => isValidAt(each, this.#installation.clock.now()))),
    );
  }

  #now(): number {
    return this.#installation.clock.monotonic();
  }
}

it(
  "no schedule of starts, stops, partitions, damage, and time lets an API server refuse a replica that is ready",
  { timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const on = await createNamespace(server.config);
        const installation = new Installation(server.config, on, {
          lifetimeMs: 90 * DAY_MS,
          renewBeforeMs: 60 * DAY_MS,
          caLifetimeMs: 360 * DAY_MS,
          caRenewBeforeMs: 270 * DAY_MS,
        });
        current = installation;
        await installation.install();
        const schedule = new Schedule(installation);
        await schedule.run({ kind: "start", replica: 0 });
        await schedule.run({ kind: "start", replica: 1 });
        await schedule.run({ kind: "advance", durationMs: 1000 });
        for (const each of steps) await schedule.run(each);
        await schedule.end();
        expect(schedule.refused).toEqual([]);
        expect(installation.replicas.every((each) => each.isReady())).toBe(true);
        const data = await installation.data();
        const stored = new X509Certificate(data["tls.crt"] ?? "");
        expect(installation.replicas.map((each) => each.served()?.fingerprint256)).toEqual(
          installation.replicas.map(() => stored.fingerprint256),
        );
        expect((await installation.ownBundles()).every((bundle) => bundle === data["ca.crt"])).toBe(true);
        await installation.stopAll();
      }),
      { numRuns: RUNS },
    );
  },
);
