import { describe, expect, it } from "vitest";

import { diagnoseScripts } from "../../src/doctor/project-files.ts";
import { FileTree } from "../../src/machinery/file-tree.ts";

function diagnose(files: Readonly<Record<string, string>>): readonly string[] {
  const tree = new FileTree({ read: (path) => files[path] });
  return diagnoseScripts(tree).map(({ severity, path, message, hint }) => `${severity} ${path}: ${message}; ${hint}`);
}

describe("the scripts of a project", () => {
  it("are as they should be in a new project", () => {
    expect(
      diagnose({ "package.json": '{ "scripts": { "deploy": "scaffold deploy" } }', "hack/build.mjs": "" }),
    ).toEqual([]);
  });

  it("of a former scaffold are noted with what replaced them", () => {
    expect(diagnose({ "hack/debug.mjs": "", "cmd/flags.ts": "", Makefile: "debug:\n\tnode hack/debug.mjs\n" })).toEqual(
      [
        expect.stringMatching(/^note cmd\/flags\.ts: .*managerFlags/u),
        expect.stringMatching(/^note hack\/debug\.mjs: new projects no longer have this file; `scaffold debug`/u),
      ],
    );
  });

  it("that are called and do not exist are errors, with the command to call", () => {
    expect(diagnose({ "package.json": '{ "scripts": { "docker-push": "node hack/docker.mjs push" } }' })).toEqual([
      "error package.json: it runs hack/docker.mjs, which does not exist; `scaffold docker-build`, `docker-push`, and `docker-buildx` replace it: call the command instead",
    ]);
  });
});
