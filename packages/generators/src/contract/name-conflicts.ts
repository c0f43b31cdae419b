import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Declaration } from "../loader/type-model.ts";

/** A type of a package, and the names that a generated file declares or imports for it. */
export interface NamedOutput {
  readonly declaration: Declaration;
  readonly names: readonly string[];
}

/** A generated file, and how a type is left out of it. */
interface OutputFile {
  readonly file: string;
  readonly hint: string;
}

/**
 * Finds types that would get the same name in a generated file: types of one name in several files, and types whose names differ by what the generator
 * appends.
 *
 * `reserved` are the names that the file imports for itself.
 */
export function nameConflicts(
  { file, hint }: OutputFile,
  outputs: readonly NamedOutput[],
  reserved: readonly string[],
): readonly Diagnostic[] {
  const owners = new Map<string, Declaration | undefined>(reserved.map((name) => [name, undefined]));
  const sorted = outputs.toSorted((left, right) => compareLocations(left.declaration, right.declaration));
  return sorted.flatMap(({ declaration, names }) => {
    const taken = names.find((name) => owners.has(name) && owners.get(name) !== declaration);
    for (const name of names) if (!owners.has(name)) owners.set(name, declaration);
    return taken === undefined ? [] : [{ ...conflict(file, taken, { declaration, owner: owners.get(taken) }), hint }];
  });
}

function compareLocations({ location: left }: Declaration, { location: right }: Declaration): number {
  if (left.file !== right.file) return left.file < right.file ? -1 : 1;
  return left.line - right.line;
}

function conflict(
  file: string,
  name: string,
  { declaration, owner }: { readonly declaration: Declaration; readonly owner: Declaration | undefined },
): Diagnostic {
  const { file: source, line, column, length } = declaration.location;
  const place =
    owner === undefined ? "" : `${owner.location.file}:${String(owner.location.line)}:${String(owner.location.column)}`;
  const reason =
    owner === undefined
      ? `${file} imports ${name} for itself`
      : `in ${file}, ${name} is a name of ${owner.name} at ${place}`;
  return {
    severity: "error",
    code: "GENERATE_NAME_CONFLICT",
    message: `cannot generate code for ${declaration.name}: ${reason}`,
    file: source,
    line,
    column,
    length,
  };
}
