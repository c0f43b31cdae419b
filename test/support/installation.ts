import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import type { TestProject } from "vitest/node";

import { ROOT } from "../architecture/source-files.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A `node_modules` as a project has it that installed the packages of this repository. */
    readonly installation: string;
  }
}

const MODULES = path.join(ROOT, "node_modules");
const SCOPE = "@kubescaffold";

/**
 * Makes the `node_modules` that the projects of all tests share, and removes it when the last test has ended.
 *
 * The packages of this repository are copies, as npm would put them there: a test runner transforms what a link leads to outside of `node_modules`, in every run.
 */
export function setup({ provide }: TestProject): () => void {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "kubescaffold-installation-")));
  const installation = path.join(folder, "node_modules");
  mkdirSync(path.join(installation, SCOPE), { recursive: true });
  for (const name of readdirSync(MODULES).filter((each) => each === ".bin" || !/^\.|^@kubescaffold$/u.test(each)))
    symlinkSync(path.join(MODULES, name), path.join(installation, name), "junction");
  for (const name of readdirSync(path.join(ROOT, "packages"))) copyPackage(name, installation);
  provide("installation", installation);
  return () => rmSync(folder, { recursive: true, force: true });
}

function copyPackage(name: string, installation: string): void {
  const source = path.join(ROOT, "packages", name);
  // What is not built is missing for the tests that need it, and for no others.
  for (const part of ["package.json", "dist", "releases"].filter((each) => existsSync(path.join(source, each))))
    cpSync(path.join(source, part), path.join(installation, SCOPE, name, part), { recursive: true });
}
