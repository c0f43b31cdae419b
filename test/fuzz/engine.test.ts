import { transformSync } from "esbuild";
import { describe, expect, it } from "vitest";

import { checkInput } from "./engine/check-input.ts";
import { createCorpus } from "./engine/corpus.ts";
import { COUNTERS } from "./engine/counters.ts";
import { type FuzzTarget, Violation } from "./engine/fuzz-target.ts";
import { instrument } from "./engine/instrument.ts";
import { minimize } from "./engine/minimize.ts";
import { mutateJson } from "./engine/mutate-json.ts";
import { LONGEST_INPUT, mutateText } from "./engine/mutate-text.ts";
import { createRandom } from "./engine/random.ts";

const CODE = `
function classify(text: string, odd?: boolean): string {
  if (text === "") return "empty"; else if (text.startsWith("a")) return odd ? "odd" : "a" + [1, 2].map((n) => n * 2).join();
  for (const char of text) if (char === "z") { return "z"; } else continue;
  switch (text.length) { case 1: return "one"; default: return (text.length > 3 && "long") || (odd ?? "short") as string; }
}
return classify;`;

/** Builds the code with counters. */
function instrumented(hits: Uint8Array, code: string): (text: string, odd?: boolean) => string {
  let counters = 0;
  const counted = instrument(`export const f = () => {${code}};`, "f.ts", () => counters++);
  Object.assign(globalThis, { [COUNTERS]: hits });
  const { code: script } = transformSync(counted, { loader: "ts", format: "cjs" });
  const module = { exports: {} as { f: () => (text: string, odd?: boolean) => string } };
  // oxlint-disable-next-line typescript/no-implied-eval -- the code is above
  new Function("module", "exports", script)(module, module.exports);
  return module.exports.f();
}

function targetOf(run: (input: string) => void): FuzzTarget {
  return { name: "test", kind: "text", seeds: [], dictionary: [], run };
}

describe("instrumented code", () => {
  it("returns what the code returned, and counts its branches", () => {
    const hits = new Uint8Array(100);
    const classify = instrumented(hits, CODE);
    const answers = ["", "a", "z", "b", "bb", "bbbb"].map((text) => classify(text));
    expect(answers).toEqual(["empty", "a2,4", "z", "one", "short", "long"]);
    expect(classify("a", true)).toBe("odd");
    expect(hits.filter((count) => count > 0).length).toBeGreaterThan(12);
  });
});

describe("fuzzing with coverage", () => {
  it("finds its way through conditions that chance does not meet at once", async () => {
    const hits = new Uint8Array(100);
    const reader = instrumented(
      hits,
      'return (text) => { if (text[0] === "[") { if (text[1] === "{") { if (text[2] === "!") { if (text[3] === "(") return "found"; } } } return "not"; };',
    );
    const random = createRandom(1);
    const corpus = createCorpus(hits.length);
    const target = targetOf((input) => {
      if (reader(input) === "found") throw new Violation("found");
    });
    let found: string | undefined;
    for (let count = 0; count < 200_000 && found === undefined; count++) {
      const input = mutateText(corpus.choose(random) ?? "", { dictionary: [], other: "", random });
      hits.fill(0);
      if ((await checkInput(target, input)) === undefined) corpus.consider(input, hits);
      else found = input;
    }
    expect(found?.slice(0, 4)).toBe("[{!(");
  });
});

describe("a finding", () => {
  it.each([
    ["an error without a code", () => JSON.parse("{"), "SyntaxError"],
    ["a stack overflow", () => overflow(), "RangeError: Maximum call stack"],
    ["an error of Node", () => new URL("x"), "TypeError"],
    ["a changed prototype", () => Object.assign(Object.prototype, { polluted: true }), "pollution"],
  ])("is %s", async (_, run, signature) => {
    const finding = await checkInput(targetOf(run), "");
    delete (Object.prototype as { polluted?: boolean }).polluted;
    expect(finding?.signature).toContain(signature);
  });

  it("is no error with a code of ours", async () => {
    const refuse = (): never => {
      throw Object.assign(new Error("no"), { code: "YAML_INVALID" });
    };
    expect(await checkInput(targetOf(refuse), "")).toBeUndefined();
  });

  it("is made as short as it can be", async () => {
    const fails = (input: string): Promise<boolean> => Promise.resolve(input.includes("b"));
    expect(await minimize("abc", "text", fails)).toBe("b");
    expect(await minimize('{"a":[1,{"x":"abc"},2],"c":3}', "json", fails)).toBe('"b"');
  });
});

describe("mutations", () => {
  it("are the same for the same seed, and not too long", () => {
    const run = (): readonly string[] => {
      const random = createRandom(5);
      const material = { dictionary: ["key"], other: '{"b":[1]}', random };
      return Array.from({ length: 500 }, (_, index) =>
        (index % 2 === 0 ? mutateText : mutateJson)('{"a":{"b":[1,"x"]}}', material),
      );
    };
    const mutations = run();
    expect(run()).toEqual(mutations);
    expect(new Set(mutations).size).toBeGreaterThan(400);
    expect(Math.max(...mutations.map((text) => text.length))).toBeLessThanOrEqual(LONGEST_INPUT);
  });
});

function overflow(): number {
  return overflow() + 1;
}
