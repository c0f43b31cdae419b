import { describe, expect, it } from "vitest";

import { webhookResource, type WebhookSubject } from "../../src/project/plans/webhook-resource.ts";
import { type ProjectConfig, type ProjectResource, withResource } from "../../src/project/project-config.ts";

const OWN: ProjectResource = {
  api: { crdVersion: "v1" },
  domain: "demo",
  group: "webapp",
  kind: "Deployment",
  path: "p/api/v1",
  version: "v1",
};
const PROJECT: ProjectConfig = { domain: "demo", layout: [], repo: "p", resources: [OWN], version: "3" };
const ISSUER: WebhookSubject = {
  group: "certs",
  version: "v1",
  kind: "Issuer",
  externalApiPath: "@acme/issuers/v1",
  externalApiDomain: "acme.io",
  externalApiModule: "@acme/issuers@^1.2.0",
};

describe("the kind that webhooks are for", () => {
  it("may be external, of whom PROJECT then records where the types are", () => {
    const issuer = webhookResource(PROJECT, ISSUER);
    expect(issuer).toEqual({
      domain: "acme.io",
      external: true,
      group: "certs",
      kind: "Issuer",
      module: "@acme/issuers@^1.2.0",
      path: "@acme/issuers/v1",
      version: "v1",
    });
    const project = withResource(PROJECT, issuer);
    expect(webhookResource(project, { group: "certs", version: "v1", kind: "Issuer" })).toEqual(issuer);
  });

  it("has to be known, and the error lists the kinds of its group", () => {
    expect(() => webhookResource(PROJECT, { group: "webapp", version: "v1", kind: "Deploy" })).toThrow(
      expect.objectContaining({
        message: "cannot create a webhook: no API found for webapp/v1, Kind=Deploy",
        hint: expect.stringMatching(/^the group has Deployment v1; for another kind, run `npx scaffold create api /u),
      }),
    );
  });

  it("is of a group of the project's domain, unless another is given or recorded", () => {
    const { externalApiDomain: _, ...issuer } = ISSUER;
    expect(webhookResource(PROJECT, issuer)).toMatchObject({ domain: "demo", external: true });
    expect(webhookResource(PROJECT, { ...issuer, externalApiDomain: "" })).not.toHaveProperty("domain");
    const known = withResource(PROJECT, webhookResource(PROJECT, ISSUER));
    expect(webhookResource(known, issuer)).toMatchObject({ domain: "acme.io" });
  });

  it("is Kubernetes' own where no group is named", () => {
    const pod = webhookResource(PROJECT, { group: "", version: "v1", kind: "Pod" });
    expect(pod).toEqual({ core: true, group: "core", kind: "Pod", path: "@kubescaffold/k8s/core/v1", version: "v1" });
  });

  it("keeps its controllers when its types move elsewhere", () => {
    const project = withResource(PROJECT, { ...webhookResource(PROJECT, ISSUER), controller: true });
    const moved = webhookResource(project, { ...ISSUER, externalApiPath: "@acme/issuers/next" });
    expect(moved).toMatchObject({ controller: true, path: "@acme/issuers/next" });
  });

  it.for([
    ["types that are the project's", { externalApiDomain: "demo" }, "its types are defined in this project"],
    [
      "types of the project without a domain",
      { externalApiDomain: undefined },
      "its types are defined in this project",
    ],
    ["a module without a path", { externalApiPath: undefined }, "without --external-api-path"],
    ["a version in the path", { externalApiPath: "a@1/v1" }, "a path cannot contain a version"],
  ] as const)("refuses %s", ([, change, message]) => {
    const own = { group: "webapp", version: "v1", kind: "Deployment" };
    const subject = "externalApiDomain" in change ? { ...ISSUER, ...own } : ISSUER;
    expect(() => webhookResource(PROJECT, { ...subject, ...change })).toThrow(message);
  });

  it("may have its own plural, which is settled once PROJECT knows the kind", () => {
    const pods = { group: "core", version: "v1", kind: "Pod" };
    expect(webhookResource(PROJECT, { ...pods, plural: "pods" })).not.toHaveProperty("plural");
    expect(webhookResource(PROJECT, { ...ISSUER, plural: "issuerz" })).toMatchObject({ plural: "issuerz" });
    const own = { group: "webapp", version: "v1", kind: "Deployment" };
    expect(() => webhookResource(PROJECT, { ...own, plural: "books" })).toThrow(
      'cannot use plural "books" for kind Deployment: PROJECT has the plural "deployments"',
    );
    expect(() => webhookResource(PROJECT, { ...own, plural: "Books" })).toThrow("it is not a DNS-1035 label");
  });

  it("does not share its file with a kind of the same name in another group", () => {
    const webhooks = { defaulting: true };
    const apps: WebhookSubject = { group: "apps", version: "v1", kind: "Deployment" };
    expect(webhookResource(PROJECT, apps)).toMatchObject({ core: true });
    const project = withResource(PROJECT, { ...OWN, webhooks });
    expect(() => webhookResource(project, apps)).toThrow(
      expect.objectContaining({
        code: "PROJECT_RESOURCE_CONFLICT",
        message: expect.stringContaining('deployment_webhook.ts holds the webhooks of Deployment of group "webapp"'),
        hint: expect.stringContaining("edit --multigroup"),
      }),
    );
    expect(webhookResource({ ...project, multigroup: true }, apps)).toMatchObject({ core: true });
  });
});
