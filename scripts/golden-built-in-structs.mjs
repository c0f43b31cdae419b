// Lets controller-gen generate the CRD of a kind around every struct and every named string of the built-in groups, without descriptions, and records
// a digest of each CRD; of those that `generateEmbeddedObjectMeta=true` changes, another one; and one of each CRD with descriptions.
//
// node scripts/golden-built-in-structs.mjs [name…]
//
// The names are those of the recorded file, such as core/v1.Container, all named strings, and those given in addition.
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { installControllerGen, run } from "./controller-gen.mjs";

const FILE = fileURLToPath(new URL("../packages/generators/test/crd/fixtures/built-in-structs.json", import.meta.url));
const EMBEDDED_FILE = fileURLToPath(
  new URL("../packages/generators/test/crd/fixtures/built-in-structs-embedded-metadata.json", import.meta.url),
);

const DESCRIBED_FILE = fileURLToPath(
  new URL("../packages/generators/test/crd/fixtures/built-in-structs-described.json", import.meta.url),
);

const STRING_TYPES = fileURLToPath(new URL("k8s-types/string-types.json", import.meta.url));
// Pins the versions of the packages.
const MODULE = fileURLToPath(new URL("k8s-structs/types", import.meta.url));

// Where the packages of all other groups are.
const API = "k8s.io/api";
const PACKAGES = {
  "apiextensions/v1": "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1",
  "apiregistration/v1": "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1",
};

// controller-gen 0.23.0 finds no values for the enum marker of this type, and fails.
const REFUSED = "resource/v1.DeviceAllocationMode";

const { values, aliases } = JSON.parse(readFileSync(STRING_TYPES, "utf8"));
const strings = Object.keys({ ...values, ...aliases }).filter((name) => name !== REFUSED);
const recorded = existsSync(FILE) ? Object.keys(JSON.parse(readFileSync(FILE, "utf8"))) : [];
const names = [...new Set([...recorded, ...strings, ...process.argv.slice(2)])].toSorted((left, right) =>
  left < right ? -1 : 1,
);
const folder = mkdtempSync(path.join(tmpdir(), "golden-built-in-structs-"));
cpSync(MODULE, folder, { recursive: true });
writePackage();
const digests = digestsOf(generate("maxDescLen=0"));
const embedded = digestsOf(generate("maxDescLen=0,generateEmbeddedObjectMeta=true"));
const described = digestsOf(generate("maxDescLen=-1"));
rmSync(folder, { recursive: true, force: true });
writeDigests(FILE, names, digests);
const changed = names.filter((name) => embedded.get(kindOf(name)) !== digests.get(kindOf(name)));
writeDigests(EMBEDDED_FILE, changed, embedded);
writeDigests(DESCRIBED_FILE, names, described);
console.log(`${names.length} digests written, ${changed.length} of CRDs with embedded metadata`);

function writeDigests(file, written, of) {
  const entries = written.map((name) => [name, of.get(kindOf(name))]);
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
}

// core/v1.Container becomes CoreV1Container, and core/v1.PullPolicy CoreV1PullPolicyString: there are Capability and Capabilities.
function kindOf(name) {
  const [group = "", rest = ""] = name.split("/");
  const [version = "", type = ""] = rest.split(".");
  const kind = [group, version, type].map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join("");
  return strings.includes(name) ? `${kind}String` : kind;
}

function writePackage() {
  const groups = [...new Set(names.map((name) => name.split(".")[0] ?? ""))];
  const imports = groups
    .filter((group) => group !== "meta/v1")
    .map((group) => `\t${aliasOf(group)} "${PACKAGES[group] ?? `${API}/${group}`}"\n`);
  const kinds = names.map((name) => {
    const [group = "", struct = ""] = name.split(".");
    return `type ${kindOf(name)} struct {
\tmetav1.TypeMeta   \`json:",inline"\`
\tmetav1.ObjectMeta \`json:"metadata,omitempty"\`

\tValue ${aliasOf(group)}.${struct} \`json:"value"\`
}
`;
  });
  mkdirSync(path.join(folder, "v1"), { recursive: true });
  writeFileSync(
    path.join(folder, "v1", "types.go"),
    `// +groupName=golden.example.com\npackage v1\n\nimport (\n${imports.join("")}\tmetav1 "k8s.io/apimachinery/pkg/apis/meta/v1"\n)\n\n${kinds.join("\n")}`,
  );
}

function generate(own) {
  const options = `crd:${own},omitToolVersion=true,allowDangerousTypes=true`;
  return run(installControllerGen(), [options, "paths=./v1", "output:stdout"], { cwd: folder });
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
