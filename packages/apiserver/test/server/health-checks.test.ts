import { describe, expect, it } from "vitest";

import { handleHealth, healthPaths } from "../../src/server/health-checks.ts";

function linesOf(query: string): readonly string[] {
  return (handleHealth("readyz", "", new URLSearchParams(query)).body as string).split("\n");
}

describe("health checks", () => {
  it("are ok, and listed if they are asked for", () => {
    expect(handleHealth("livez", "", new URLSearchParams()).body).toBe("ok");
    const lines = linesOf("verbose");
    expect(lines).toEqual(expect.arrayContaining(["[+]ping ok", "[+]informer-sync ok", "[+]shutdown ok"]));
    expect(lines.slice(-2)).toEqual(["readyz check passed", ""]);
  });

  it("are excluded by name; unknown names are warned about", () => {
    const lines = linesOf("verbose=&exclude=etcd&exclude=other&exclude=any");
    expect(lines).toContain("[+]etcd excluded: ok");
    expect(lines).toContain("[+]etcd-readiness ok");
    expect(lines.at(-3)).toBe('warn: some health checks cannot be excluded: no matches for "any", "other"');
  });

  it("have a path each", () => {
    expect(healthPaths()).toContain("/readyz/poststarthook/rbac/bootstrap-roles");
    expect(handleHealth("healthz", "poststarthook/rbac/bootstrap-roles", new URLSearchParams()).body).toBe("ok");
    expect(handleHealth("livez", "shutdown", new URLSearchParams()).code).toBe(404);
  });
});
