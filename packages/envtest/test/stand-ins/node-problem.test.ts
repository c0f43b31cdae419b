import { expect, it } from "vitest";

import { nodeProblem } from "../../src/stand-ins/node-problem.ts";

const MANIFEST = { name: "@kubescaffold/envtest", engines: { node: ">=20.19" } };

it.each(["20.19.0", "20.20.1", "22.0.0"])("Node.js %s can run the program", (version) => {
  expect(nodeProblem(version, MANIFEST)).toBeUndefined();
});

it.each(["18.20.4", "20.18.3", "8.0.0"])("Node.js %s is too old", (version) => {
  expect(nodeProblem(version, MANIFEST)).toBe(
    `@kubescaffold/envtest requires Node.js 20.19 or later, and this is Node.js ${version}: install the current LTS release from https://nodejs.org [NODE_UNSUPPORTED]`,
  );
});
