import { checkAdmission } from "@kubescaffold/envtest";
import { isInvalid } from "@kubescaffold/k8s";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { Guestbook, type GuestbookSpec } from "../../../api/v1/guestbook_types.ts";
import { GuestbookSchema } from "../../../api/v1/zz_generated.schema.ts";
import { setupGuestbookWebhookWithManager } from "./guestbook_webhook.ts";
import { ENVIRONMENT, startWebhookSuite, type WebhookSuite } from "./webhook_suite.ts";

function guestbook(name: string, spec: GuestbookSpec): Guestbook {
  return Guestbook.create({ metadata: { name, namespace: "default" }, spec });
}

// Runs the checks of the API server before admission, without a server.
describe("the schema of Guestbook", () => {
  it("sets the defaults", () => {
    expect(GuestbookSchema.applyDefaults(guestbook("bare", {})).spec).toEqual({ size: 1, port: 8080 });
  });

  it.each([
    [{ size: 0 }, "spec.size"],
    [{ size: 11 }, "spec.size"],
    [{ port: 70_000 }, "spec.port"],
    [{ image: "" }, "spec.image"],
  ])("refuses %j", (spec, field) => {
    expect(GuestbookSchema.validate(guestbook("wrong", spec))).toMatchObject([{ field }]);
  });
});

describe("Guestbook webhook", () => {
  let suite: WebhookSuite;

  beforeAll(async () => {
    suite = await startWebhookSuite();
  });

  afterAll(() => suite?.stop());

  // The +kubebuilder:webhook markers determine when the API server calls the webhooks; the decision does not matter here.
  it("is called by the API server when an object is created or updated", async () => {
    const asked = await checkAdmission({
      environment: ENVIRONMENT,
      setup: setupGuestbookWebhookWithManager,
      object: guestbook("asked", {}),
    });
    expect(asked).not.toEqual({});
  });

  it("sets the default image of a Guestbook without one", async () => {
    const created = await suite.client.create(guestbook("without-image", {}));
    expect(created.spec).toEqual({ size: 1, port: 8080, image: "registry.k8s.io/guestbook:v3" });
    expect(GuestbookSchema.validate(created)).toEqual([]);
    await suite.client.delete(created);
  });

  it.each(["registry.k8s.io/guestbook:latest", "registry.k8s.io/guestbook", "localhost:5000/guestbook"])(
    "refuses the image %s, which names no version",
    async (image) => {
      const refusal = suite.client.create(guestbook("moving", { image }));
      await expect(refusal).rejects.toSatisfy(isInvalid);
      await expect(refusal).rejects.toThrow(/spec\.image: Invalid value: ".+": must name a version/u);
    },
  );

  it.each(["registry.k8s.io/guestbook:v3", "localhost:5000/guestbook:1.0", `guestbook@sha256:${"0".repeat(64)}`])(
    "takes the image %s",
    async (image) => {
      const created = await suite.client.create(guestbook("fixed", { image }));
      expect(created.spec.image).toBe(image);
      await suite.client.delete(created);
    },
  );

  it("denies an update to an image without a version", async () => {
    const created = await suite.client.create(guestbook("changing", { size: 2 }));
    const change = suite.client.update({ ...created, spec: { ...created.spec, image: "guestbook:latest" } });
    await expect(change).rejects.toSatisfy(isInvalid);
    await suite.client.delete(created);
  });
});
