import path from "node:path";
import { pathToFileURL } from "node:url";

import { beforeAll, expect, it } from "vitest";

import { ROOT } from "../architecture/source-files.ts";

interface Import {
  readonly path: string;
  readonly kind: "import-statement" | "require-call" | "dynamic-import";
  readonly external?: boolean;
}

interface Split {
  readonly first: ReadonlySet<string>;
  readonly shared: readonly string[];
  readonly entries: readonly string[];
}

interface SplitProgram {
  readonly splitModules: (
    metafile: { readonly inputs: Readonly<Record<string, { readonly imports: readonly Import[] }>> },
    options: { readonly entry: string; readonly started: readonly string[] },
  ) => Split;
}

let splitModules: SplitProgram["splitModules"];

beforeAll(async () => {
  const script = pathToFileURL(path.join(ROOT, "scripts", "split-program.mjs")).href;
  ({ splitModules } = (await import(script)) as SplitProgram);
});

const imports = (name: string): Import => ({ path: name, kind: "import-statement" });
const importsLater = (name: string): Import => ({ path: name, kind: "dynamic-import" });

// Makes a record of esbuild: each module with its imports.
function metafileOf(modules: Readonly<Record<string, readonly Import[]>>): Parameters<typeof splitModules>[0] {
  return { inputs: Object.fromEntries(Object.entries(modules).map(([name, list]) => [name, { imports: list }])) };
}

const PROGRAM = {
  main: [imports("errors"), importsLater("init"), importsLater("gen")],
  init: [imports("disk"), importsLater("gen")],
  gen: [imports("errors"), imports("disk"), imports("schema"), importsLater("dev")],
  dev: [imports("schema"), imports("outside:server")],
  disk: [imports("errors"), { path: "node:fs", kind: "import-statement", external: true } as const],
  errors: [],
  schema: [],
  "outside:server": [],
};

it("what starts is in the first script, with all that it imports; what both import is shared", () => {
  const { first, shared, entries } = splitModules(metafileOf(PROGRAM), { entry: "main", started: ["init"] });
  expect([...first].toSorted()).toEqual(["disk", "errors", "init", "main"]);
  expect([shared, entries]).toEqual([["disk", "errors"], ["gen"]]);
});

it("what the second script imports later is in it already", () => {
  const { entries } = splitModules(metafileOf(PROGRAM), { entry: "main", started: [] });
  expect(entries).toEqual(["gen", "init"]);
});

it("what starts must exist", () => {
  const metafile = metafileOf(PROGRAM);
  expect(() => splitModules(metafile, { entry: "main", started: ["init", "removed"] })).toThrow(
    "the program does not import removed",
  );
});

it("modules are shared whenever a module of the second script imports one of the first", () => {
  const names = Array.from({ length: 30 }, (_, index) => `m${String(index)}`);
  const random = (
    (state: number) => () =>
      (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
  )(7);
  for (let round = 0; round < 200; round += 1) {
    const modules = Object.fromEntries(
      names.map((name) => [
        name,
        names.filter(() => random() < 0.08).map((each) => (random() < 0.4 ? importsLater(each) : imports(each))),
      ]),
    );
    const { first, shared, entries } = splitModules(metafileOf(modules), { entry: "m0", started: [] });
    const isFair = (name: string, each: Import): boolean =>
      first.has(name) === first.has(each.path) ||
      (first.has(name) ? each.kind === "dynamic-import" && entries.includes(each.path) : shared.includes(each.path));
    const unfair = Object.entries(modules).flatMap(([name, list]) => list.filter((each) => !isFair(name, each)));
    expect(unfair).toEqual([]);
  }
});
