import { expect, it } from "vitest";

import { FileTree } from "../../src/machinery/file-tree.ts";
import {
  builtFor,
  definedKinds,
  importedFile,
  markerArguments,
  namedImports,
  readJsonObject,
} from "../../src/restore/source-facts.ts";
import { subjectOf } from "../../src/restore/subjects.ts";

it("named imports are read with their aliases, on one line or several", () => {
  const text = [
    'import type { A } from "./a.ts";',
    'import {\n  type B,\n  C as D,\n} from "@acme/b";',
    'import process from "node:process";',
    '// import { E } from "./e.ts";',
  ].join("\n");
  expect(namedImports(text)).toEqual([
    { name: "A", alias: "A", module: "./a.ts" },
    { name: "B", alias: "B", module: "@acme/b" },
    { name: "C", alias: "D", module: "@acme/b" },
  ]);
});

it("relative imports lead to paths of the project, packages do not", () => {
  expect(importedFile("internal/controller/a.ts", "../../api/v1/b.ts")).toBe("api/v1/b.ts");
  expect(importedFile("internal/controller/a.ts", "@acme/b")).toBeUndefined();
});

it("kinds are found in calls of defineKind and of builders", () => {
  expect(
    definedKinds('defineKind<A>(GroupVersion, "A"); defineKind<B>(\n  { group: "g", version: "v1" },\n  "B",\n)'),
  ).toEqual([
    { kind: "A", group: undefined, version: undefined },
    { kind: "B", group: "g", version: "v1" },
  ]);
  expect(builtFor("newControllerManagedBy(mgr).for(A).owns(B)")).toBe("A");
  expect(builtFor("newControllerManagedBy(mgr).for(kindOf())")).toBe("kindOf");
  expect(builtFor("nothing")).toBeUndefined();
});

it("markers are read in all comments, with quoted values", () => {
  const text =
    ' * +kubebuilder:resource:path=as,scope="Cluster"\n// +kubebuilder:resource:shortName=a\n+kubebuilder:rbac:x=y';
  expect(markerArguments(text, "kubebuilder:resource")).toEqual([{ path: "as", scope: "Cluster" }, { shortName: "a" }]);
});

it("a text that is not a JSON object is read as an empty object", () => {
  for (const text of [undefined, "", "{", "[]", "null"]) expect(readJsonObject(text)).toEqual({});
});

it("the kind of a package is named by its markers and its module", () => {
  const file = "internal/controller/issuer_controller.ts";
  const files: Readonly<Record<string, string>> = {
    [file]: [
      'import { Issuer } from "@acme/issuers/v1alpha2";',
      "// +kubebuilder:rbac:groups=cert-manager.io,resources=issuers,verbs=get",
      "newControllerManagedBy(mgr).for(Issuer)",
    ].join("\n"),
    "package.json": '{"dependencies":{"@acme/issuers":"^1.2.0"}}',
  };
  const tree = new FileTree({ read: (path) => files[path], list: () => Object.keys(files) });
  const subject = subjectOf(file, { tree, kinds: [], domain: "io", isMultigroup: false });
  expect(subject?.resource).toEqual({
    domain: "io",
    external: true,
    group: "cert-manager",
    kind: "Issuer",
    module: "@acme/issuers@^1.2.0",
    path: "@acme/issuers/v1alpha2",
    version: "v1alpha2",
  });
  expect(subject?.doubts).toHaveLength(2);
});
