import { describe, expect, it } from "vitest";

import { latePromisesOf, unnamedHandlersOf } from "./late-promises.ts";
import { listFiles, listSources } from "./source-files.ts";

// A rejection of these would be a bug, which must end the process: each reports the errors of its work itself.
const REVIEWED: Readonly<Record<string, string>> = {
  "src/cli/generating/watch-sources.ts: this.#running": "a run after a change prints its errors",
  "src/cli/programs/run-program.ts: child": "execa resolves with the failure, since `reject` is false",
  "packages/apiserver/src/audit/audit-webhook.ts: delivery": "a delivery reports events that are lost",
  "packages/apiserver/src/controllers/keyed-worker.ts: this.#running": "the worker retries a key that fails",
  "packages/apiserver/src/storage/persistence/persistent-state.ts: this.#compaction":
    "a compaction reports its failure",
  "packages/runtime/src/cache/informer-cache.ts: this.#running": "informers report their errors and retry",
  "packages/runtime/src/cache/shared-informer.ts: this.#running": "a listener logs the errors of its handler",
  "packages/runtime/src/client/read-your-writes.ts: this.#changed": "nothing rejects it",
  "packages/runtime/src/manager/runnable-groups.ts: this.#run(member)": "a group passes the errors of a member on",
  "packages/runtime/src/multi-cluster/secret-provider.ts: this.#applyAll(name, signal).finally(() => this.#busy.delete(name))":
    "errors of a Secret are logged",
  "packages/runtime/src/recorder/event-broadcaster.ts: job": "errors of a write are logged",
  "bench/soak/objects.mjs: write": "a failed write ends the measurement",
};

const SCRIPTS = ["scripts", "bench", "site", "examples"]
  .flatMap((folder) => listFiles(folder))
  .filter((file) => /\.(?:mjs|ts)$/u.test(file) && !/\.d\.ts$|\.test\.ts$/u.test(file));

describe("promises", () => {
  it("guarantee 26: have a handler from their creation, also if they are awaited later", () => {
    const found = [...listSources(), ...SCRIPTS].flatMap((file) => latePromisesOf(file));
    const withoutLine = (place: string): string => place.replace(/:\d+:/u, ":");
    expect(found.filter((place) => REVIEWED[withoutLine(place)] === undefined)).toEqual([]);
    expect(Object.keys(REVIEWED).filter((place) => !found.map(withoutLine).includes(place))).toEqual([]);
  });

  it("are marked with `handledLater`, also in tests", () => {
    const tests = ["bin", "src", "plugins", "packages", "test", "examples"]
      .flatMap((folder) => listFiles(folder))
      .filter((file) => /\.(?:ts|tsx)$/u.test(file) && !file.endsWith(".d.ts"));
    const files = new Set([...listSources(), ...SCRIPTS, ...tests]);
    files.delete("packages/platform/src/handled-later.ts");
    expect([...files].flatMap((file) => unnamedHandlersOf(file))).toEqual([]);
  });

  it.each([
    ["late.catch(() => undefined);", 1],
    ["void late.catch(() => {});", 1],
    ["this.#late.catch(() => undefined);", 1],
    ["if (isLate) late.catch(() => undefined);", 1],
    ["late.catch(() => all.delete(late));", 0],
    ["send().catch(() => undefined);", 0],
    ["const settled = late.catch(() => undefined);", 0],
    ["await late.catch(() => undefined);", 0],
  ])("have an unnamed handler: %s", (statement, count) => {
    expect(unnamedHandlersOf("a.ts", `class A { async f() { ${statement} } }`)).toHaveLength(count);
  });

  it.each([
    ["a variable", "const late = start(); await other(); await late;"],
    ["a variable that is joined", "const late = start(); await other(); await Promise.all([late, third()]);"],
    ["an array", "const late = names.map(start); await other(); await Promise.all(late);"],
    ["the second of two variables", "const first = start(); const late = start(); await first; await late;"],
    ["a variable of a failing check", "const late = start(); if (isWrong) throw new Error(); await late;"],
    ["a variable for another function", "const late = start(); return async () => { await late; };"],
    ["a handler that throws", "const late = start().catch((error) => { throw error; }); await other(); await late;"],
    ["a loop", "const late = start(); for await (const each of all) use(each); await late;"],
    ["a field", "this.late = start(); }\nasync stop() { await this.late;"],
    ["a field with a default", "this.#late ??= start(); }\nasync stop() { await this.#late;"],
    ["a member of a set", "const all = new Set(); all.add(start(late)); await other(); await Promise.all(all);"],
    ["a value of a map", "this.all.set(late, start(late)); }\nasync stop() { await Promise.all(this.all.values());"],
  ])("are found without a handler: %s", (_, body) => {
    expect(latePromisesOf("a.ts", `class A { async f() { ${body} } }`).join()).toMatch(/late/u);
  });

  it.each([
    ["awaited at once", "const early = start(); await early;"],
    ["returned", "const early = start(); return early;"],
    ["marked", "const early = handledLater(start()); await other(); await early;"],
    ["with a handler", "const early = start().catch(() => undefined); await other(); await early;"],
    ["with a handler before the next await", "const early = start(); early.catch(note); await other(); await early;"],
    ["after a check of itself", "const early = start(); if (early === undefined) return; await early;"],
    ["settled", "const early = Promise.allSettled(all); await other(); await early;"],
    ["no promise", "const early = count(); await other(); return early;"],
    [
      "with a handler before the end",
      "this.early = start().catch(note).finally(end); }\nasync stop() { await this.early;",
    ],
  ])("are not found: %s", (_, body) => {
    expect(latePromisesOf("a.ts", `class A { async f() { ${body} } }`)).toEqual([]);
  });
});
