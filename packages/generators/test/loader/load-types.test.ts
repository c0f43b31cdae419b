import { describe, expect, it } from "vitest";

import { loadTypes } from "../../src/loader/load-types.ts";
import { nameKey, type Declaration, type TypeModel } from "../../src/loader/type-model.ts";
import { memoryHost } from "../support/memory-host.ts";

const KIND_IMPORT = 'import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";\n';

describe("the loader", () => {
  it("makes a model that is plain data", () => {
    const model = load({
      "api/v1/a.ts": `${KIND_IMPORT}export interface A extends KubernetesObject { spec: { x: string }; }`,
    });
    const declarations = [...model.declarations.values()];
    expect(structuredClone(declarations)).toEqual(declarations);
    expect(model.packages.map(({ directory, name, kinds }) => ({ directory, name, kinds }))).toEqual([
      { directory: "api/v1", name: "v1", kinds: ["api/v1/a.ts#A"] },
    ]);
  });

  it("looks up names through imports, re-exports, namespaces and import types", () => {
    const model = load({
      "api/v1/a.ts": `${KIND_IMPORT}import type { X as Y } from "../../lib/index.ts";
import * as lib from "../../lib/index.js";
export interface A extends KubernetesObject { y: Y; z: lib.Z; w: import("../../lib/deep").W; }`,
      "lib/index.ts": 'export * from "./deep.ts"; export { Inner as X } from "./deep.ts";',
      "lib/deep.ts": "export interface Inner { a: string } export type Z = string; type W = string; export { W };",
    });
    const targets = ["Y", "lib.Z", 'import("../../lib/deep").W'].map((name) =>
      model.names.get(nameKey("api/v1/a.ts", name)),
    );
    expect(targets).toEqual(["Inner", "Z", "W"].map((name) => ({ kind: "declaration", id: `lib/deep.ts#${name}` })));
  });

  it.each([
    ["an interface", "export default interface Foo { a: string }"],
    ["a class", "export default class Foo { a!: string }"],
    ["a statement", "interface Foo { a: string }\nexport default Foo;"],
    ["a statement before the type", "export default Foo;\ntype Foo = string;"],
    ["a clause", "interface Foo { a: string }\nexport { Foo as default };"],
    ["a type that is exported by its name, too", "export interface Foo { a: string }\nexport default Foo;"],
    ["a type of another file", 'export { Foo as default } from "./foo2.ts";'],
    ["the default of another file", 'export { default } from "./default.ts";'],
    ["an import", 'import type { Foo } from "./foo2.ts";\nexport default Foo;'],
  ])("looks up what a module exports as its default: %s", (_, foo) => {
    const uses = [
      'import Foo from "./foo.ts";',
      'import { default as Foo } from "./foo.ts";',
      'import type Foo from "./foo";',
    ];
    for (const use of uses) {
      const target = load({
        "api/v1/a.ts": `${KIND_IMPORT}${use}\nexport interface A extends KubernetesObject { foo: Foo }`,
        "api/v1/foo.ts": foo,
        "api/v1/foo2.ts": "export interface Foo { b: string }",
        "api/v1/default.ts": "export default interface Foo { c: string }",
      }).names.get(nameKey("api/v1/a.ts", "Foo"));
      expect(target).toEqual({
        kind: "declaration",
        id: expect.stringMatching(/^api\/v1\/(?:foo|foo2|default)\.ts#Foo$/u),
      });
    }
  });

  it("finds a default export under the name of a namespace, and a constant behind typeof", () => {
    const model = load({
      "api/v1/a.ts": `${KIND_IMPORT}import * as foo from "./foo.ts";
import MODES from "./modes.ts";
export interface A extends KubernetesObject { foo: foo.default; bar: import("./foo.ts").default; mode: (typeof MODES)[number] }`,
      "api/v1/foo.ts": "export default interface Foo { a: string }",
      "api/v1/modes.ts": 'const MODES = ["a", "b"] as const;\nexport default MODES;',
    });
    const targets = ["foo.default", 'import("./foo.ts").default'].map((name) =>
      model.names.get(nameKey("api/v1/a.ts", name)),
    );
    const foo = { kind: "declaration", id: "api/v1/foo.ts#Foo" };
    expect(targets).toEqual([foo, foo]);
    expect(model.names.get(nameKey("api/v1/a.ts", "typeof MODES"))).toMatchObject({ kind: "constant" });
  });

  it("does not take a default export for an export of its name", () => {
    const model = load({
      "api/v1/a.ts": `${KIND_IMPORT}import type { Foo } from "./index.ts";
import Other from "./index.ts";
export interface A extends KubernetesObject { foo: Foo; other: Other }`,
      "api/v1/index.ts": 'export * from "./first.ts";\nexport * from "./second.ts";',
      "api/v1/first.ts": "export default interface Foo { a: string }",
      "api/v1/second.ts": "export interface Foo { b: string }",
    });
    expect(model.names.get(nameKey("api/v1/a.ts", "Foo"))).toEqual({
      kind: "declaration",
      id: "api/v1/second.ts#Foo",
    });
    expect(model.names.get(nameKey("api/v1/a.ts", "Other"))).toEqual({
      kind: "missing",
      reason: 'the module "./index.ts" has no default export with a name',
    });
  });

  it("knows the name under which a module exports a kind", () => {
    const model = load({
      "api/v1/a.ts": `${KIND_IMPORT}export default interface A extends KubernetesObject { a: string }`,
      "api/v1/b.ts": `${KIND_IMPORT}interface B extends KubernetesObject {}\nexport { B as Bee };`,
      "api/v1/c.ts": `${KIND_IMPORT}export interface C extends KubernetesObject {}\nexport default C;`,
    });
    const names = model.packages[0]?.kinds.map((id) => [id, model.declarations.get(id)?.exportName]);
    expect(names).toEqual([
      ["api/v1/a.ts#A", "default"],
      ["api/v1/b.ts#B", "Bee"],
      ["api/v1/c.ts#C", "C"],
    ]);
  });

  it("finds types of packages in node_modules", () => {
    const model = load({
      "api/v1/a.ts": `${KIND_IMPORT}import type { Other } from "other";\nexport interface A extends KubernetesObject { other: Other }`,
      "node_modules/other/package.json": '{ "name": "other", "version": "1.0.0", "types": "./types.d.ts" }',
      "node_modules/other/types.d.ts": "export interface Other { a: string }",
    });
    expect(model.names.get(nameKey("api/v1/a.ts", "Other"))).toEqual({
      kind: "declaration",
      id: "node_modules/other/types.d.ts#Other",
    });
  });

  it("reads only those other files that kinds reach", () => {
    const read: string[] = [];
    const files = {
      "/p/api/v1/a.ts": `${KIND_IMPORT}import type { B } from "../../lib/b.ts";\nexport interface A extends KubernetesObject { b: B }`,
      "/p/api/v1/c.ts": 'import { C } from "../../lib/c.ts";\nexport interface Unreached { c: C }',
      "/p/lib/b.ts": "export type B = string;",
      "/p/lib/c.ts": "export type C = string;",
    };
    const host = memoryHost(files);
    loadTypes({
      host: { ...host, readFile: (file) => (read.push(file), host.readFile(file)) },
      root: "/p",
      paths: ["./api/..."],
    });
    expect(read.toSorted()).toEqual(["/p/api/v1/a.ts", "/p/api/v1/c.ts", "/p/lib/b.ts"]);
  });

  it("does not end in circles of imports and of types", () => {
    const model = load({
      "api/v1/a.ts": `${KIND_IMPORT}import type { B } from "./b.ts";\nexport interface A extends KubernetesObject { b: B }\nexport interface Loop extends Loop {}`,
      "api/v1/b.ts":
        'import type { A } from "./a.ts";\nexport * from "./a.ts";\nexport * from "./b.ts";\nexport interface B { a: A }',
    });
    expect(model.packages[0]?.kinds).toEqual(["api/v1/a.ts#A"]);
  });

  it("takes as kinds what is exported and has both kinds of metadata", () => {
    const model = load({
      "api/v1/a.ts": `import type { KubernetesObject, ListOf, ObjectMeta, TypeMeta } from "@kubescaffold/k8s/meta/v1";
export interface Plain extends KubernetesObject {}
interface Hidden extends KubernetesObject {}
interface Later extends KubernetesObject {}
export { Later };
export interface Own extends TypeMeta { metadata: ObjectMeta }
export class Class { apiVersion!: string; kind!: string; metadata!: ObjectMeta }
export type Both = KubernetesObject & { spec: string };
export type Other = Plain;
export type PlainList = ListOf<Plain>;
export interface NoMeta extends TypeMeta {}
export interface Generic<T> extends KubernetesObject { spec: T }
export type Instance = Generic<string>;`,
    });
    expect(model.packages[0]?.kinds.map((id) => id.split("#")[1])).toEqual([
      "Plain",
      "Later",
      "Own",
      "Class",
      "Both",
      "Instance",
    ]);
  });
});

describe("comments", () => {
  it("above a declaration are its own group and the one before", () => {
    const declaration = declarationOf(
      "// +far=1\n\n// +near=1\n\n/** Text.\n * +own=1\n * @see nothing\n * +tagged=1 */\n// +line=1\nexport interface A {}",
    );
    expect(declaration.comments.description).toBe("Text.");
    expect(declaration.comments.markers.map(({ text, isAdjacent }) => `${text} ${isAdjacent}`)).toEqual([
      "+near=1 false",
      "+own=1 true",
      "+tagged=1 true",
      "+line=1 true",
    ]);
  });

  it("have the place of the sign that begins the marker", () => {
    const { markers } = declarationOf("/**\n *  +own=1\n */\nexport interface A {}").comments;
    expect(markers.map((each) => each.location)).toEqual([{ file: "v1/a.ts", line: 2, column: 5, length: 6 }]);
  });

  it("in one line with their property belong to it", () => {
    const { shape } = declarationOf(
      "export interface A { /** First. */ a: string; /** Second. */ b: string /* +stray=1 */ }",
    );
    const properties = shape.kind === "type" && shape.type.kind === "object" ? shape.type.properties : [];
    expect(properties.map((property) => property.comments.description)).toEqual(["First.", "Second."]);
  });

  it.each([
    ["/** {@link Foo} and {@link Bar the bar}. */", "Foo and the bar."],
    ["/** One\n * @deprecated two */", "One"],
    ["/** mail@example.com */", "mail@example.com"],
    ["/**\n * ```\n * @decorator\n * ```\n */", "```\n@decorator\n```"],
    ["/** First. */\n\n/** Second. */", "Second."],
    ["/** Far. */\n", ""],
    ["// Line.", ""],
    ["/* Block. */", ""],
  ])("%j describe as %j", (comment, description) => {
    expect(declarationOf(`${comment}\nexport interface A {}`).comments.description).toBe(description);
  });

  it("in block comments write a star and a slash with a backslash between", () => {
    const block = declarationOf("/** +pattern=`a*\\/` */\nexport interface A {}").comments.markers[0]?.text;
    const line = declarationOf("// +pattern=`a*\\/`\nexport interface A {}").comments.markers[0]?.text;
    expect([block, line]).toEqual(["+pattern=`a*/`", "+pattern=`a*\\/`"]);
  });
});

it("syntax errors have their place and the compiler's number", () => {
  const { diagnostics } = loadTypes({
    host: memoryHost({ "/p/v1/a.ts": "export const a = ;" }),
    root: "/p",
    paths: ["./..."],
  });
  expect(diagnostics[0]).toMatchObject({ code: "LOADER_SYNTAX", file: "v1/a.ts", line: 1, column: 18 });
  expect(diagnostics[0]?.message).toContain("TS");
});

function load(files: Readonly<Record<string, string>>): TypeModel {
  const host = memoryHost(Object.fromEntries(Object.entries(files).map(([file, text]) => [`/p/${file}`, text])));
  const { model, diagnostics } = loadTypes({ host, root: "/p", paths: ["./api/..."] });
  expect(diagnostics).toEqual([]);
  return model;
}

function declarationOf(text: string): Declaration {
  const { model } = loadTypes({ host: memoryHost({ "/p/v1/a.ts": text }), root: "/p", paths: ["./v1"] });
  const declaration = model.declarations.get("v1/a.ts#A");
  if (declaration === undefined) throw new TypeError("the source declares no A");
  return declaration;
}
