import { format } from "oxfmt";
import { describe, expect, it } from "vitest";

import { breakConstants, breakLongLine, breakLongLines } from "../../src/machinery/break-lines.ts";

const K = `K${"ind".repeat(13)}`;
const L = `L${"ong".repeat(19)}`;

// Statements as templates have them, each longer than a line may be.
const STATEMENTS = [
  `import { A${K}, B${K}, C${K} } from "./${K}.ts";`,
  `import { A${K} as ${L} } from "../internal/${K}/${K}_controller.ts";`,
  `export { ${K} as ${L} } from "./${K}${K}_types.ts";`,
  `export const ${K}: Kind<${K}> = defineKind<${K}>(GroupVersion, "${K}");`,
  `export const ${L}: Kind<${L}> = defineKind<${L}>(GroupVersion, "${L}");`,
  `export const ${K}Converter: SpokeConverter<${K}Hub, ${K}> = {`,
  `export function withDesired(deployment: Deployment, owner: ${L}, image: string): Deployment {`,
  `newControllerManagedBy(mgr).for(${L}).owns(Deployment).named("${K}").complete(this);`,
  `const controller = newControllerManagedBy(mgr).for(${L}).owns(${L});`,
  `const controller = new ${K}(manager).for(${L}).owns(${K});`,
  `webhookLog.info("Validating the creation of ${L}", { name: ${K}.metadata.name });`,
  `const object = ${K}.create({ metadata: { ...key, name: "a, b)".repeat(64) }, spec: {}, status: { is: "long" } });`,
  `setUp(new ${L}Reconciler(mgr.getClient(), { image: IMAGE })).setupWithManager(mgr, another);`,
  `const OWNER_LABEL = "${L}.${L}/${K}";`,
] as const;

describe("breaking long lines", () => {
  it.each(STATEMENTS)("breaks as the formatter does: %s", async (statement) => {
    expect(statement.length).toBeGreaterThan(120);
    const end = statement.endsWith("= {")
      ? "\n  spoke,\n};"
      : statement.endsWith("{")
        ? "\n  return deployment;\n}"
        : "";
    const { code } = await format("a.ts", `${statement}${end}\n`, { printWidth: 120 });
    const broken = breakLongLines(statement);
    expect(`${broken}${end}\n`).toBe(code);
  });

  it.each([
    `(await suite.client.get(${L}${L.slice(0, 12)}, key)).metadata.resourceVersion,`,
    `(await suite.client.get(${L}${L.slice(0, 24)}, key)).metadata.resourceVersion,`,
    `(await suite.client.get(${L}, key)).status.conditions.length.valueOf.name.at,`,
  ])("breaks members of what is awaited as the formatter does: %s", async (item) => {
    const { code } = await format("a.ts", `const versions = [\n  first,\n  ${item}\n];\n`, { printWidth: 120 });
    expect(`const versions = [\n  first,\n${breakLongLines(`  ${item}`)}\n];\n`).toBe(code);
    expect(code.split("\n").length).toBe(6);
  });

  it("leaves lines that fit, comments, and what cannot be broken", () => {
    const fitting = `f(${"a".repeat(116)});`;
    const expressions = [
      `if (${L} && ${L}) {`,
      `process.env["${L}_${L}"];`,
      `const f = () => { ${L}(); return ${L}; };`,
    ].map((line) => line.padEnd(121));
    for (const line of [
      ...expressions,
      fitting,
      `// ${"long ".repeat(40)}`,
      ` * f(${"long, ".repeat(40)})`,
      "x".repeat(200),
    ])
      expect(breakLongLine(line)).toEqual([line]);
  });

  it("can leave everything but constants alone", () => {
    const constant = `export const ${K}: Kind<${K}> = defineKind<${K}>(GroupVersion, "${K}");`;
    const other = `call(${K}, ${K}, ${K});`;
    expect(breakConstants(`${other}\n${constant}\n`)).toBe(`${other}\n${breakLongLines(constant)}\n`);
  });

  it("keeps the indentation", () => {
    expect(breakLongLine(`    call(${K}, ${K}, ${K});`)).toEqual([
      "    call(",
      `      ${K},`,
      `      ${K},`,
      `      ${K},`,
      "    );",
    ]);
  });
});
