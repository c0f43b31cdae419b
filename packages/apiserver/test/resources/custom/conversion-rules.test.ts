import { describe, expect, it } from "vitest";

import { conversionErrors, hasInvalidCaBundle } from "../../../src/resources/custom/conversion-rules.ts";
import type { CrdObject } from "../../../src/resources/custom/crd-object.ts";

const PATH = "spec.conversion";

function crdOf(conversion: object): CrdObject {
  return { metadata: {}, spec: { conversion } } as unknown as CrdObject;
}

function errorsOf(clientConfig: object, conversionReviewVersions: readonly string[] = ["v1"]): readonly string[] {
  const crd = crdOf({ strategy: "Webhook", webhook: { conversionReviewVersions, clientConfig } });
  return conversionErrors(crd, undefined).map(({ field, detail }) => `${field}: ${detail}`);
}

describe("conversionErrors", () => {
  it("row 122: wants an URL of HTTPS or a service, and not both", () => {
    expect(errorsOf({ url: "https://example.com:8443/convert" })).toEqual([]);
    expect(errorsOf({ service: { name: "s", namespace: "n", path: "/a/b", port: 8443 } })).toEqual([]);
    expect(errorsOf({})).toEqual([`${PATH}.webhookClientConfig: exactly one of url or service is required`]);
    expect(errorsOf({ url: "http://me@example.com/?a#b" })).toHaveLength(4);
  });

  it("wants review versions that are names, are there once, and one of which a server speaks", () => {
    expect(errorsOf({ url: "https://x" }, [])).toEqual([`${PATH}.conversionReviewVersions: `]);
    expect(errorsOf({ url: "https://x" }, ["v9", "v9"])).toEqual([
      `${PATH}.conversionReviewVersions[1]: duplicate version`,
      `${PATH}.conversionReviewVersions: must include at least one of v1, v1beta1`,
    ]);
  });

  it("wants no webhook for another strategy", () => {
    const webhook = { conversionReviewVersions: ["v1"], clientConfig: { url: "https://x" } };
    expect(conversionErrors(crdOf({ strategy: "None", webhook }), undefined)).toHaveLength(2);
    expect(conversionErrors(crdOf({ strategy: "None" }), undefined)).toEqual([]);
  });

  it("takes an authority that cannot be read until the definition is established", () => {
    const broken = crdOf({
      strategy: "Webhook",
      webhook: { conversionReviewVersions: ["v1"], clientConfig: { url: "https://x", caBundle: "bm8=" } },
    });
    const established: CrdObject = {
      ...crdOf({ strategy: "None" }),
      status: { conditions: [{ type: "Established", status: "True" }] },
    };
    expect(hasInvalidCaBundle(broken)).toBe(true);
    expect(conversionErrors(broken, undefined)).toEqual([]);
    expect(conversionErrors(broken, established)).toHaveLength(1);
    expect(conversionErrors(broken, { ...broken, status: established.status ?? {} })).toEqual([]);
  });
});
