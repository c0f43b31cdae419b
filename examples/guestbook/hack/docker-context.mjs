/*
Copyright 2026 The Kubescaffold authors.

SPDX-License-Identifier: Apache-2.0
*/

// Makes dist/docker-context for projects that depend on packages by path, which an image cannot reach: each becomes a tarball there, and
// package.json and its lock name the tarballs. Without such dependencies there is nothing to do.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync, copyFileSync } from "node:fs";
import path from "node:path";

const TARGET = path.join("dist", "docker-context");
const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const npm = process.platform === "win32" ? "npm.cmd" : "npm";

rmSync(TARGET, { recursive: true, force: true });
const replaced = {};
for (const group of ["dependencies", "devDependencies"]) {
  for (const [name, spec] of Object.entries(manifest[group] ?? {})) {
    if (spec.startsWith("file:")) replaced[name] = packageAsTarball(path.resolve(spec.slice("file:".length)));
  }
}
if (Object.keys(replaced).length === 0) {
  console.log("docker-context: no dependency is a path; the Dockerfile needs nothing else");
} else {
  for (const group of ["dependencies", "devDependencies"]) {
    for (const name of Object.keys(manifest[group] ?? {})) {
      if (name in replaced) manifest[group][name] = replaced[name];
    }
  }
  // The tarballs depend on each other by version: these are the ones meant.
  manifest.overrides = {
    ...manifest.overrides,
    ...Object.fromEntries(Object.keys(replaced).map((name) => [name, `$${name}`])),
  };
  writeFileSync(path.join(TARGET, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  execFileSync(
    npm,
    ["install", "--package-lock-only", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"],
    {
      cwd: TARGET,
      stdio: "inherit",
      shell: process.platform === "win32",
    },
  );
  console.log(`docker-context: ${Object.keys(replaced).length} packages in ${TARGET}`);
}

function packageAsTarball(source) {
  const folder = path.join(TARGET, "packages");
  mkdirSync(folder, { recursive: true });
  if (statSync(source).isFile()) {
    copyFileSync(source, path.join(folder, path.basename(source)));
    return `file:packages/${path.basename(source)}`;
  }
  const output = execFileSync(npm, ["pack", "--json", "--ignore-scripts", "--pack-destination", path.resolve(folder)], {
    cwd: source,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  const packed = JSON.parse(output);
  const [{ filename }] = Array.isArray(packed) ? packed : Object.values(packed);
  return `file:packages/${filename}`;
}
