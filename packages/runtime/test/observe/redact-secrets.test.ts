import { describe, expect, it } from "vitest";

import { redactPatch, redactSecrets } from "../../src/observe/redact-secrets.ts";

const SECRET = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: {
    name: "s",
    annotations: { "kubectl.kubernetes.io/last-applied-configuration": '{"data":{"password":"aGlkZGVu"}}', a: "b" },
  },
  data: { password: "aGlkZGVu" },
  stringData: { token: "pass" },
};

describe("redactSecrets", () => {
  it("keeps the keys and the rest of a Secret", () => {
    expect(redactSecrets(SECRET)).toEqual({
      ...SECRET,
      metadata: {
        name: "s",
        annotations: { "kubectl.kubernetes.io/last-applied-configuration": "REDACTED", a: "b" },
      },
      data: { password: "REDACTED" },
      stringData: { token: "REDACTED" },
    });
  });

  it("finds Secrets at any depth, and in lists whose items have no kind", () => {
    const { kind: _, ...item } = SECRET;
    const printed = JSON.stringify(
      redactSecrets({ request: { object: SECRET, oldObject: [SECRET] }, list: { kind: "SecretList", items: [item] } }),
    );
    expect(printed).not.toMatch(/aGlkZGVu|"pass"/u);
  });

  it("returns other values as they are", () => {
    const configMap = { kind: "ConfigMap", metadata: {}, data: { a: "b" } };
    expect(redactSecrets(configMap)).toBe(configMap);
  });

  it("removes the values of patches", () => {
    expect(
      redactPatch([
        { op: "add", path: "/data/a", value: "x" },
        { op: "remove", path: "/data/b" },
      ]),
    ).toEqual([
      { op: "add", path: "/data/a", value: "REDACTED" },
      { op: "remove", path: "/data/b" },
    ]);
  });
});
