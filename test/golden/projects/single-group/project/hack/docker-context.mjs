/*
Copyright <year> Acme.
*/

// Makes dist/docker-context for projects that depend on packages by path, which an image cannot reach: each becomes a tarball there, and
// its package.json names the tarballs. Of the development dependencies it keeps the bundler, which is all that the image is built with.
// Without dependencies by path there is nothing to do.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

const TARGET = path.join("dist", "docker-context");
const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const npm = process.platform === "win32" ? "npm.cmd" : "npm";

rmSync(TARGET, { recursive: true, force: true });
const packed = Object.fromEntries(
  Object.entries(manifest.dependencies ?? {})
    .filter(([, spec]) => spec.startsWith("file:<repository>/"))
    .map(([name, spec]) => [name, packageAsTarball(path.resolve(spec.slice("file:<repository>/".length)))]),
);
const count = Object.keys(packed).length;
if (count === 0) {
  console.log("docker-context: no dependency is a path, so the Dockerfile needs nothing else");
} else {
  manifest.dependencies = { ...manifest.dependencies, ...packed };
  manifest.devDependencies = { esbuild: manifest.devDependencies.esbuild };
  writeFileSync(path.join(TARGET, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  console.log(`docker-context: ${count} packages in ${TARGET}`);
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
  const report = JSON.parse(output);
  const [{ filename }] = Array.isArray(report) ? report : Object.values(report);
  return `file:packages/${filename}`;
}
