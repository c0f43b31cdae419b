import { expect, it } from "vitest";

import { importScript } from "../support/import-script.ts";

const { releaseNotes } = await importScript<{
  readonly releaseNotes: (changelog: string, version: string) => string | undefined;
}>("release/release-notes.mjs");

const CHANGELOG = `# Changelog

## [0.3.0](https://example.com/compare/v0.2.0...v0.3.0) (2026-12-01)

### Added

- Later.

## 0.2.0 (2026-11-23)

- First.
- Second.

## 0.1.0
`;

it.each([
  ["0.2.0", "- First.\n- Second.\n"],
  ["0.3.0", "### Added\n\n- Later.\n"],
  ["0.1.0", undefined],
  ["0.2", undefined],
  ["0.3", undefined],
])("the notes of %s are the text below its heading", (version, notes) => {
  expect(releaseNotes(CHANGELOG, version)).toBe(notes);
});
