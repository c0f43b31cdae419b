import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { ROOT } from "../../../../test/architecture/source-files.ts";
import { compilerHost, ts } from "../../../../test/support/compiler.ts";

const FOLDER = fileURLToPath(new URL("./golden/every-shape", import.meta.url));
const FILE = path.join(FOLDER, "input", "api", "v1", "zz_generated.apply.ts");

type Facts = Readonly<Record<string, Readonly<Record<string, string>>>>;

// What controller-gen makes of the same types in Go: `node scripts/golden-apply-facts.mjs` writes it.
const { structs: upstream } = JSON.parse(readFileSync(path.join(FOLDER, "upstream.json"), "utf8")) as {
  readonly structs: Facts;
};

// Whether a field is stated in parts here, where upstream says otherwise; the reasons are in docs/verification/generator-differences.md.
const DIFFERENT: Readonly<Record<string, readonly [inParts: boolean, reason: string]>> = {
  "GuestbookSpec.template": [true, "apply-built-in"],
  "GuestbookSpec.env": [true, "apply-built-in"],
  "GuestbookSpec.selector": [false, "apply-atomic"],
  "GuestbookSpec.allPorts": [false, "apply-atomic"],
  "GuestbookSpec.fixed": [false, "apply-atomic"],
  "GuestbookSpec.whole": [false, "apply-atomic"],
};
// Go has no unions.
const ONLY_HERE = new Set(["GuestbookSpec.source"]);

describe("what is generated for the same types", { timeout: 120_000 }, () => {
  const own = factsHere();

  it.each(Object.keys(upstream).filter((name) => !["Hidden", "Inner"].includes(name)))(
    "%s has the fields that controller-gen gives it, all of them optional but the identity of a kind",
    (name) => {
      const fields = own.get(name) ?? new Map<string, Field>();
      const named = [...fields.keys()].filter((field) => !ONLY_HERE.has(`${name}.${field}`));
      expect(named.toSorted()).toEqual(fieldsUpstream(name).toSorted());
      const required = [...fields].filter(([, { isOptional }]) => !isOptional).map(([field]) => field);
      expect(required.toSorted()).toEqual(name === "Guestbook" ? ["apiVersion", "kind", "metadata"] : []);
    },
  );

  it.each(Object.keys(upstream).filter((name) => !["Hidden", "Inner", "Guestbook"].includes(name)))(
    "%s states in parts what controller-gen has configurations for, but for known differences",
    (name) => {
      for (const [field, type] of Object.entries(upstream[name] ?? {}).filter(
        ([each]) => !each.startsWith("embeds "),
      )) {
        const known = DIFFERENT[`${name}.${field}`];
        const isInParts = type.includes("ApplyConfiguration");
        expect(isInParts).toBe(known === undefined ? isInParts : !known[0]);
        expect([field, own.get(name)?.get(field)?.isInParts]).toEqual([field, known?.[0] ?? isInParts]);
      }
    },
  );

  it("names a reason for every difference that the documentation gives", () => {
    const page = readFileSync(path.join(ROOT, "docs/verification/generator-differences.md"), "utf8");
    for (const [, reason] of Object.values(DIFFERENT)) expect(page).toContain(`| \`${reason}\` |`);
  });
});

function fieldsUpstream(name: string): readonly string[] {
  return Object.entries(upstream[name] ?? {}).flatMap(([field, type]) => {
    if (!field.startsWith("embeds ")) return [field];
    if (type === "metav1.TypeMetaApplyConfiguration") return ["apiVersion", "kind"];
    return fieldsUpstream(type.replace("ApplyConfiguration", ""));
  });
}

interface Field {
  readonly isOptional: boolean;
  /** Whether its type is one of those that server-side apply takes, not that of the source. */
  readonly isInParts: boolean;
}

function factsHere(): ReadonlyMap<string, ReadonlyMap<string, Field>> {
  const options: ts.CompilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    module: ts.ModuleKind.NodeNext,
    customConditions: ["@kubescaffold/source"],
    allowImportingTsExtensions: true,
    noEmit: true,
    types: [],
  };
  const program = ts.createProgram([FILE], options, compilerHost(options));
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(FILE);
  if (source === undefined) throw new TypeError(`${FILE} is missing`);
  const types = source.statements.filter((each) => ts.isInterfaceDeclaration(each) || ts.isTypeAliasDeclaration(each));
  return new Map(
    types.map((each) => {
      const properties = checker.getTypeAtLocation(each.name).getApparentProperties();
      const fields = properties
        .filter((property) => !property.name.startsWith("__@"))
        .map((property): readonly [string, Field] => {
          const type = checker.typeToString(
            checker.getTypeOfSymbolAtLocation(property, each),
            each,
            ts.TypeFormatFlags.NoTruncation,
          );
          const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0;
          return [property.name, { isOptional, isInParts: /Apply\b|ApplyFields</u.test(type) }];
        });
      return [each.name.text.replace(/Apply$/u, ""), new Map(fields)];
    }),
  );
}
