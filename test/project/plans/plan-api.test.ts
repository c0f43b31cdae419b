import { describe, expect, it } from "vitest";

import { type ApiRequest, planApi } from "../../../src/project/plans/plan-api.ts";
import { type ProjectConfig, type ProjectResource, withResource } from "../../../src/project/project-config.ts";

const PROJECT: ProjectConfig = { domain: "demo", layout: [], projectName: "p", repo: "p", version: "3" };
const REQUEST: ApiRequest = {
  group: "webapp",
  version: "v1",
  kind: "Guestbook",
  resource: true,
  controller: true,
  namespaced: true,
  force: false,
};

function plan(change: Partial<ApiRequest> = {}, project: ProjectConfig = PROJECT): ProjectResource {
  return planApi(project, { ...REQUEST, ...change }).resource;
}

describe("planning an API", () => {
  it("records group, domain, version, kind, path and what was written", () => {
    expect(plan()).toEqual({
      api: { crdVersion: "v1", namespaced: true },
      controller: true,
      domain: "demo",
      group: "webapp",
      kind: "Guestbook",
      path: "p/api/v1",
      version: "v1",
    });
  });

  it("records server-side apply, keeps it when nothing is said, and takes it away when that is asked for", () => {
    const applied = plan({ ssa: true });
    expect(applied.api).toEqual({ crdVersion: "v1", namespaced: true, ssa: true });
    const project = withResource(PROJECT, applied);
    expect(plan({ force: true }, project).api).toEqual(applied.api);
    expect(plan({ force: true, ssa: false }, project).api).toEqual({ crdVersion: "v1", namespaced: true });
    expect(plan({ resource: false, controllerName: "other" }, project).api).toEqual(applied.api);
  });

  it("refuses server-side apply of a kind whose types are not written", () => {
    expect(() => plan({ ssa: true, resource: false })).toThrow("cannot use --ssa with --resource=false");
  });

  it("records a plural only when it is irregular, and uses it again", () => {
    expect(plan({ kind: "Admiral", plural: "admirals" })).not.toHaveProperty("plural");
    const irregular = plan({ kind: "Admiral", plural: "admirales", controller: false });
    expect(irregular.plural).toBe("admirales");
    const again = plan({ kind: "Admiral", resource: false }, withResource(PROJECT, irregular));
    expect(again).toEqual({ ...irregular, controller: true });
  });

  it("leaves namespaced out for kinds of the cluster, also when it is forced to change", () => {
    const namespaced = plan();
    expect(plan({ namespaced: false }).api).toEqual({ crdVersion: "v1" });
    expect(plan({ namespaced: false, force: true }, withResource(PROJECT, namespaced)).api).toEqual({
      crdVersion: "v1",
    });
  });

  it("extends the entry of a kind of Kubernetes that has no domain", () => {
    const first = plan({ group: "apps", kind: "Deployment", resource: false });
    const change = { group: "apps", kind: "Deployment", resource: false, controllerName: "night-watch" };
    const both = { controllers: [{ name: "deployment" }, { name: "night-watch" }] };
    const { controller: _, ...entry } = first;
    expect(plan(change, withResource(PROJECT, first))).toEqual({ ...entry, ...both });
  });

  it("gives APIs of a project with several groups paths with their group", () => {
    expect(plan({}, { ...PROJECT, multigroup: true }).path).toBe("p/api/webapp/v1");
  });

  it.each([
    [
      { group: "apps", kind: "Deployment" },
      { core: true, group: "apps", path: "@kubescaffold/k8s/apps/v1" },
    ],
    [
      { group: "core", kind: "Pod" },
      { core: true, group: "core", path: "@kubescaffold/k8s/core/v1" },
    ],
    [
      { group: "networking", kind: "Ingress" },
      { core: true, domain: "k8s.io", path: "@kubescaffold/k8s/networking/v1" },
    ],
  ])("takes %o for a kind of Kubernetes when its types are not wanted", (change, expected) => {
    const planned = plan({ ...change, resource: false });
    expect(planned).toMatchObject({ controller: true, ...expected });
    expect(planned).not.toHaveProperty("api");
  });

  it("lets a core kind and its own first group live together", () => {
    const project = withResource(PROJECT, plan({ group: "apps", kind: "Deployment", resource: false }));
    expect(plan({ group: "crew", kind: "Captain" }, project).group).toBe("crew");
  });

  // Scenario 14.
  it.each([
    ["kind captain", { kind: "captain" }, /"captain": it must start with an upper-case/u],
    ["kind Cap_tain", { kind: "Cap_tain" }, /kind "Cap_tain"/u],
    ["kind Cap-Tain", { kind: "Cap-Tain" }, /kind "Cap-Tain"/u],
    ["version 1", { version: "1" }, /version "1"/u],
    ["version V1", { version: "V1" }, /version "V1"/u],
    ["version foo", { version: "foo" }, /version "foo"/u],
    ["version v1.2", { version: "v1.2" }, /version "v1\.2"/u],
    ["group Crew", { group: "Crew" }, /group "Crew": either group or domain is invalid/u],
    ["group -x", { group: "-x" }, /group "-x"/u],
    ["plural Foo", { plural: "Foo" }, /plural "Foo"/u],
  ])("refuses %s", (_, change, message) => {
    expect(() => plan(change)).toThrow(
      expect.objectContaining({
        code: "PROJECT_INVALID_NAME",
        message: expect.stringMatching(message),
        hint: expect.any(String),
      }),
    );
  });

  it("refuses an empty group in a project without a domain", () => {
    expect(() => plan({ group: "" }, { ...PROJECT, domain: "" })).toThrow(
      "group cannot be empty if the domain is empty",
    );
    expect(plan({ group: "" })).not.toHaveProperty("group");
  });

  it("adds a controller to a kind of the group without a name", () => {
    const project = withResource(PROJECT, plan({ group: "" }));
    const second = plan({ group: "", resource: false, controllerName: "second" }, project);
    expect(second.controllers).toEqual([{ name: "guestbook" }, { name: "second" }]);
    expect(second).toMatchObject({ domain: "demo", path: "p/api/v1" });
  });

  it("takes a group without a name for Kubernetes' own where the project has no such kind", () => {
    const pod = { group: "", kind: "Pod", resource: false };
    expect(plan(pod)).toEqual(plan({ ...pod, group: "core" }));
    expect(plan(pod)).toMatchObject({ core: true, group: "core", path: "@kubescaffold/k8s/core/v1" });
    const project = withResource(PROJECT, plan(pod));
    expect(plan({ ...pod, controllerName: "second" }, project).controllers).toHaveLength(2);
  });

  it("puts an external kind into a group of the project's domain by default", () => {
    const issuer = { group: "certs", kind: "Issuer", resource: false, externalApiPath: "@acme/issuers/v1" };
    expect(plan(issuer)).toMatchObject({ domain: "demo", external: true });
    expect(plan({ ...issuer, externalApiDomain: "io" })).toMatchObject({ domain: "io" });
    expect(plan({ ...issuer, externalApiDomain: "" })).not.toHaveProperty("domain");
    const known = withResource(PROJECT, plan({ ...issuer, externalApiDomain: "io" }));
    expect(plan({ ...issuer, controllerName: "second" }, known)).toMatchObject({ domain: "io" });
  });

  it("does not take types from elsewhere that are the project's, or Kubernetes'", () => {
    const external = { resource: false, controllerName: "second", externalApiPath: "@acme/guestbooks/v1" };
    expect(() => plan(external, withResource(PROJECT, plan()))).toThrow("its types are defined in this project");
    const deployment = { group: "apps", kind: "Deployment" };
    const core = withResource(PROJECT, plan({ ...deployment, resource: false }));
    expect(() => plan({ ...deployment, ...external }, core)).toThrow("its types are defined in Kubernetes");
  });

  it("refuses to write nothing", () => {
    expect(() => plan({ resource: false, controller: false })).toThrow("nothing would be written");
  });

  it("refuses an API that exists, unless it is forced", () => {
    const project = withResource(PROJECT, plan());
    expect(() => plan({}, project)).toThrow(
      expect.objectContaining({
        code: "PROJECT_RESOURCE_CONFLICT",
        message: expect.stringContaining("already exists"),
      }),
    );
    expect(() => plan({ resource: false }, project)).toThrow("it already has a controller");
    expect(plan({ force: true }, project)).toEqual(plan());
  });

  it("refuses a second group in a project of one and names the command that allows it", () => {
    const project = withResource(PROJECT, plan());
    expect(() => plan({ group: "crew", kind: "Captain" }, project)).toThrow(
      expect.objectContaining({
        code: "PROJECT_MULTIPLE_GROUPS",
        hint: expect.stringContaining("scaffold edit --multigroup"),
      }),
    );
    expect(plan({ group: "crew", kind: "Captain" }, { ...project, multigroup: true }).path).toBe("p/api/crew/v1");
  });

  it("refuses a plural other than the one that is recorded", () => {
    const project = withResource(PROJECT, plan({ plural: "guestbookz", controller: false }));
    expect(() => plan({ resource: false, plural: "guestbooks" }, project)).toThrow(
      'PROJECT has the plural "guestbookz"',
    );
  });

  it("refuses names that would share files or identifiers with those of another kind", () => {
    const project = withResource({ ...PROJECT, multigroup: true }, plan({ group: "sea-creatures", kind: "Kraken" }));
    expect(() => plan({ group: "sea.creatures", kind: "Kraken" }, project)).toThrow("its names conflict with");
    expect(() => plan({ group: "sea-creatures", kind: "KraKen" }, project)).toThrow("its names conflict with");
  });
});
