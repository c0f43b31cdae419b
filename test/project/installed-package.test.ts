import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { installedPackage } from "../../src/project/installed-package.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

it("the package of a project is in its folder, or in one above it, as in a monorepo", () => {
  const root = temporaryFolder();
  const project = path.join(root, "operators", "guestbook");
  mkdirSync(path.join(project, "node_modules"), { recursive: true });
  expect(installedPackage(project, "kubescaffold-none")).toBeUndefined();
  const install = (folder: string): string => {
    const installed = path.join(folder, "node_modules", "kubescaffold-none");
    mkdirSync(installed, { recursive: true });
    writeFileSync(path.join(installed, "package.json"), "{}");
    return installed;
  };
  const above = install(root);
  expect(installedPackage(project, "kubescaffold-none")).toBe(above);
  const own = install(project);
  expect(installedPackage(project, "kubescaffold-none")).toBe(own);
});
