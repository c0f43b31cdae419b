import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { ValidatingWebhookConfiguration } from "@kubescaffold/k8s/admissionregistration/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { newWebhookManagedBy, type WebhookHost } from "@kubescaffold/runtime";
import { describe, expect, it } from "vitest";

import { type AskedOperations, checkAdmission } from "../../src/environment/check-admission.ts";
import { standInDefinition } from "../../src/install/install-crds.ts";

const TIMEOUT = { timeout: 120_000 };
const GROUP = "admission.example.com";
const Sample: Kind<KubernetesObject> = defineKind({ group: GROUP, version: "v1" }, "Sample");
const OBJECT: KubernetesObject = {
  apiVersion: `${GROUP}/v1`,
  kind: "Sample",
  metadata: { name: "one", namespace: "default" },
};
const PATH = "/validate-admission-example-com-v1-sample";

// They would refuse everything.
const refuse = (): never => {
  throw new Error("refused");
};
const validator = { validateCreate: refuse, validateUpdate: refuse, validateDelete: refuse };

function setup(host: WebhookHost): void {
  newWebhookManagedBy(host).for(Sample).withDefaulter({ default: refuse }).withValidator(validator).complete();
}

type Webhook = NonNullable<ValidatingWebhookConfiguration["webhooks"]>[number];
type Rule = NonNullable<Webhook["rules"]>[number];

function webhook(path: string, change: Partial<Rule> = {}): Webhook {
  return {
    name: `a${path.slice(1)}.example.com`,
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    clientConfig: { service: { namespace: "system", name: "webhook-service", path } },
    rules: [
      { apiGroups: [GROUP], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: ["samples"], ...change },
    ],
  };
}

const apiVersion = "admissionregistration.k8s.io/v1";
const MUTATING = {
  apiVersion,
  kind: "MutatingWebhookConfiguration",
  metadata: { name: "mutating" },
  webhooks: [webhook(PATH.replace("validate", "mutate"))],
};
const VALIDATING = { apiVersion, kind: "ValidatingWebhookConfiguration", metadata: { name: "validating" } };

const CRDS = { crds: [standInDefinition(Sample)] };

function check({ crds }: typeof CRDS, ...webhooks: readonly Webhook[]): Promise<AskedOperations> {
  return checkAdmission({
    environment: {
      crds,
      webhooks: { configurations: [MUTATING, { ...VALIDATING, webhooks }] },
    },
    setup,
    object: OBJECT,
  });
}

describe("the check of the webhooks that an API server calls", TIMEOUT, () => {
  it("passes when every webhook is called, regardless of its decision, and others are not served", async () => {
    expect(await check(CRDS, webhook(PATH), webhook("/validate-something-else"))).toEqual({
      [PATH.replace("validate", "mutate")]: ["CREATE", "UPDATE"],
      [PATH]: ["CREATE", "UPDATE"],
    });
  });

  it.each([
    ["no webhook", []],
    ["another path", [webhook("/validate-other")]],
  ])("names the path when the configurations have %s for it", async (_title, webhooks) => {
    await expect(check(CRDS, ...webhooks)).rejects.toMatchObject({
      code: "ENVTEST_NOT_ASKED",
      message: expect.stringContaining(`served at ${PATH}, and no webhook configuration has that path`),
    });
  });

  it.each<[string, Partial<Rule>, RegExp]>([
    ["verbs that lack one", { operations: ["CREATE"] }, /was not called when a Sample was changed$/u],
    ["other resources", { resources: ["sample"] }, /Sample was created; .* Sample was changed$/u],
    ["another group", { apiGroups: ["example.com"] }, /Sample was created; .* Sample was changed$/u],
    ["another version", { apiVersions: ["v2"] }, /Sample was created; .* Sample was changed$/u],
    ["a subresource", { resources: ["samples/status"] }, /Sample was created; .* Sample was changed$/u],
  ])("names what the webhook is not asked about with %s", async (_title, change, message) => {
    const found = await check(CRDS, webhook(PATH, change)).catch((error: unknown) => error);
    expect(found).toMatchObject({ code: "ENVTEST_NOT_ASKED", message: expect.stringMatching(message) });
    expect(String(found)).not.toContain("mutate");
  });

  it("fails for a webhook that is called with another version of the kind", async () => {
    const definition = standInDefinition(Sample);
    const [version] = definition.spec.versions;
    definition.spec.versions.push({ ...version!, name: "v2", storage: false });
    const crds = [definition];
    const found = await check({ crds }, webhook(PATH, { apiVersions: ["v2"] })).catch((error: unknown) => error);
    expect(String(found)).toMatch(/Sample was created; .* Sample was changed$/u);
  });

  it.each(["/mutate-admission-example-com-v1-sample", "/fill-it-in"])(
    "finds a defaulter among the webhooks that may change nothing, at %s",
    async (path) => {
      const configurations = [{ ...VALIDATING, webhooks: [webhook(path)] }];
      const defaulting = (host: WebhookHost): void =>
        newWebhookManagedBy(host)
          .for(Sample)
          .withDefaulter({ default: refuse })
          .withDefaulterCustomPath(path)
          .complete();
      await expect(
        checkAdmission({ environment: { webhooks: { configurations } }, setup: defaulting, object: OBJECT }),
      ).rejects.toThrow(`the webhook at ${path} is in a ValidatingWebhookConfiguration, and is a defaulter`);
    },
  );

  it("finds a validator among mutating webhooks, and ignores manually registered handlers", async () => {
    const configurations = [{ ...MUTATING, webhooks: [webhook(PATH)] }];
    const environment = { ...CRDS, webhooks: { configurations } };
    const validate = (host: WebhookHost): void =>
      newWebhookManagedBy(host).for(Sample).withValidator(validator).complete();
    await expect(checkAdmission({ environment, setup: validate, object: OBJECT })).rejects.toThrow(
      `the webhook at ${PATH} is in a MutatingWebhookConfiguration, and is a validator`,
    );
    const byHand = (host: WebhookHost): void =>
      host.getWebhookServer().register(PATH, async () => new Response("", { status: 500 }));
    expect(await checkAdmission({ environment, setup: byHand, object: OBJECT })).toEqual({
      [PATH]: ["CREATE", "UPDATE"],
    });
  });

  it("takes the operations that are given for a path", async () => {
    const environment = {
      ...CRDS,
      webhooks: { configurations: [{ ...VALIDATING, webhooks: [webhook(PATH, { operations: ["DELETE"] })] }] },
    };
    const validate = (host: WebhookHost): void =>
      newWebhookManagedBy(host).for(Sample).withValidator(validator).complete();
    const operations = { [PATH]: ["DELETE"] } as const;
    expect(await checkAdmission({ environment, setup: validate, object: OBJECT, operations })).toEqual(operations);
    await expect(checkAdmission({ environment, setup: validate, object: OBJECT })).rejects.toThrow(/was created/u);
  });

  it("fails for a kind without webhooks", async () => {
    const nothing = checkAdmission({ environment: {}, setup: () => undefined, object: OBJECT });
    await expect(nothing).rejects.toThrow("no webhook of Sample is registered");
  });
});
