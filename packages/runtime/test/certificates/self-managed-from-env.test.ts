import { describe, expect, it } from "vitest";

import { selfManagedFromEnv } from "../../src/certificates/self-managed-from-env.ts";
import { selfManaged } from "../../src/certificates/self-managed.ts";

const ENV = {
  CERTIFICATES_SECRET: "harbor-webhook-certificates",
  WEBHOOK_SERVICE: "harbor-webhook-service",
  METRICS_SERVICE: "harbor-metrics-service",
  VALIDATING_WEBHOOK_CONFIGURATION: "harbor-validating-webhook-configuration",
  MUTATING_WEBHOOK_CONFIGURATION: "one, two,",
};

describe("selfManagedFromEnv", () => {
  it("reads the names that the manifests set", () => {
    const settings = selfManagedFromEnv({ env: ENV, customResourceDefinitions: ["captains.crew.example.com"] });
    expect(settings).toEqual(
      selfManaged({
        secretName: "harbor-webhook-certificates",
        serviceName: "harbor-webhook-service",
        metricsServiceName: "harbor-metrics-service",
        validatingWebhookConfigurations: ["harbor-validating-webhook-configuration"],
        mutatingWebhookConfigurations: ["one", "two"],
        customResourceDefinitions: ["captains.crew.example.com"],
      }),
    );
  });

  it("reads the namespace and the addresses of a manager outside of a cluster", () => {
    const env = {
      CERTIFICATES_SECRET: "a",
      CERTIFICATES_NAMESPACE: "harbor-system",
      CERTIFICATES_IP_ADDRESSES: "127.0.0.1,::1",
    };
    expect(selfManagedFromEnv({ env })).toMatchObject({
      namespace: "harbor-system",
      ipAddresses: ["127.0.0.1", "::1"],
      serviceName: undefined,
    });
  });

  it("prefers options to variables", () => {
    expect(selfManagedFromEnv({ env: ENV, secretName: "mine", mutatingWebhookConfigurations: [] })).toMatchObject({
      secretName: "mine",
      mutatingWebhookConfigurations: [],
      serviceName: "harbor-webhook-service",
    });
  });

  it.each([{}, { CERTIFICATES_SECRET: "" }, { CERTIFICATES_SECRET: " ", WEBHOOK_SERVICE: "a" }])(
    "returns undefined without the name of a Secret: %o",
    (env) => {
      expect(selfManagedFromEnv({ env })).toBeUndefined();
    },
  );

  it("refuses names that a certificate cannot have", () => {
    expect(() => selfManagedFromEnv({ env: { ...ENV, METRICS_SERVICE: "bücher" } })).toThrow(/invalid host name/u);
    expect(() => selfManagedFromEnv({ env: { CERTIFICATES_SECRET: "a" } })).toThrow(/the certificate has no names/u);
  });
});
