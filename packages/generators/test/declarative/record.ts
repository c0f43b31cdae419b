// Generates Go types with validation-gen, lets them judge the random objects of all tags, and writes the verdicts next to the tests. It needs Go; the tests do not:
//   npx tsx --conditions=@kubescaffold/source packages/generators/test/declarative/record.ts
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { OBJECT_CASES, objectChangesOf } from "./object-cases.ts";
import { changesOf, TAG_CASES } from "./tag-cases.ts";

const VERSION = "v0.37.2";
const VALIDATION_GEN = "k8s.io/code-generator/cmd/validation-gen";

const folder = mkdtempSync(path.join(tmpdir(), "kubescaffold-declarative-"));
const run = (words: readonly string[], input = ""): string =>
  execFileSync("go", words, {
    cwd: folder,
    input,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    stdio: ["pipe", "pipe", "inherit"],
  });
const write = (file: string, lines: readonly string[]): void => {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), `${lines.join("\n")}\n`);
};

write("go.mod", [
  "module oracle.example.com/declarative",
  "go 1.26.0",
  `require k8s.io/code-generator ${VERSION}`,
  `require k8s.io/apimachinery ${VERSION}`,
  `tool ${VALIDATION_GEN}`,
]);
write("boilerplate.txt", []);
write("types/doc.go", [
  "// +k8s:validation-gen=TypesWithField=TypeMeta",
  `// +k8s:validation-gen-scheme-registry=${VALIDATION_GEN}/testscheme.Scheme`,
  "// +k8s:validation-gen-nolint",
  "package types",
  `import "${VALIDATION_GEN}/testscheme"`,
  "var localSchemeBuilder = testscheme.New()",
  "var Scheme = localSchemeBuilder",
  ...TAG_CASES.flatMap(({ markers, go }, index) => [
    `type Case${String(index)} struct {`,
    '\tTypeMeta int `json:"-"`',
    "\t// +k8s:optional",
    ...markers.map((marker) => `\t// ${marker}`),
    `\tValue ${go} \`json:"value,omitempty"\``,
    "}",
  ]),
  ...OBJECT_CASES.flatMap(({ fields, goTypes }, index) => {
    const id = String(TAG_CASES.length + index);
    return [
      goTypes.replaceAll("$", id),
      `type Case${id} struct {`,
      '\tTypeMeta int `json:"-"`',
      ...fields.flatMap(({ name, markers, go }) => [
        ...markers.map((marker) => `\t// ${marker}`),
        `\t${name.slice(0, 1).toUpperCase()}${name.slice(1)} ${go.replaceAll("$", id)} \`json:"${name},omitempty"\``,
      ]),
      "}",
    ];
  }),
]);
write("main.go", [
  "package main",
  'import ("bufio"; "context"; "encoding/json"; "fmt"; "os"; "oracle.example.com/declarative/types")',
  `type change struct { Case int; IsUpdate bool; Old, New json.RawMessage }`,
  // A server for CRDs has no options.
  'var options = map[string]bool{"Option": false}',
  `var makers = []func() any{`,
  ...[...TAG_CASES, ...OBJECT_CASES].map((_, index) => `\tfunc() any { return &types.Case${String(index)}{} },`),
  "}",
  "func decode(index int, text json.RawMessage) any {",
  "\tvalue := makers[index]()",
  "\tif err := json.Unmarshal(text, value); err != nil { panic(err) }",
  "\treturn value",
  "}",
  "func main() {",
  "\tdecoder := json.NewDecoder(bufio.NewReader(os.Stdin))",
  "\tfor decoder.More() {",
  "\t\tvar c change",
  "\t\tif err := decoder.Decode(&c); err != nil { panic(err) }",
  "\t\terrs := types.Scheme.Validate(context.Background(), options, decode(c.Case, c.New))",
  "\t\tif c.IsUpdate { errs = types.Scheme.ValidateUpdate(context.Background(), options, decode(c.Case, c.New), decode(c.Case, c.Old)) }",
  '\t\tfor _, err := range errs { if err.Type == "InternalError" { panic(err) } }',
  '\t\tif len(errs) == 0 { fmt.Print("1") } else { fmt.Print("0") }',
  "\t}",
  "}",
]);

try {
  run(["mod", "tidy"]);
  run([
    "tool",
    "validation-gen",
    "--output-file",
    "zz_generated.validations.go",
    "--go-header-file",
    "boilerplate.txt",
    "./types",
  ]);
  run(["mod", "tidy"]);
  const all = [
    ...TAG_CASES.map((each, index) =>
      changesOf(each, index).map(({ isUpdate, old, new: value }) => ({
        isUpdate,
        old: { value: old },
        new: { value },
      })),
    ),
    ...OBJECT_CASES.map((each, index) => objectChangesOf(each, index)),
  ];
  const titles = [...TAG_CASES, ...OBJECT_CASES].map(({ title }) => title);
  const input = all.flatMap((changes, index) =>
    changes.map((change) =>
      JSON.stringify({ Case: index, IsUpdate: change.isUpdate, Old: change.old, New: change.new }),
    ),
  );
  const bits = run(["run", "."], input.join("\n"));
  let offset = 0;
  const verdicts = all.map((changes, index) => {
    const start = offset;
    offset += changes.length;
    const title = titles[index] ?? "";
    const ofCase = bits.slice(start, offset);
    if (!ofCase.includes("0") || !ofCase.includes("1")) throw new Error(`${title}: all verdicts are the same`);
    return [title, ofCase] as const;
  });
  const tags = JSON.parse(run(["tool", "validation-gen", "--docs"])) as readonly { readonly Tag: string }[];
  record("tags.json", tags.map(({ Tag }) => Tag).toSorted());
  record("verdicts.json", Object.fromEntries(verdicts));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function record(file: string, content: object): void {
  const target = fileURLToPath(new URL(`recorded/${file}`, import.meta.url));
  writeFileSync(target, `${JSON.stringify(content, undefined, 2)}\n`);
}
