import { describe, expect, it } from "vitest";

import { createLineFinder } from "../../src/project/yaml-places.ts";

const TEXT = `# a comment
---
a: 1
---
# nothing
---
spec:
  # about ports
  ports:
    - name: one
    - name: two
      number: 2
  labels:
    a.b/c: x
  inline: { deep: [1, 2] }
`;

describe("the line of a field", () => {
  it.each([
    [0, "a", 3],
    [1, "spec", 7],
    [1, "spec.ports", 9],
    [1, "spec.ports[1].number", 12],
    [1, "spec.ports[1]", 11],
    [1, "spec.labels[a.b/c]", 14],
    [1, "spec.inline.deep[1]", 15],
    [1, "spec.ports[7].name", 9],
    [1, "spec.missing", 7],
    [1, "", 7],
    [1, "<nil>", 7],
    [9, "spec", 1],
  ])("of document %d, %s, is %d", (document, field, line) => {
    expect(createLineFinder(TEXT)(document, field)).toBe(line);
  });

  it("is also known in JSON and with CRLF", () => {
    expect(createLineFinder('{\r\n  "spec": {\r\n    "a": 1\r\n  }\r\n}\r\n')(0, "spec.a")).toBe(3);
  });
});
