import type { OpenApiSchema, TypeDescription, TypeDescriptions } from "@kubescaffold/k8s/tables";

/** The fields of every object, whose models have the values of one kind in place of descriptions. */
type TypeMetaTexts = Readonly<Record<"apiVersion" | "kind", string>>;

/** What models are read with. */
export interface ModelOptions {
  /** Returns the definition of a type by its key, such as `core/v1.Container`. */
  readonly definitionOf: (key: string) => OpenApiSchema | undefined;
  /** The descriptions of `apiVersion` and `kind`. */
  readonly typeMeta: TypeMetaTexts;
}

/**
 * Reads the descriptions in the declarations of `kubernetes-models` and `@kubernetes-models/apimachinery`, by their paths in these packages without
 * `.d.ts`: `v1/Container`, `apps/v1/Deployment`, `apis/meta/v1/ObjectMeta`.
 */
export function readModels(models: ReadonlyMap<string, string>, options: ModelOptions): TypeDescriptions {
  const entries = [...models].flatMap(([path, text]) => {
    const key = keyOf(path);
    return key === undefined ? [] : [[key, readModel(text, options.definitionOf(key), options)] as const];
  });
  return Object.fromEntries(entries.filter(([, described]) => Object.keys(described).length > 0));
}

// The folder of a group has its whole name, of which keys have the first part.
function keyOf(path: string): string | undefined {
  const [name = "", version = "", group = "core", ...others] = path.split("/").toReversed();
  if (name === "index" || version === "" || path.startsWith("_")) return undefined;
  const first = group.split(".")[0] ?? "";
  if (others.length > 1 || (others.length === 1 && others[0] !== "apis")) return undefined;
  return `${first}/${version}.${name}`;
}

const COMMENTED = /^( *)\/\*\*\n((?:\1 \*(?!\/).*\n)+)\1 \*\/\n\1(?:export interface I|"([^"]+)"\??:)/gmu;

function readModel(
  declaration: string,
  definition: OpenApiSchema | undefined,
  { typeMeta }: Pick<ModelOptions, "typeMeta">,
): TypeDescription {
  let text: string | undefined;
  const fields: Record<string, string> = {};
  const isKind = definition?.["x-kubernetes-group-version-kind"] !== undefined;
  if (isKind && definition?.properties?.["kind"] !== undefined) Object.assign(fields, typeMeta);
  for (const [, indentation = "", comment = "", field] of declaration.matchAll(COMMENTED)) {
    const description = descriptionOf(comment, indentation);
    if (field === undefined) text ??= description;
    // Fields of fields are deeper.
    else if (indentation.length === 4) fields[field] = description;
  }
  return {
    ...(text === undefined ? {} : { text }),
    ...(Object.keys(fields).length === 0 ? {} : { fields }),
  };
}

function descriptionOf(comment: string, indentation: string): string {
  const lines = comment.trimEnd().split("\n");
  const text = lines.map((line) =>
    line
      .slice(indentation.length + " *".length)
      .replace(/^ /u, "")
      .trimEnd(),
  );
  return text
    .join("\n")
    .replaceAll(String.raw`\*`, "*")
    .replaceAll(String.raw`*\/`, "*/");
}
