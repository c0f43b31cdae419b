import { describe, expect, it } from "vitest";

import { listSources, readSource } from "./source-files.ts";

const CODE_IN_SOURCE =
  /["']((?:CLI|PROJECT|JOURNAL|SCAFFOLD|TEMPLATE|PLUGIN|LOADER|MARKER|GENERATE|CRD|COMPAT|IMPORT|DOWNLOAD|IMAGE|DEPLOY_IMAGE|AUTOUPDATE|HELM|MANIFEST|QUANTITY|SELECTOR|INT|SCHEMA|CONFIG|CLIENT|CACHE|CONTROLLER|LOG|MANAGER|LEADER|WEBHOOK|APISERVER|ENVTEST)_[A-Z0-9_]+)["']/gu;
const CODE_IN_DOCS = /^\| `?([A-Z0-9]+_[A-Z0-9_]+)`?\s*\|/gmu;

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
