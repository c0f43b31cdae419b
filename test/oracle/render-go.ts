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

/** Files by path, relative to the folder of a package. */
export type Files = Readonly<Record<string, string>>;

/** Writes the Go half of a package. */
export function renderGo(model: Package): Files {
  if (model.kind === "crd") {
    return Object.fromEntries(model.folders.map((folder) => [`${folder.folder}/types.go`, renderFolder(folder)]));
  }
  return Object.fromEntries(model.files.map(({ path, groups }) => [`${path}.go`, renderGroups(path, groups)]));
}

function renderGroups(path: string, groups: readonly (readonly string[])[]): string {
  const name = path.split("/").at(-2) ?? "v1";
  const blocks = groups.map((group, index) => `${comment(group)}\n\nfunc F${String(index)}() {}\n`);
  return `package ${name}\n\n${blocks.join("\n")}`;
}

function renderFolder({ folder, markers, declarations }: VersionFolder): string {
  const types = declarations.flatMap((each) =>
    each.kind === "named" ? [each.type] : each.fields.map(({ type }) => type),
  );
  const used = new Set(types.flatMap((type) => libraryNames(type)));
  const hasKind = declarations.some((each) => each.kind === "object" && each.isKind);
  const imports = [...used].flatMap((name) => LIBRARY_TYPES.get(name)?.go ?? []);
  const all = hasKind ? [{ path: "k8s.io/apimachinery/pkg/apis/meta/v1", alias: "metav1" }, ...imports] : imports;
  const lines = [...new Set(all.map(({ path, alias }) => `\t${alias} "${path}"`))];
  const importBlock = lines.length === 0 ? "" : `import (\n${lines.join("\n")}\n)\n\n`;
  return `${comment(markers)}\npackage ${folder}\n\n${importBlock}${declarations.map((each) => renderDeclaration(each)).join("\n")}`;
}

function libraryNames(type: TypeExpression): readonly string[] {
  switch (type.kind) {
    case "library":
      return [type.name];
    case "list":
      return libraryNames(type.items);
    case "map":
      return libraryNames(type.values);
    default:
      return [];
  }
}

function renderDeclaration(declaration: Declaration): string {
  const above = renderComment(declaration.comment, "");
  if (declaration.kind === "named") return `${above}type ${declaration.name} ${renderType(declaration.type)}\n`;
  const metas = declaration.isKind
    ? '\tmetav1.TypeMeta `json:",inline"`\n\tmetav1.ObjectMeta `json:"metadata,omitempty"`\n'
    : "";
  const embeds = declaration.embeds.map((name) => `\t${name} \`json:",inline"\`\n`).join("");
  const fields = declaration.fields.map((field, index) => renderField(field, index)).join("");
  return `${above}type ${declaration.name} struct {\n${metas}${embeds}${fields}}\n`;
}

function renderField(field: Field, index: number): string {
  const options = field.isOptional ? ",omitempty" : "";
  const type = `${field.isPointer ? "*" : ""}${renderType(field.type)}`;
  return `${renderComment(field.comment, "\t")}\tField${String(index)} ${type} \`json:"${field.name}${options}"\`\n`;
}

function renderComment({ doc, markers, layout }: Comment, indent: string): string {
  const half = Math.ceil(doc.length / 2);
  switch (layout) {
    case "after text":
    case "lines after":
      return comment([...doc, ...markers], indent);
    case "before text":
    case "lines before":
      return comment([...markers, ...doc], indent);
    case "between":
      return comment([...doc.slice(0, half), ...markers, ...doc.slice(half)], indent);
    default:
      return `${comment(markers, indent)}${markers.length > 0 ? "\n" : ""}${comment(doc, indent)}`;
  }
}

function comment(lines: readonly string[], indent = ""): string {
  return lines.map((line) => `${indent}//${line === "" ? "" : ` ${line}`}\n`).join("");
}

function renderType(type: TypeExpression): string {
  switch (type.kind) {
    case "basic":
      return BASIC[type.name];
    case "list":
      return `[]${renderType(type.items)}`;
    case "map":
      return `map[${type.keys ?? "string"}]${renderType(type.values)}`;
    case "library":
      return `${LIBRARY_TYPES.get(type.name)?.go.alias ?? ""}.${type.name}`;
    default:
      return type.name;
  }
}

const BASIC: Readonly<Record<BasicName, string>> = {
  string: "string",
  boolean: "bool",
  integer: "int",
  int32: "int32",
  int64: "int64",
  float32: "float32",
  float64: "float64",
  bytes: "[]byte",
};
