import { describe, expect, it } from "vitest";

import { SecretValues } from "../../src/verify/secret-values.ts";

function secretOf(...values: readonly string[]): SecretValues {
  const secrets = new SecretValues();
  const data = Object.fromEntries(
    values.map((value, index) => [`key${String(index)}`, Buffer.from(value).toString("base64")]),
  );
  secrets.add({ kind: "Secret", data });
  return secrets;
}

describe("SecretValues", () => {
  it("removes values and their encoded form from all texts of a value", () => {
    const secrets = secretOf('hunter"2\n');
    const encoded = Buffer.from('hunter"2\n').toString("base64");
    const shown = { output: ['password is hunter"2\n, '], differences: [{ expected: { data: encoded }, actual: 1 }] };
    expect(secrets.redact(shown)).toEqual({
      output: ["password is <redacted>, "],
      differences: [{ expected: { data: "<redacted>" }, actual: 1 }],
    });
  });

  it("removes a value that contains another one as a whole", () => {
    expect(secretOf("secret", "secret-sauce").redact(["secret-sauce"])).toEqual(["<redacted>"]);
  });

  it("leaves other values, and short ones, as they are", () => {
    const value = { text: "true", list: [1, null] };
    expect(secretOf("true").redact(value)).toBe(value);
  });

  it("ignores objects that are no Secrets", () => {
    const secrets = new SecretValues();
    secrets.add({ kind: "ConfigMap", data: { color: "turquoise" } });
    expect(secrets.redact("turquoise")).toBe("turquoise");
  });

  it("stands in for equal values with equal texts, which differ in another process", () => {
    const secrets = new SecretValues();
    expect(secrets.hide("a")).toBe(secrets.hide("a"));
    expect(secrets.hide("a")).not.toBe(secrets.hide("b"));
    expect(secrets.hide("a")).not.toBe(new SecretValues().hide("a"));
  });
});
