import { describe, expect, it } from "vitest";

import { defaultRelease, loadRelease } from "../../src/release/release.ts";
import { HealthChecks, healthPaths } from "../../src/server/health-checks.ts";

function handle(...args: Parameters<HealthChecks["handle"]>): ReturnType<HealthChecks["handle"]> {
  return new HealthChecks(defaultRelease).handle(...args);
}

function linesOf(query: string): readonly string[] {
  return (handle("readyz", "", new URLSearchParams(query)).body as string).split("\n");
}

describe("health checks", () => {
  it("are ok, and listed if they are asked for", () => {
    expect(handle("livez", "", new URLSearchParams()).body).toBe("ok");
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

  it("are counted unless they are excluded or asked for alone", () => {
    const health = new HealthChecks(defaultRelease);
    health.handle("livez", "", new URLSearchParams("exclude=etcd"));
    health.handle("livez", "", new URLSearchParams("verbose"));
    health.handle("livez", "ping", new URLSearchParams());
    const counts = health.counts.get("livez");
    expect([counts?.get("ping"), counts?.get("etcd"), counts?.get("shutdown")]).toEqual([2, 1, undefined]);
    expect(health.counts.get("readyz")).toBeUndefined();
  });

  it.each([
    ["1.35", false],
    ["1.36", true],
    ["1.37", true],
  ])("are those of Kubernetes %s", (minor, isNewer) => {
    const release = loadRelease(minor);
    if (release === undefined) throw new Error(`there is no release ${minor}`);
    const added = [
      "/healthz/loopback-serving-certificate",
      "/livez/loopback-serving-certificate",
      ...["peer-endpoint-reconciler-controller", "storage-readiness"].map((step) => `/readyz/poststarthook/${step}`),
    ];
    const paths = healthPaths(release);
    expect(added.filter((path) => paths.includes(path))).toEqual(isNewer ? added : []);
    expect(paths).not.toContain("/readyz/loopback-serving-certificate");
  });

  it("have a path each", () => {
    expect(healthPaths(defaultRelease)).toContain("/readyz/poststarthook/rbac/bootstrap-roles");
    expect(handle("healthz", "poststarthook/rbac/bootstrap-roles", new URLSearchParams()).body).toBe("ok");
    expect(handle("livez", "shutdown", new URLSearchParams()).code).toBe(404);
  });
});
