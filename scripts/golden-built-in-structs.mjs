// Lets controller-gen make a kind of every struct type of the built-in groups, without descriptions, and records a digest of each CRD.
//
// node scripts/golden-built-in-structs.mjs [name…]
//
// The names are those of the recorded file, such as core/v1.Container, and those given in addition.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { installControllerGen, prepareModule, run } from "./controller-gen.mjs";

const FILE = fileURLToPath(new URL("../test/generators/fixtures/built-in-structs.json", import.meta.url));

const recorded = existsSync(FILE) ? Object.keys(JSON.parse(readFileSync(FILE, "utf8"))) : [];
const names = [...new Set([...recorded, ...process.argv.slice(2)])].toSorted((left, right) => (left < right ? -1 : 1));
const folder = path.join(prepareModule(), "structs");
const digests = digestsOf(writePackage());
writeFileSync(
  FILE,
  `${JSON.stringify(Object.fromEntries(names.map((name) => [name, digests.get(kindOf(name))])), null, 2)}\n`,
);
console.log(`${names.length} digests written`);

// core/v1.Container becomes CoreV1Container.
function kindOf(name) {
  const [group = "", rest = ""] = name.split("/");
  const [version = "", struct = ""] = rest.split(".");
  return [group, version, struct].map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join("");
}

function writePackage() {
  const groups = [...new Set(names.map((name) => name.split(".")[0] ?? ""))];
  const imports = groups
    .filter((group) => group !== "meta/v1")
    .map((group) => `\t${aliasOf(group)} "k8s.io/api/${group}"\n`);
  const kinds = names.map((name) => {
    const [group = "", struct = ""] = name.split(".");
    return `type ${kindOf(name)} struct {
\tmetav1.TypeMeta   \`json:",inline"\`
\tmetav1.ObjectMeta \`json:"metadata,omitempty"\`

\tValue ${aliasOf(group)}.${struct} \`json:"value"\`
}
`;
  });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(path.join(folder, "v1"), { recursive: true });
  writeFileSync(
    path.join(folder, "v1", "types.go"),
    `// +groupName=golden.example.com\npackage v1\n\nimport (\n${imports.join("")}\tmetav1 "k8s.io/apimachinery/pkg/apis/meta/v1"\n)\n\n${kinds.join("\n")}`,
  );
  const options = "crd:maxDescLen=0,omitToolVersion=true,allowDangerousTypes=true";
  return run(installControllerGen(), [options, "paths=./...", "output:stdout"], { cwd: folder });
}

function aliasOf(group) {
  return group === "meta/v1" ? "metav1" : group.replaceAll("/", "");
}

function digestsOf(text) {
  const documents = text.split(/^---\n/mu).slice(1);
  return new Map(
    documents.map((document) => [
      /^ {4}kind: (\w+)$/mu.exec(document)?.[1] ?? "",
      createHash("sha256").update(document).digest("hex").slice(0, 16),
    ]),
  );
}
