import { describe, expect, it } from "vitest";

import { packageOfModule, planExternal } from "../../../src/project/plans/plan-external.ts";

const plan = (change: Partial<Parameters<typeof planExternal>[0]>): ReturnType<typeof planExternal> =>
  planExternal({ resource: false, ...change });

describe("an external API", () => {
  it("is there only when a flag says so", () => {
    expect(plan({})).toBeUndefined();
    expect(planExternal({ resource: true })).toBeUndefined();
  });

  it("has a path, a domain and a package", () => {
    expect(
      plan({ externalApiPath: "@acme/certs/v1", externalApiDomain: "io", externalApiModule: "@acme/certs@^1.20.2" }),
    ).toEqual({ path: "@acme/certs/v1", domain: "io", module: "@acme/certs@^1.20.2" });
  });

  it.for(["certs", "certs/v1", "@acme/certs", "@acme/certs/api/v1/index.js", "./api/v1/certificate_types.ts"])(
    "may have the path %s",
    (externalApiPath) => {
      expect(plan({ externalApiPath })?.path).toBe(externalApiPath);
    },
  );

  it.for([
    [{ externalApiDomain: "io" }, "without --external-api-path"],
    [{ externalApiModule: "certs" }, "without --external-api-path"],
    [{ externalApiPath: "certs/v1@1.2" }, "a path cannot contain a version"],
    [{ externalApiPath: "/etc/certs" }, "it is not a module specifier"],
    [{ externalApiPath: "../certs" }, "it is not a module specifier"],
    [{ externalApiPath: "./api/../../x" }, "it is not a module specifier"],
    [{ externalApiPath: "two words" }, "it is not a module specifier"],
    [{ externalApiPath: "certs", externalApiModule: "Certs Inc" }, "it is not an npm package"],
    [{ externalApiPath: `certs${"a".repeat(200_000)}!` }, "it is not a module specifier"],
    ...[
      "/tmp/evil",
      "user/repo",
      "file:../evil",
      "git+ssh://git@example.com/evil",
      "npm:evil@1",
      "evil.tgz",
      "..",
      "",
    ].map(
      (version) =>
        [{ externalApiPath: "certs", externalApiModule: `certs@${version}` }, "it is not an npm package"] as const,
    ),
    [{ externalApiPath: "certs", externalApiDomain: "I_O" }, 'cannot use domain "I_O"'],
    [{ externalApiPath: "certs", resource: true }, "cannot create a resource whose types are external"],
  ] as const)("refuses %o", ([change, message]) => {
    expect(() => plan(change)).toThrow(message);
  });

  it.for([
    { externalApiPath: "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1" },
    { externalApiPath: "k8s.io/api/apps/v1" },
    { externalApiPath: "sigs.k8s.io/gateway-api/apis/v1" },
    { externalApiPath: "gopkg.in/yaml.v3" },
    { externalApiPath: "git.acme.dev/platform/api/v1" },
    { externalApiPath: "github.com" },
    { externalApiPath: "certs", externalApiModule: "github.com/cert-manager/cert-manager@v1.18.2" },
    { externalApiPath: "certs", externalApiModule: "github.com@v1.18.2" },
  ])("refuses the path of a Go module, with the import of its CRD as the fix: %o", (change) => {
    expect(() => plan(change)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining("it is the path of a Go module, not of an npm package"),
        hint: expect.stringContaining("npx scaffold import crd"),
      }),
    );
  });

  it.for(["chart.js/auto", "lodash.merge", "bn.js"])(
    "takes a package with a dot in its name: %s",
    (externalApiPath) => {
      expect(plan({ externalApiPath })?.path).toBe(externalApiPath);
    },
  );

  it.for(["fs", "node:fs", "path/posix"])("refuses a module of Node.js: %s", (externalApiPath) => {
    expect(() => plan({ externalApiPath })).toThrow(expect.objectContaining({ code: "PROJECT_INVALID_NAME" }));
  });

  it("may leave its domain open, or have none", () => {
    expect(plan({ externalApiPath: "certs" })).toHaveProperty("domain", undefined);
    expect(plan({ externalApiPath: "certs", externalApiDomain: "" })).toHaveProperty("domain", "");
  });

  it("names the flag with the wrong domain", () => {
    expect(() => plan({ externalApiPath: "certs", externalApiDomain: "I_O" })).toThrow(
      expect.objectContaining({ hint: expect.stringContaining("--external-api-domain") }),
    );
  });

  it("splits a package from its version", () => {
    expect(packageOfModule("@acme/certs@1.2.3")).toEqual({ name: "@acme/certs", version: "1.2.3" });
    expect(packageOfModule("@acme/certs")).toEqual({ name: "@acme/certs", version: "latest" });
  });
});
