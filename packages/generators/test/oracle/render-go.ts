import { LIBRARY_TYPES } from "./library-types.ts";
import type {
  BasicName,
  Comment,
  Declaration,
  Embed,
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

/** Stands in import paths for the folder of the package, which is known only when it is written. */
export const PACKAGE_PATH = "@package";

function renderFolder({ folder, markers, areMarkersLast = false, declarations }: VersionFolder): string {
  const lines = importsOf(declarations).map(({ path, alias }) => `\t${alias} "${path}"\n`);
  const importBlock = lines.length === 0 ? "" : `import (\n${lines.join("")})\n\n`;
  const body = `package ${folder}\n\n${importBlock}${declarations.map((each) => renderDeclaration(each)).join("\n")}`;
  return areMarkersLast ? `${body}\n${comment(markers)}` : `${comment(markers)}\n${body}`;
}

interface GoImport {
  readonly path: string;
  readonly alias: string;
}

function importsOf(declarations: readonly Declaration[]): readonly GoImport[] {
  const needed = declarations.flatMap((each): readonly GoImport[] => {
    if (each.kind === "enum") return [];
    if (each.kind === "named") return importsOfType(each.type);
    const meta = each.isKind ? [{ path: "k8s.io/apimachinery/pkg/apis/meta/v1", alias: "metav1" }] : [];
    const embeds = each.embeds.flatMap(({ folder }) => importOfFolder(folder));
    return [...meta, ...embeds, ...each.fields.flatMap(({ type }) => importsOfType(type))];
  });
  return [...new Map(needed.map((each) => [each.path, each])).values()];
}

function importsOfType(type: TypeExpression): readonly GoImport[] {
  switch (type.kind) {
    case "library": {
      const library = LIBRARY_TYPES.get(type.name);
      return library === undefined ? [] : [library.go];
    }
    case "reference":
      return importOfFolder(type.folder);
    case "list":
      return importsOfType(type.items);
    case "map":
      return importsOfType(type.values);
    default:
      return [];
  }
}

function importOfFolder(folder: string | undefined): readonly GoImport[] {
  return folder === undefined ? [] : [{ path: `${PACKAGE_PATH}/${folder}`, alias: folder }];
}

function renderDeclaration(declaration: Declaration): string {
  const above = renderComment(declaration.comment, "");
  if (declaration.kind === "named") return `${above}type ${declaration.name} ${renderType(declaration.type)}\n`;
  if (declaration.kind === "enum") return above + renderEnum(declaration.name, declaration.values);
  const metas = declaration.isKind
    ? '\tmetav1.TypeMeta `json:",inline"`\n\tmetav1.ObjectMeta `json:"metadata,omitempty"`\n'
    : "";
  const embeds = declaration.embeds.map((each) => `\t${renderEmbed(each)} \`json:",inline"\`\n`).join("");
  const fields = declaration.fields.map((field, index) => renderField(field, index)).join("");
  return `${above}type ${declaration.name} struct {\n${metas}${embeds}${fields}}\n`;
}

function renderEnum(name: string, values: readonly string[]): string {
  const constants = values.map((value, index) => `\t${name}${String(index)} ${name} = ${JSON.stringify(value)}\n`);
  return `type ${name} string\n\nconst (\n${constants.join("")})\n`;
}

function renderEmbed({ name, folder }: Embed): string {
  const star = name.length % 2 === 0 ? "*" : "";
  return `${star}${folder === undefined ? "" : `${folder}.`}${name}`;
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
      return renderLibrary(type.name);
    default:
      return type.folder === undefined ? type.name : `${type.folder}.${type.name}`;
  }
}

function renderLibrary(name: string): string {
  const { alias = "", name: goName = name } = LIBRARY_TYPES.get(name)?.go ?? {};
  return `${alias}.${goName}`;
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
