import { describe, expect, it } from "vitest";

import { listSources, readSource } from "./source-files.ts";

const CODE_IN_SOURCE =
  /["']((?:PROJECT|SCAFFOLD|PLUGIN|MARKER|GENERATE|LOADER|CLIENT|CACHE|LEADER|WEBHOOK|ENVTEST|MANIFEST|QUANTITY|SELECTOR|SCHEMA|PATCH|APISERVER|MANAGER|CONTROLLER|CONFIG|CLI|TEMPLATE|NAME)_[A-Z0-9_]+)["']/gu;
const CODE_IN_DOCS = /^\| `?([A-Z0-9]+_[A-Z0-9_]+)`? \|/gmu;

describe("error codes", () => {
  const documented = new Set([...readSource("docs/errors.md").matchAll(CODE_IN_DOCS)].map((match) => match[1] ?? ""));
  const used = new Set(
    listSources().flatMap((file) => [...readSource(file).matchAll(CODE_IN_SOURCE)].map((match) => match[1] ?? "")),
  );

  it("every code in the sources is documented", () => {
    expect([...used].filter((code) => !documented.has(code)).toSorted()).toEqual([]);
  });

  it("every documented code is in the sources", () => {
    expect([...documented].filter((code) => !used.has(code)).toSorted()).toEqual([]);
  });
});
