/** The imports of a file, by module. */
export class ImportList {
  readonly #kind: string;
  readonly #modules = new Map<string, Map<string, { readonly isValue: boolean }>>();

  /** Takes the kind that the file declares; no import can have its name. */
  constructor(kind: string) {
    this.#kind = kind;
  }

  /** Reports whether a name is that of the kind, and so cannot mean anything else in the file. */
  isKind(name: string): boolean {
    return name === this.#kind;
  }

  /** Imports a name and returns what it is called in the file. */
  use(module: string, name: string, options: { readonly isValue?: boolean } = {}): string {
    const names = this.#modules.get(module) ?? new Map<string, { readonly isValue: boolean }>();
    names.set(name, { isValue: options.isValue === true || names.get(name)?.isValue === true });
    this.#modules.set(module, names);
    return this.#localName(name);
  }

  /** Returns the statements for the names that the code of the file uses, packages before files. */
  lines(code: string): readonly string[] {
    const modules = [...this.#modules].toSorted(([left], [right]) => compareModules(left, right));
    const statements = modules.flatMap(([module, names]) => {
      const used = [...names].filter(([name]) => new RegExp(`\\b${this.#localName(name)}\\b`, "u").test(code));
      return used.length === 0 ? [] : [{ module, text: this.#statement(module, new Map(used)) }];
    });
    const [own, others] = [true, false].map((isFile) =>
      statements.filter(({ module }) => module.startsWith(".") === isFile).map(({ text }) => text),
    );
    return [...(others ?? []), "", ...(own ?? [])];
  }

  #statement(module: string, names: ReadonlyMap<string, { readonly isValue: boolean }>): string {
    const sorted = [...names].toSorted(([left], [right]) => (left.toLowerCase() < right.toLowerCase() ? -1 : 1));
    const isTypesOnly = sorted.every(([, { isValue }]) => !isValue);
    const list = sorted.map(([name, { isValue }]) => {
      const local = this.#localName(name);
      return `${isTypesOnly || isValue ? "" : "type "}${name}${local === name ? "" : ` as ${local}`}`;
    });
    const keyword = isTypesOnly ? "import type" : "import";
    const line = `${keyword} { ${list.join(", ")} } from "${module}";`;
    return line.length <= 120 ? line : `${keyword} {\n  ${list.join(",\n  ")},\n} from "${module}";`;
  }

  #localName(name: string): string {
    return this.isKind(name) ? `K8s${name}` : name;
  }
}

function compareModules(left: string, right: string): number {
  if (left.startsWith(".") !== right.startsWith(".")) return left.startsWith(".") ? 1 : -1;
  return left < right ? -1 : 1;
}
