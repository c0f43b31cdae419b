/**
 * Records which of the type pairs Go's conversion-gen converts, in `conversion-gen.json`. Needs Go; run it with `npx tsx` and the path of the
 * program of the version that the file names.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { TYPE_PAIRS, type TypePair } from "./type-pairs.ts";

const VERSION = "v0.37.2";
const [program = "conversion-gen"] = process.argv.slice(2);
const root = mkdtempSync(path.join(tmpdir(), "conversion-gen-"));
writeFileSync(
  path.join(root, "go.mod"),
  `module example.com/pairs\n\ngo 1.26\n\nrequire k8s.io/apimachinery ${VERSION}\n`,
);
// The program looks into these packages for functions.
const PEERS = ["pkg/apis/meta/v1", "pkg/conversion", "pkg/runtime"];
const imports = PEERS.map((name) => `import _ "k8s.io/apimachinery/${name}"`).join("\n");
writeFileSync(path.join(root, "peers.go"), `package pairs\n\n${imports}\n`);
execFileSync("go", ["mod", "tidy"], { cwd: root, stdio: "ignore" });
const folders = TYPE_PAIRS.map((pair, index) => writePair(pair, `p${String(index)}`));
const words = ["--output-file", "generated.go", "--skip-unsafe", ...folders.map((folder) => `./${folder}/spoke`)];
execFileSync(program, words, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
const answers = TYPE_PAIRS.map(({ name }, index) => ({ name, ...answerOf(folders[index] ?? "") }));
const text = `${JSON.stringify({ version: VERSION, answers }, undefined, 2)}\n`;
writeFileSync(path.join(import.meta.dirname, "conversion-gen.json"), text);

function writePair({ spoke, hub }: TypePair, folder: string): string {
  for (const [name, { go, moreGo = "" }] of [
    ["spoke", spoke],
    ["hub", hub],
  ] as const) {
    const directory = path.join(root, folder, name);
    mkdirSync(directory, { recursive: true });
    const peer = `// +k8s:conversion-gen=example.com/pairs/${folder}/hub\n\npackage ${name}\n`;
    if (name === "spoke") writeFileSync(path.join(directory, "doc.go"), peer);
    const fields = go.replaceAll(/; (?=[A-Z/])/gu, "\n");
    const source = `package ${name}\n\ntype T struct {\n${fields}\n}\n\n${moreGo}\n`;
    writeFileSync(path.join(directory, "types.go"), source);
  }
  return folder;
}

function answerOf(folder: string): { readonly toHub: string; readonly fromHub: string } {
  const text = readFileSync(path.join(root, folder, "spoke", "generated.go"), "utf8");
  return { toHub: verdict(text, "spoke", "hub"), fromHub: verdict(text, "hub", "spoke") };
}

// Without a public function for every struct, the file does not compile until somebody writes it.
function verdict(text: string, from: string, to: string): string {
  const automatic = [...text.matchAll(new RegExp(`func autoConvert_${from}_(\\w+)_To_${to}_\\w+\\(`, "gu"))];
  const missing = [...text.matchAll(new RegExp(`\\b(Convert_${from}_\\w+_To_${to}_\\w+)\\(`, "gu"))]
    .map(([, name = ""]) => name)
    .filter((name) => !text.includes(`func ${name}(`));
  const whole = automatic.every(([, name = ""]) => text.includes(`func Convert_${from}_${name}_To_${to}_`));
  const casts = /= (?:string|int32)\((?:in\.|val\b)/u.test(bodyOf(text, from, to));
  if (casts) return "cast";
  return whole && missing.length === 0 ? "automatic" : "refused";
}

function bodyOf(text: string, from: string, to: string): string {
  return text
    .split(/^(?=func )/mu)
    .filter((each) => each.startsWith(`func autoConvert_${from}_`) && each.includes(`_To_${to}_`))
    .join("");
}
