import path from "node:path";

import { describe, expect, it } from "vitest";

import { readErrorCodes, renderErrorPage, renderErrorTexts, SECTIONS } from "./render-error-page.ts";
import { listSources, readSource, ROOT } from "./source-files.ts";

const CODES = readErrorCodes();
const AREAS = Object.values(SECTIONS).flat().join("|");

// Variables of the environment that begin as codes do.
const VARIABLES: ReadonlySet<string> = new Set([
  "ENVTEST_INSTALLED_ONLY",
  "ENVTEST_USE_ENV",
  "CERTIFICATES_IP_ADDRESSES",
  "CERTIFICATES_SECRET",
  "WEBHOOK_SERVICE",
]);

describe("error codes", () => {
  it("every code in the sources is documented", () => {
    const documented = new Set(CODES.map(({ code }) => code));
    const literal = new RegExp(`["']((?:${AREAS})_[A-Z0-9_]+)["']`, "gu");
    const used = listSources().flatMap((file) =>
      [...readSource(file).matchAll(literal)].map((match) => match[1] ?? ""),
    );
    expect([...new Set(used)].filter((code) => !documented.has(code) && !VARIABLES.has(code)).toSorted()).toEqual([]);
  });

  it("every documented code is in the sources", () => {
    const sources = listSources()
      .map((file) => readSource(file))
      .join("\n");
    expect(CODES.filter(({ code }) => !sources.includes(`"${code}"`))).toEqual([]);
  });

  it("no two errors have the same code", () => {
    const codes = CODES.map(({ code }) => code);
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
  });

  // `npm run docs:errors` regenerates the page.
  it("docs/reference/errors.md is what the declarations of the codes say", async () => {
    await expect(renderErrorPage(CODES)).toMatchFileSnapshot(path.join(ROOT, "docs/reference/errors.md"));
  });

  it("`explain` has the texts of the page", async () => {
    const file = path.join(ROOT, "src", "cli", "commands", "explain", "error-texts.ts");
    await expect(renderErrorTexts(CODES)).toMatchFileSnapshot(file);
  });
});
