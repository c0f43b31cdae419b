import { writeFileSync } from "node:fs";

import type { RestConfig } from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema";
import { expect, it, onTestFinished } from "vitest";

import { createServerOf } from "../../../apiserver/src/server/create-api-server.ts";
import { Environment } from "../../src/environment/environment.ts";
import { pathOf } from "../conformance/kinds.ts";
import { prepareTarget } from "../conformance/prepare-target.ts";
import { selectedRelease } from "../conformance/selected-release.ts";
import type { ConformanceTarget } from "../conformance/target.ts";
import { KINDS, lastObjectOf, randomOperations, type Operation } from "./random-operations.ts";
import { ServerSession } from "./server-session.ts";

// Without a number of operations, no real control plane is started: `npm run differential` states both.
const OPERATIONS = Number(process.env["DIFFERENTIAL_OPERATIONS"] ?? 0);
const SEED = Number(process.env["DIFFERENTIAL_SEED"] ?? 1);
const EPISODE = 400;
// Episodes have a namespace each, and the real server mostly waits for etcd.
const AT_ONCE = 8;
const MOST = 10;
const TIMEOUT_MS = 24 * 60 * 60 * 1000;

// Neither server has controllers: they would write whenever they come to it.
async function startEmbedded(): Promise<RestConfig> {
  const server = createServerOf(selectedRelease());
  onTestFinished(() => server.close());
  return { server: "http://in.process", transport: (request) => server.handle(request) };
}

async function startReal(): Promise<RestConfig> {
  const environment = new Environment({ backend: "binaries", controllers: false, startTimeoutMs: 120_000 });
  onTestFinished(() => environment.stop());
  return await environment.start();
}

async function prepared(kind: ConformanceTarget["kind"], admin: RestConfig): Promise<RestConfig> {
  const nothing = (): Promise<void> => Promise.resolve();
  await prepareTarget({ kind, admin, features: new Set(), user: () => Promise.resolve(admin), stop: nothing });
  return admin;
}

function take(count: number, seed: number): readonly Operation[] {
  const operations: Operation[] = [];
  const generated = randomOperations(seed, "differential");
  while (operations.length < count) operations.push(generated.next().value);
  return operations;
}

it("operations are the same for the same seed, and of all methods", () => {
  const operations = take(500, 1);
  expect(take(500, 1)).toEqual(operations);
  expect(take(500, 2)).not.toEqual(operations);
  expect([...new Set(operations.map(({ method }) => method))].toSorted()).toEqual([
    "DELETE",
    "GET",
    "PATCH",
    "POST",
    "PUT",
  ]);
});

// One run, or none where no real control plane is to be started.
const RUNS = OPERATIONS > 0 ? [{ operations: OPERATIONS, seed: SEED }] : [];

it.each(RUNS)(
  "both servers answer $operations operations from seed $seed on the same, with the same events",
  { timeout: TIMEOUT_MS },
  async ({ operations, seed: first }) => {
    const ours = await prepared("embedded", await startEmbedded());
    const real = await prepared("real", await startReal());
    const differences: Difference[] = [];
    const waiting = episodesOf(first, operations);
    const runEpisodes = async (): Promise<void> => {
      while (differences.length < MOST) {
        const episode = waiting.shift();
        if (episode === undefined) return;
        const found = await differenceOf(ours, real, episode);
        if (found !== undefined) differences.push(found);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, runEpisodes));
    const output = process.env["DIFFERENTIAL_OUTPUT"];
    if (output !== undefined) writeFileSync(output, JSON.stringify(differences, undefined, 1));
    expect(differences.map(({ embedded }) => embedded)).toEqual(differences.map(({ kubernetes }) => kubernetes));
  },
);

interface Episode {
  readonly seed: number;
  readonly count: number;
}

function episodesOf(first: number, operations: number): Episode[] {
  return Array.from({ length: Math.ceil(operations / EPISODE) }, (_, index) => ({
    seed: first + index,
    count: Math.min(EPISODE, operations - index * EPISODE),
  }));
}

interface Difference {
  readonly embedded: unknown;
  readonly kubernetes: unknown;
}

// Where the machine is busy, etcd does not answer in time.
const MOST_ATTEMPTS = 3;

function isTimeout(outcome: unknown): boolean {
  const { status, body } = outcome as { readonly status: number; readonly body: { readonly reason?: string } };
  return status === 504 && body.reason === "Timeout";
}

// States of servers that have answered differently have nothing more in common.
async function differenceOf(
  embedded: RestConfig,
  kubernetes: RestConfig,
  { seed, count }: Episode,
  attempt = 1,
): Promise<Difference | undefined> {
  const namespace = `differential-${String(seed)}${attempt === 1 ? "" : `-${String(attempt)}`}`;
  const [ours, real] = [new ServerSession(embedded, namespace), new ServerSession(kubernetes, namespace)];
  await Promise.all([ours.start(), real.start()]);
  await Promise.all([ours.watch(), real.watch()]);
  const operations = randomOperations(seed, namespace);
  const sent = Array.from({ length: count }, () => operations.next().value);
  for (const [index, operation] of [...sent, ...KINDS.map((kind) => lastOf(kind, namespace))].entries()) {
    const [outcome, expected] = await Promise.all([ours.outcomeOf(operation), real.outcomeOf(operation)]);
    if (!deepEqual(outcome, expected)) {
      await Promise.all([ours.stop(), real.stop()]);
      if (isTimeout(expected) && attempt < MOST_ATTEMPTS)
        return await differenceOf(embedded, kubernetes, { seed, count }, attempt + 1);
      const place = { seed, index, operation };
      return { embedded: { ...place, outcome }, kubernetes: { ...place, outcome: expected } };
    }
  }
  const [events, expected] = await Promise.all([ours.events(), real.events()]);
  return deepEqual(events, expected)
    ? undefined
    : { embedded: { seed, events }, kubernetes: { seed, events: expected } };
}

function lastOf(kind: (typeof KINDS)[number], namespace: string): Operation {
  return { method: "POST", path: pathOf(kind, namespace), body: lastObjectOf(kind), userAgent: "last" };
}
