import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { inject } from "vitest";

import { ROOT } from "../architecture/source-files.ts";

/** The program as it is published, built from this repository. */
export const PROGRAM: string = path.join(ROOT, "dist", "scaffold.cjs");

/** The committed examples. */
export type ExampleName =
  | "addingress"
  | "cronjob"
  | "dnsrecord"
  | "guestbook"
  | "memcached"
  | "multicluster"
  | "multiversion"
  | "namespaceplus"
  | "website";

const LEFT_OUT = new Set(["node_modules", "dist", ".kubescaffold"]);

/** A project in its own folder. */
export interface ProjectCopy {
  readonly root: string;
  readonly remove: () => void;
}

/** Returns the folder of a committed example. */
export function exampleFolder(name: ExampleName): string {
  return path.join(ROOT, "examples", name);
}

/** Copies an example into its own folder. */
export function copyExample(name: ExampleName = "guestbook"): ProjectCopy {
  return newProject((root) => {
    cpSync(exampleFolder(name), root, { recursive: true, filter: (file) => !LEFT_OUT.has(path.basename(file)) });
  });
}

/** Makes a folder for a project, which finds the packages of this repository and their dependencies as if it had installed them. */
export function newProject(fill: (root: string) => void = () => undefined): ProjectCopy {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "kubescaffold-project-")));
  fill(root);
  linkInstallation(root);
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** Gives a project the packages of this repository and their dependencies. */
export function linkInstallation(root: string): void {
  symlinkSync(inject("installation"), path.join(root, "node_modules"), "junction");
}
