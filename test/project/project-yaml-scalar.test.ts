import { readYaml } from "@kubescaffold/k8s/yaml";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

import { isReservedScalar, yamlScalar } from "../../src/project/project-yaml.ts";

const TRICKY = [
  ..."y|Y|n|yes|No|on|OFF|true|False|null|Null|NULL|~|=|<<|-|.|..|.5|5.|1e3|1E+3|1_000|0x1|0b1|0o7|017|08|1.5|1.2.3|+1|-1".split(
    "|",
  ),
  ...".inf|-.INF|.nan|2020-01-01|1:30|a: b|a #b|#a|@a|`a|%a|*a|&a|!a|[a]|{a}|'a'|\"a\"|a\\b| a|a |é".split("|"),
  "",
  "a\nb",
];

describe("yamlScalar", () => {
  it("is read as the same text by YAML 1.1 and 1.2", () => {
    const text = fc.oneof(fc.constantFrom(...TRICKY), fc.string(), fc.stringMatching(/^[-\d._exob+a-f]{1,8}$/u));
    fc.assert(
      fc.property(text, (value) => {
        const printed = `key: ${yamlScalar(value)}\nlist:\n- ${yamlScalar(value)}\n`;
        const expected = { key: value, list: [value] };
        expect(readYaml(printed)).toEqual(expected);
        expect(parse(printed, { version: "1.1" })).toEqual(expected);
        expect(parse(printed)).toEqual(expected);
      }),
      { numRuns: 2000, seed: 2026 },
    );
  });

  it.each(["guestbook", "webapp.my.domain", "0.1.0", "example.com/on", "v1", "Guestbook", "3scale.net"])(
    "leaves %s without quotes",
    (text) => expect(yamlScalar(text)).toBe(text),
  );

  it("knows every word that is no text without quotes", () => {
    const plain = TRICKY.filter((each) => /^\w[\w./-]*$/u.test(each) && typeof readYaml(each) !== "string");
    expect(plain.filter((each) => !isReservedScalar(each))).toEqual([]);
  });
});
