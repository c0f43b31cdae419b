import { readFileSync } from "node:fs";

import { expect, it } from "vitest";

import { CHECK_CODES } from "../../src/checks/check-codes.ts";
import { COMPAT_CODES } from "../../src/checks/compat-codes.ts";
import { RELEASE_CODES } from "../../src/checks/release-codes.ts";

it.each([
  ["reference/generator-checks.md", CHECK_CODES],
  ["reference/crd-compat.md", COMPAT_CODES],
  ["reference/version-checks.md", RELEASE_CODES],
])("docs/%s lists every code with its severity, and no other", (page, codes) => {
  const text = readFileSync(new URL(`../../../../docs/${page}`, import.meta.url), "utf8");
  const rows = [...text.matchAll(/^\| `([A-Z_]+)` \| (\w+) \| [^|]+ \| [^|]+ \|$/gmu)].map(([, code, severity]) => [
    code,
    severity,
  ]);
  expect(rows).toEqual(codes.map(({ code, severity }) => [code, severity]));
});
