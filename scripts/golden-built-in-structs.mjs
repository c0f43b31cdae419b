// Lets controller-gen generate the CRD of a kind around every struct and every named string of the built-in groups, without descriptions, and records
// a digest of each CRD; of those that `generateEmbeddedObjectMeta=true` changes, another one; and one of each CRD with descriptions. Of other minor
// versions of Kubernetes it records the digests that differ.
//
// node scripts/golden-built-in-structs.mjs [name…]
//
// The names are those of the recorded file, such as core/v1.Container, all named strings, and those given in addition.
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { DEFAULT_MINOR, pinnedMinors } from "./control-plane-pins.mjs";
import { installControllerGen, run } from "./controller-gen.mjs";

const FIXTURES = fileURLToPath(new URL("../packages/generators/test/crd/fixtures/", import.meta.url));
const FILE = fileURLToPath(new URL("../packages/generators/test/crd/fixtures/built-in-structs.json", import.meta.url));
const EMBEDDED_FILE = fileURLToPath(
  new URL("../packages/generators/test/crd/fixtures/built-in-structs-embedded-metadata.json", import.meta.url),
);

const DESCRIBED_FILE = fileURLToPath(
  new URL("../packages/generators/test/crd/fixtures/built-in-structs-described.json", import.meta.url),
);

const STRING_TYPES = fileURLToPath(new URL("k8s-types/string-types.json", import.meta.url));
// Pins the versions of the packages, by minor version.
const STRUCTS = fileURLToPath(new URL("k8s-structs", import.meta.url));

// Where the packages of all other groups are.
const API = "k8s.io/api";
const PACKAGES = {
  "apiextensions/v1": "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1",
  "apiregistration/v1": "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1",
  "meta/v1": "k8s.io/apimachinery/pkg/apis/meta/v1",
};

// controller-gen 0.23.0 finds no values for the enum marker of this type, and fails.
const REFUSED = "resource/v1.DeviceAllocationMode";

const { values, aliases } = JSON.parse(readFileSync(STRING_TYPES, "utf8"));
const strings = Object.keys({ ...values, ...aliases }).filter((name) => name !== REFUSED);
const recorded = existsSync(FILE) ? Object.keys(JSON.parse(readFileSync(FILE, "utf8"))) : [];
const existing = namesIn(DEFAULT_MINOR);
const names = [...new Set([...recorded, ...strings, ...process.argv.slice(2)])]
  .filter((name) => existing.has(name))
  .toSorted((left, right) => (left < right ? -1 : 1));
const { digests, embedded, described } = digestsWith(DEFAULT_MINOR, names);
writeDigests(FILE, names, digests);
const changed = names.filter((name) => embedded.get(kindOf(name)) !== digests.get(kindOf(name)));
writeDigests(EMBEDDED_FILE, changed, embedded);
writeDigests(DESCRIBED_FILE, names, described);
console.log(`${names.length} digests written, ${changed.length} of CRDs with embedded metadata`);
for (const minor of pinnedMinors().filter((each) => each !== DEFAULT_MINOR)) writeOtherVersion(minor);

// A digest of null is that of a type which the version lacks.
function writeOtherVersion(minor) {
  const known = namesIn(minor);
  const existing = names.filter((name) => known.has(name));
  const other = digestsWith(minor, existing);
  const differing = (key, base) =>
    Object.fromEntries(
      names
        .filter((name) => other[key].get(kindOf(name)) !== base.get(kindOf(name)))
        .map((name) => [name, other[key].get(kindOf(name)) ?? null]),
    );
  const values = {
    plain: differing("digests", digests),
    embedded: differing("embedded", embedded),
    described: differing("described", described),
  };
  writeFileSync(path.join(FIXTURES, `built-in-structs-${minor}.json`), `${JSON.stringify(values, null, 2)}\n`);
  console.log(`${minor}: ${Object.keys(values.plain).length} digests differ`);
}

function namesIn(minor) {
  const { schemas } = JSON.parse(run("go", ["run", ".", minor], { cwd: STRUCTS }));
  return new Set(Object.keys(schemas));
}

function digestsWith(minor, wanted) {
  const folder = mkdtempSync(path.join(tmpdir(), "golden-built-in-structs-"));
  try {
    cpSync(path.join(STRUCTS, "types", minor), folder, { recursive: true });
    writePackage(folder, wanted);
    return {
      digests: digestsOf(generate(folder, "maxDescLen=0")),
      embedded: digestsOf(generate(folder, "maxDescLen=0,generateEmbeddedObjectMeta=true")),
      described: digestsOf(generate(folder, "maxDescLen=-1")),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

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

function writePackage(folder, wanted) {
  const groups = [...new Set(wanted.map((name) => name.split(".")[0] ?? ""))];
  const imports = groups
    .filter((group) => group !== "meta/v1")
    .map((group) => `\t${aliasOf(group)} "${packageOf(group)}"\n`);
  const kinds = wanted.map((name) => {
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

function generate(folder, own) {
  const options = `crd:${own},omitToolVersion=true,allowDangerousTypes=true`;
  return run(installControllerGen(), [options, "paths=./v1", "output:stdout"], { cwd: folder });
}

function packageOf(group) {
  return PACKAGES[group] ?? `${API}/${group}`;
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
