import { expect, it } from "vitest";

import { licenseHeader, withoutLicenseHeader } from "../../src/machinery/license-header.ts";

it.each([
  ["/*\nCopyright Acme.\n*/\n\n", "export const a = 1;\n"],
  ["/* Copyright Acme. */\n", "/** Documents a. */\nexport const a = 1;\n"],
  ["", "/** Documents a. */\nexport const a = 1;\n"],
  ["", "// Not a license.\n/* nor this */\nexport const a = 1;\n"],
])("tells the license %j from what is below it", (header, body) => {
  expect([licenseHeader(header + body), withoutLicenseHeader(header + body)]).toEqual([header, body]);
});
