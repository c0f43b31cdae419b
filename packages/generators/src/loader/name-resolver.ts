import { resolveModule } from "./module-resolver.ts";
import type { ImportedName, SourceContents } from "./source-contents.ts";
import type { SourceHost } from "./source-host.ts";
import type { Declaration, NameTarget } from "./type-model.ts";

/** What the resolver needs of its surroundings. */
export interface NameResolverOptions {
  readonly host: SourceHost;
  /** The folder that paths of sources are relative to, absolute. */
  readonly root: string;
  /** Returns the contents of a source by its path, reading it when it was not read yet. */
  readonly contentsOf: (path: string) => SourceContents | undefined;
}

/** Looks names up the way the compiler does, across files, without the compiler. */
export interface NameResolver {
  /** Says what a name stands for in the scope of a file. */
  readonly resolve: (file: string, name: string) => NameTarget;
}

const OWN_PACKAGE = "@kubescaffold/k8s";

const GLOBALS: ReadonlySet<string> = new Set(
  (
    "Array ReadonlyArray Record Partial Required Readonly Pick Omit NonNullable Exclude Extract Date Map Set WeakMap WeakSet " +
    "ReadonlyMap ReadonlySet Promise Function Object String Number Boolean Symbol BigInt RegExp Error Uint8Array ArrayBuffer Buffer " +
    "Parameters ReturnType InstanceType Awaited Uppercase Lowercase Capitalize Uncapitalize Iterable AsyncIterable URL"
  ).split(" "),
);

/** Makes a resolver. */
export function createNameResolver(options: NameResolverOptions): NameResolver {
  return { resolve: (file, name) => resolveName(options, file, name) };
}

function resolveName(options: NameResolverOptions, file: string, name: string): NameTarget {
  const imported = /^import\("([^"]*)"\)\.(.+)$/u.exec(name);
  if (imported !== null) return resolveImported(options, file, { module: imported[1] ?? "", name: imported[2] ?? "" });
  const contents = options.contentsOf(file);
  if (contents === undefined) return missing(`the file ${file} cannot be read`);
  const own = findOwn(contents, name);
  if (own !== undefined) return own;
  const [head = "", ...rest] = withoutTypeof(name).split(".");
  const imports = contents.imports.get(head);
  if (imports !== undefined)
    return resolveImport(options, { file, imports, rest, isValue: name !== withoutTypeof(name) });
  return GLOBALS.has(name) ? { kind: "global", name } : missing(`the file neither declares nor imports a type ${name}`);
}

// A name behind `typeof` is that of a value: a constant, or an enum.
function findOwn({ declarations, constants }: SourceContents, name: string): NameTarget | undefined {
  const constant = constants.get(withoutTypeof(name));
  const [head = "", ...rest] = withoutTypeof(name).split(".");
  const declaration = declarations.get(head);
  if (name !== withoutTypeof(name)) {
    if (constant !== undefined) return { kind: "constant", value: constant };
    return declaration?.shape.kind === "enum" && rest.length === 0 ? declarationTarget(declaration) : undefined;
  }
  if (declaration === undefined) return undefined;
  return rest.length === 0 ? declarationTarget(declaration) : memberTarget(declaration, rest);
}

function withoutTypeof(name: string): string {
  return name.startsWith("typeof ") ? name.slice("typeof ".length) : name;
}

interface ImportUse {
  readonly file: string;
  readonly imports: ImportedName;
  readonly rest: readonly string[];
  readonly isValue: boolean;
}

function resolveImport(options: NameResolverOptions, { file, imports, rest, isValue }: ImportUse): NameTarget {
  const name = (imports.name === "*" ? rest : [imports.name, ...rest]).join(".");
  return resolveImported(options, file, { module: imports.module, name: isValue ? `typeof ${name}` : name });
}

function resolveImported(options: NameResolverOptions, file: string, { module, name }: ImportedName): NameTarget {
  if (module === OWN_PACKAGE || module.startsWith(`${OWN_PACKAGE}/`)) return { kind: "built-in", module, name };
  const found = resolveModule({ host: options.host, root: options.root, file, module });
  if (found === undefined) return missing(`the module ${JSON.stringify(module)} cannot be found`);
  return (
    resolveExport(options, found, name, new Set()) ??
    missing(
      `the module ${JSON.stringify(module)} ${name === "default" ? "has no default export with a name" : `exports no type ${name}`}`,
    )
  );
}

function resolveExport(
  options: NameResolverOptions,
  file: string,
  name: string,
  visited: Set<string>,
): NameTarget | undefined {
  if (visited.has(file)) return undefined;
  visited.add(file);
  const contents = options.contentsOf(file);
  if (contents === undefined) return undefined;
  const [head = "", ...rest] = withoutTypeof(name).split(".");
  const exported = contents.exports.get(head);
  if (exported !== undefined)
    return resolveExportedName(options, { file, exported, rest, isValue: name !== withoutTypeof(name) });
  const own = contents.declarations.has(head) ? undefined : findOwn(contents, name);
  if (own !== undefined) return own;
  // `export *` passes on all names but this.
  if (head === "default") return undefined;
  for (const module of contents.exportedModules) {
    if (module === OWN_PACKAGE || module.startsWith(`${OWN_PACKAGE}/`)) return { kind: "built-in", module, name };
    const target = resolveModule({ host: options.host, root: options.root, file, module });
    const found = target === undefined ? undefined : resolveExport(options, target, name, visited);
    if (found !== undefined) return found;
  }
  return undefined;
}

function resolveExportedName(
  options: NameResolverOptions,
  use: {
    readonly file: string;
    readonly exported: { readonly module: string | undefined; readonly name: string };
    readonly rest: readonly string[];
    readonly isValue: boolean;
  },
): NameTarget {
  const { module, name } = use.exported;
  const path = (name === "*" ? use.rest : [name, ...use.rest]).join(".");
  const full = use.isValue ? `typeof ${path}` : path;
  return module === undefined
    ? resolveName(options, use.file, full)
    : resolveImported(options, use.file, { module, name: full });
}

function declarationTarget({ id }: Declaration): NameTarget {
  return { kind: "declaration", id };
}

function memberTarget(declaration: Declaration, rest: readonly string[]): NameTarget {
  const member = rest.join(".");
  const isMember = declaration.shape.kind === "enum" && declaration.shape.members.some((each) => each.name === member);
  if (isMember) return { kind: "enum member", id: declaration.id, member };
  return missing(`${declaration.name} has no type ${member}`);
}

function missing(reason: string): NameTarget {
  return { kind: "missing", reason };
}
