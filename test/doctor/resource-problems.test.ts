import { describe, expect, it } from "vitest";

import { resourceProblems } from "../../src/doctor/resource-problems.ts";

describe("the problems of what PROJECT records", () => {
  it("are none in one that commands wrote", () => {
    const resources = [{ group: "crew", domain: "demo", kind: "Captain", version: "v1", controller: true }];
    expect(resourceProblems({ layout: [], version: "3", domain: "demo", projectName: "p", resources })).toEqual([]);
  });

  it("are all there at once", () => {
    const bad = { group: "crew", kind: "captain", version: "1", plural: "Captains", controllers: [{ name: "A" }] };
    const messages = resourceProblems({
      layout: [],
      version: "3",
      domain: "Bad_Domain",
      projectName: "My_Project",
      repo: "No Name",
      resources: [bad, bad],
    }).map((each) => each.message);
    expect(messages).toEqual([
      expect.stringContaining('project name "My_Project"'),
      expect.stringContaining('domain "Bad_Domain"'),
      expect.stringContaining('repo "No Name"'),
      ...[1, 2].flatMap(() => [
        expect.stringContaining('version "1"'),
        expect.stringContaining('plural "Captains"'),
        expect.stringContaining('controller name "A"'),
      ]),
      expect.stringContaining("recorded more than once"),
    ]);
  });

  it("include Go modules as the source of external types", () => {
    const path = "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1";
    const issuer = { group: "cert-manager", domain: "io", kind: "Issuer", version: "v1", external: true };
    const problems = resourceProblems({
      layout: [],
      version: "3",
      resources: [{ ...issuer, path, module: "github.com/cert-manager/cert-manager@v1.18.2" }],
    });
    expect(problems).toEqual(
      [path, "github.com/cert-manager/cert-manager"].map(() => ({
        message: expect.stringContaining("it is the path of a Go module, not of an npm package"),
        hint: expect.stringContaining("npx scaffold import crd"),
      })),
    );
  });
});
