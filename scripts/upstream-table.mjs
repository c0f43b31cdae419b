// `node scripts/upstream-table.mjs`: writes docs/migrate/from-controller-runtime.md. With `--check`, fails when the page is stale; with `--record`, lists the
// exported symbols of upstream in test/architecture/upstream-packages.txt first, which needs Go.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { ROOT } from "./ensure-installed.mjs";
import { declarations, MODULES, packageFolders } from "./upstream-sources.mjs";
import { renderPage } from "./upstream-table/page.mjs";
import { explain } from "./upstream-table/rows.mjs";

const LIST = path.join(ROOT, "test/architecture/upstream-packages.txt");
const PAGE = path.join(ROOT, "docs/migrate/from-controller-runtime.md");
// Symbols that no docstring names, by package: [status, symbols (`*` matches any letters), counterpart, note]. The first rule that matches explains a symbol.
const RULES = Object.fromEntries(
  ["controller-runtime", "client-go", "apimachinery"].map((module) => [
    module,
    JSON.parse(readFileSync(path.join(ROOT, "scripts/upstream-table", `${module}.json`), "utf8")),
  ]),
);
const PACKAGES = {
  "controller-runtime": () => [".", ...packageFolders("controller-runtime", "pkg")],
  "client-go": () => [
    ...["tools", "util", "dynamic", "metadata"].flatMap((folder) => [folder, ...packageFolders("client-go", folder)]),
    "informers",
    "informers/internalinterfaces",
    "listers",
    "scale",
    "gentype",
    "rest",
    "transport",
    "restmapper",
    "discovery",
  ],
  apimachinery: () => [
    "pkg/api/equality",
    "pkg/api/errors",
    "pkg/api/meta",
    "pkg/api/resource",
    "pkg/apis/meta/v1",
    "pkg/apis/meta/v1/unstructured",
    "pkg/conversion",
    "pkg/fields",
    "pkg/labels",
    "pkg/runtime",
    "pkg/runtime/schema",
    "pkg/selection",
    "pkg/types",
    "pkg/util/duration",
    "pkg/util/errors",
    "pkg/util/intstr",
    "pkg/util/json",
    "pkg/util/jsonmergepatch",
    "pkg/util/managedfields",
    "pkg/util/mergepatch",
    "pkg/util/rand",
    "pkg/util/runtime",
    "pkg/util/sets",
    "pkg/util/strategicpatch",
    "pkg/util/uuid",
    "pkg/util/validation",
    "pkg/util/validation/field",
    "pkg/util/wait",
    "pkg/util/yaml",
    "pkg/watch",
  ],
};

if (process.argv.includes("--record")) writeFileSync(LIST, recordSymbols());
const { packages, problems } = explain({
  recorded: readFileSync(LIST, "utf8"),
  rules: RULES,
  mirrors: mirroredSymbols(),
  publicNames: publicNames(),
});
const page = renderPage(packages, readFileSync(LIST, "utf8"));
const isStale = process.argv.includes("--check") && (!existsSync(PAGE) || readFileSync(PAGE, "utf8") !== page);
if (isStale) problems.push("docs/migrate/from-controller-runtime.md is stale: run `node scripts/upstream-table.mjs`");
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}
if (!process.argv.includes("--check")) writeFileSync(PAGE, page);

function recordSymbols() {
  const modules = Object.keys(PACKAGES).map((module) => `# ${MODULES[module]}`);
  const lines = Object.entries(PACKAGES).flatMap(([module, folders]) =>
    folders().flatMap((folder) => {
      const symbols = [...declarations(module, folder)]
        .filter((name) => /^[A-Z]/u.test(name))
        .toSorted((left, right) => (left < right ? -1 : 1));
      return symbols.map((symbol) => `${module} ${folder} ${symbol}`);
    }),
  );
  return `${[...modules, ...lines].join("\n")}\n`;
}

// The upstream symbols that docstrings name, with the names that index.ts exports for them.
function mirroredSymbols() {
  const files = execFileSync("git", ["ls-files", "packages/*/src/*.ts"], { cwd: ROOT, encoding: "utf8" })
    .trim()
    .split("\n");
  const names = publicNames();
  const namespaces = namespaceFiles();
  return files.flatMap((file) => {
    const text = readFileSync(path.join(ROOT, file), "utf8");
    return [
      ...text.matchAll(/^ \* (?<module>controller-runtime|client-go|apimachinery): (?<symbol>[\w./-]+)$/gmu),
    ].flatMap(({ groups, index }) => {
      const after = text.slice(text.indexOf("*/", index));
      const name =
        /^\*\/\s*export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|class|interface|type) (?<name>\w+)/u.exec(
          after,
        )?.groups.name;
      const exported = [
        name,
        ...namespaces.filter((each) => file.includes(each.folder)).map((each) => `${each.name}.${name}`),
      ].findLast((each) => names.has(each));
      if (exported === undefined) return [];
      const dot = groups.symbol.search(/\.[A-Z]/u);
      return [
        {
          module: groups.module,
          folder: groups.symbol.slice(0, dot),
          symbol: groups.symbol.slice(dot + 1),
          name: exported,
        },
      ];
    });
  });
}

function namespaceFiles() {
  const index = readFileSync(path.join(ROOT, "packages/runtime/src/index.ts"), "utf8");
  return [...index.matchAll(/export \* as (?<name>\w+) from "\.\/(?<folder>.+\/)[\w-]+\.ts"/gu)].map(({ groups }) => ({
    name: groups.name,
    folder: `runtime/src/${groups.folder}`,
  }));
}

function publicNames() {
  const files = [
    "runtime-src-index",
    "envtest-src-index",
    "envtest-src-fake-client-index",
    "envtest-src-matchers-index",
    "k8s-src-index",
    "k8s-src-api-meta-v1",
    "k8s-src-yaml-index",
    "schema-src-index",
  ];
  return new Set(
    files.flatMap((file) =>
      readFileSync(path.join(ROOT, `test/architecture/public-api/${file}.api.txt`), "utf8")
        .trim()
        .split("\n"),
    ),
  );
}
