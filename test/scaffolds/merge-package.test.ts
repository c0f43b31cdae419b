import { describe, expect, it } from "vitest";

import { mergePackage } from "../../src/scaffolds/init.ts";

const WANTED = JSON.stringify({
  name: "guestbook",
  type: "module",
  scripts: { build: "node hack/build.mjs", test: "vitest run" },
  dependencies: { "@acme/runtime": "^1.0.0" },
  devDependencies: { esbuild: "^0.28.0", tool: "^2.0.0", vitest: "^4.0.0" },
  engines: { node: ">=20.19" },
  allowScripts: { esbuild: true },
});

const merged = (present: object): Record<string, unknown> =>
  JSON.parse(mergePackage(JSON.stringify(present), WANTED)?.content ?? "") as Record<string, unknown>;

describe("a package.json that was there", () => {
  it("gets what it has not", () => {
    const { name: _name, ...project } = JSON.parse(WANTED) as Record<string, unknown>;
    expect(merged({ name: "mine", version: "1.0.0" })).toEqual({ ...project, name: "mine", version: "1.0.0" });
  });

  it("keeps what it has, and names the scripts that differ", () => {
    const mine = {
      scripts: { build: "make", lint: "mine", test: "vitest run" },
      dependencies: { tool: "1.0.0", zod: "4.0.0" },
      engines: { node: ">=24" },
      allowScripts: { esbuild: false },
    };
    expect(merged(mine)).toMatchObject({
      ...mine,
      dependencies: { "@acme/runtime": "^1.0.0", tool: "1.0.0", zod: "4.0.0" },
      devDependencies: { esbuild: "^0.28.0", vitest: "^4.0.0" },
    });
    expect(merged(mine)["devDependencies"]).not.toHaveProperty("tool");
    expect(mergePackage(JSON.stringify(mine), WANTED)?.keptScripts).toEqual(["build"]);
  });

  it("loses the test that npm has put there", () => {
    const scripts = { test: 'echo "Error: no test specified" && exit 1' };
    expect(merged({ scripts, type: "commonjs" })).toMatchObject({ scripts: { test: "vitest run" }, type: "module" });
  });

  it("keeps its indentation, and stays the same when it is merged again", () => {
    const once = mergePackage('{\n\t"name": "mine"\n}\n', WANTED)?.content ?? "";
    expect(once).toMatch(/^\{\n\t"name": "mine",\n\t"type"/u);
    expect(mergePackage(once, WANTED)).toEqual({ content: once, keptScripts: [] });
  });

  it.each(["", "mine", "[]", "null", '"text"'])("is left alone when it is no object: %s", (text) => {
    expect(mergePackage(text, WANTED)).toBeUndefined();
  });
});
