import { LIBRARY_TYPES } from "./library-types.ts";
import type {
  BasicName,
  Comment,
  Declaration,
  Field,
  Package,
  TypeExpression,
  VersionFolder,
} from "./package-model.ts";
import type { Files } from "./render-go.ts";

/** Writes the TypeScript half of a package; what TypeScript can say in several ways is said in one that the names determine. */
export function renderTypeScript(model: Package): Files {
  if (model.kind === "crd") {
    return Object.fromEntries(model.folders.map((folder) => [`${folder.folder}/types.ts`, renderFolder(folder)]));
  }
  return Object.fromEntries(model.files.map(({ path, groups }) => [`${path}.ts`, renderGroups(groups)]));
}

function renderGroups(groups: readonly (readonly string[])[]): string {
  const blocks = groups.map(
    (group, index) => `${lineComments(group)}\n\nexport function f${String(index)}(): void {}\n`,
  );
  return blocks.join("\n");
}

function renderFolder({ markers, areMarkersLast = false, declarations }: VersionFolder): string {
  const body = `${renderImports(declarations)}\n${declarations.map((each) => renderDeclaration(each)).join("\n")}`;
  return areMarkersLast ? `${body}\n${lineComments(markers)}` : lineComments(markers) + body;
}

function renderImports(declarations: readonly Declaration[]): string {
  const used = declarations.flatMap((each): readonly TypeScriptImport[] => {
    if (each.kind === "enum") return [];
    if (each.kind === "named") return importedNames(each.type);
    const kind = each.isKind ? [{ name: "KubernetesObject", module: "@kubescaffold/k8s/meta/v1" }] : [];
    const embeds = each.embeds.flatMap(({ name, folder }) => importedFrom(name, folder));
    return [...kind, ...embeds, ...each.fields.flatMap(({ type }) => importedNames(type))];
  });
  const modules = new Map<string, Set<string>>();
  for (const { name, module } of used) modules.set(module, (modules.get(module) ?? new Set()).add(name));
  return [...modules]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([module, names]) => `import type { ${[...names].toSorted().join(", ")} } from "${module}";\n`)
    .join("");
}

interface TypeScriptImport {
  readonly name: string;
  readonly module: string;
}

function importedFrom(name: string, folder: string | undefined): readonly TypeScriptImport[] {
  return folder === undefined ? [] : [{ name, module: `../${folder}/types.ts` }];
}

function importedNames(type: TypeExpression): readonly TypeScriptImport[] {
  switch (type.kind) {
    case "basic":
      return ["string", "boolean"].includes(type.name) ? [] : [{ name: BASIC[type.name], module: "@kubescaffold/k8s" }];
    case "library":
      return [{ name: type.name, module: LIBRARY_TYPES.get(type.name)?.module ?? "" }];
    case "reference":
      return importedFrom(type.name, type.folder);
    case "list":
      return importedNames(type.items);
    case "map":
      return importedNames(type.values);
    default:
      return [];
  }
}

function renderDeclaration(declaration: Declaration): string {
  const above = renderComment(declaration.comment, "");
  if (declaration.kind === "named") {
    return `${above}export type ${declaration.name} = ${renderType(declaration.type, declaration.name.length)};\n`;
  }
  if (declaration.kind === "enum") return above + renderEnum(declaration.name, declaration.values);
  const { name, isKind, embeds } = declaration;
  const parents = [...(isKind ? ["KubernetesObject"] : []), ...embeds.map((each) => each.name)];
  const variant = name.length % 4;
  if (variant === 0 && !isKind && parents.length < 2) {
    const parent = parents.map((each) => ` extends ${each}`).join("");
    return `${above}export class ${name}${parent} {\n${renderFields(declaration.fields)}}\n`;
  }
  const body = `{\n${renderFields(declaration.fields)}}`;
  if (variant === 1) return `${above}export type ${name} = ${[...parents, body].join(" & ")};\n`;
  return `${above}export interface ${name}${parents.length > 0 ? ` extends ${parents.join(", ")}` : ""} ${body}\n`;
}

function renderEnum(name: string, values: readonly string[]): string {
  const texts = values.map((value) => JSON.stringify(value));
  if (name.length % 2 === 0) return `export type ${name} = ${texts.join(" | ")};\n`;
  return `export enum ${name} {\n${texts.map((text, index) => `  M${String(index)} = ${text},\n`).join("")}}\n`;
}

function renderFields(fields: readonly Field[]): string {
  return fields.map((field) => renderField(field)).join("");
}

function renderField({ name, type, isOptional, comment }: Field): string {
  const key = /^[A-Za-z_$][\w$]*$/u.test(name) && name !== "constructor" ? name : JSON.stringify(name);
  const variant = name.length;
  // A union with null says what the marker says, in another form.
  const isUnion = variant % 2 === 0 && canBeUnion(comment);
  const markers = isUnion ? comment.markers.filter((each) => each !== NULLABLE) : comment.markers;
  const text = renderType(type, variant) + (isUnion ? " | null" : "");
  const member = !isOptional
    ? `${key}: ${text}`
    : variant % 5 === 4
      ? `${key}: ${text} | undefined`
      : `${key}?: ${text}`;
  return `${renderComment({ ...comment, markers }, "  ")}  ${member};\n`;
}

const NULLABLE = "+nullable";

function canBeUnion({ markers }: Comment): boolean {
  return (
    markers.filter((each) => each === NULLABLE).length === 1 && !markers.some((each) => each.includes("Schemaless"))
  );
}

function renderComment({ doc, markers, layout }: Comment, indent: string): string {
  const half = Math.ceil(doc.length / 2);
  const lines = lineComments(markers, indent);
  switch (layout) {
    case "after text":
      return block([...doc, ...escaped(markers)], indent);
    case "before text":
      return block([...escaped(markers), ...doc], indent);
    case "between":
      return block([...doc.slice(0, half), ...escaped(markers), ...doc.slice(half)], indent);
    case "lines after":
      return block(doc, indent) + lines;
    case "lines before":
      return lines + block(doc, indent);
    default:
      return `${lines}${markers.length > 0 ? "\n" : ""}${block(doc, indent)}`;
  }
}

function escaped(markers: readonly string[]): readonly string[] {
  return markers.map((each) => each.replaceAll("*/", "*\\/"));
}

function block(lines: readonly string[], indent: string): string {
  if (lines.length === 0) return "";
  return `${indent}/**\n${lines.map((line) => `${indent} *${line === "" ? "" : ` ${line}`}\n`).join("")}${indent} */\n`;
}

function lineComments(lines: readonly string[], indent = ""): string {
  return lines.map((line) => `${indent}// ${line}\n`).join("");
}

function renderType(type: TypeExpression, variant: number): string {
  switch (type.kind) {
    case "basic":
      return BASIC[type.name];
    case "list": {
      const items = renderType(type.items, variant + 1);
      if (variant % 3 === 0) return `Array<${items}>`;
      if (variant % 3 === 1) return `readonly ${items.startsWith("readonly ") ? `(${items})` : items}[]`;
      return `${items.startsWith("readonly ") ? `(${items})` : items}[]`;
    }
    case "map": {
      const values = renderType(type.values, variant + 1);
      return type.keys === undefined && variant % 2 === 0
        ? `{ [key: string]: ${values} }`
        : `Record<${type.keys ?? "string"}, ${values}>`;
    }
    default:
      return type.name;
  }
}

const BASIC: Readonly<Record<BasicName, string>> = {
  string: "string",
  boolean: "boolean",
  integer: "integer",
  int32: "int32",
  int64: "int64",
  float32: "float32",
  float64: "float64",
  bytes: "Bytes",
};
