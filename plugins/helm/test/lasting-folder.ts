import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll } from "vitest";

/** Makes a folder that is removed when the file of tests ends. */
export function lastingFolder(): string {
  const root = mkdtempSync(path.join(tmpdir(), "kubescaffold-helm-"));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  return root;
}
