// The Go sources of the pinned upstream modules: where they are, and what they export. Needs Go, which downloads missing modules.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

// The versions that controller-runtime requires.
export const MODULES = {
  "controller-runtime": "sigs.k8s.io/controller-runtime@v0.25.2",
  "client-go": "k8s.io/client-go@v0.37.0",
  apimachinery: "k8s.io/apimachinery@v0.37.0",
  "k8s.io/utils": "k8s.io/utils@v0.0.0-20260626114624-be93311217bd",
};

// Exported functions, methods, types, constants, and variables of a package.
export function declarations(module, folder) {
  const directory = path.join(moduleDirectory(module), folder);
  if (!existsSync(directory)) return new Set();
  return new Set(
    goSources(directory).flatMap((name) => exportedNames(readFileSync(path.join(directory, name), "utf8").split("\n"))),
  );
}

// The folders of packages below a folder, without internal ones.
export function packageFolders(module, folder) {
  const root = moduleDirectory(module);
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((name) => !/(?:^|\/)(?:internal|testdata)(?:\/|$)/u.test(name))
    .filter((name) => goSources(path.join(root, name)).length > 0)
    .toSorted((left, right) => (left < right ? -1 : 1));
}

function goSources(directory) {
  return readdirSync(directory).filter((name) => name.endsWith(".go") && !name.endsWith("_test.go"));
}

function exportedNames(lines) {
  let isGroup = false;
  return lines.flatMap((line) => {
    if (/^(?:type|const|var) \($/u.test(line)) isGroup = true;
    if (line === ")") isGroup = false;
    const member = isGroup ? /^\t(?<name>[A-Z]\w*)/u.exec(line) : null;
    if (member !== null) return [member.groups.name];
    const method = /^func \((?<receiver>[^)]*)\) (?<name>[A-Z]\w*)/u.exec(line);
    if (method === null) return /^(?:func|type|const|var) (?<name>[A-Z]\w*)/u.exec(line)?.groups.name ?? [];
    const [type = ""] = method.groups.receiver.replace(/^\w+ /u, "").replace("*", "").split("[");
    return [`${type}.${method.groups.name}`];
  });
}

const directories = new Map();

function moduleDirectory(module) {
  if (!directories.has(module)) {
    const output = execFileSync("go", ["mod", "download", "-json", MODULES[module]], {
      cwd: tmpdir(),
      encoding: "utf8",
    });
    directories.set(module, JSON.parse(output).Dir);
  }
  return directories.get(module);
}
