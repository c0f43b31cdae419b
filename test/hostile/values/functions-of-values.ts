import path from "node:path";

import { ts } from "ts-morph";

import { isGenerated, listFiles, readSource, ROOT } from "../../architecture/source-files.ts";

/** An exported function with parameters for values of JSON. */
export interface FunctionOfValues {
  /** Its file below `src`, and its name, such as `yaml/print-yaml.ts printYaml`. */
  readonly id: string;
  readonly file: string;
  readonly name: string;
  readonly parameters: readonly Parameter[];
}

/** How an argument is made: of a value, of a constant of the type, or as the test says. */
export type Parameter = "value" | "object" | "list" | "text" | "texts" | "number" | "flag" | "function" | "other";

// Types of objects of any kind come first, then those of any value.
const OBJECTS =
  /^(?:ApiObject|KubernetesObject|JsonObject|MutableJsonObject|object|Fields|Json|T|(?:Deep)?Readonly<KubernetesObject>|DeepReadonly<T>|Readonly<Record<string, (?:unknown|JSONValue)>>|Record<string, unknown>)$/u;
const VALUES = /^(?:unknown|JSONValue|Values?|Native|K)$/u;
const LISTS =
  /^(?:readonly )?(?:unknown|JSONValue|JsonObject|ApiObject|MutableJsonObject|KubernetesObject|object)\[\]$/u;
const SIMPLE: readonly (readonly [RegExp, Parameter])[] = [
  [OBJECTS, "object"],
  [VALUES, "value"],
  [LISTS, "list"],
  [/^string$/u, "text"],
  [/^readonly string\[\]$/u, "texts"],
  [/^number$/u, "number"],
  [/^boolean$/u, "flag"],
  [/=>/u, "function"],
];

/** Finds the exported functions of a folder of sources that take values. */
export function functionsOfValues(folder: string): readonly FunctionOfValues[] {
  return listFiles(folder)
    .filter((file) => file.endsWith(".ts") && !isGenerated(file) && !file.includes("/templates/"))
    .flatMap((file) => functionsIn(file, folder));
}

function functionsIn(file: string, folder: string): readonly FunctionOfValues[] {
  const tree = ts.createSourceFile(file, readSource(file), ts.ScriptTarget.Latest, true);
  return tree.statements
    .filter((statement) => isExported(statement))
    .flatMap((statement) => declaredFunctions(statement))
    .map(({ name, parameters }) => ({
      id: `${path.posix.relative(folder, file)} ${name}`,
      file: path.join(ROOT, file),
      name,
      parameters: requiredParameters(parameters, tree),
    }))
    .filter(({ parameters }) => parameters.some((parameter) => ["value", "object", "list"].includes(parameter)));
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
}

interface Declared {
  readonly name: string;
  readonly parameters: readonly ts.ParameterDeclaration[];
}

// Of an overloaded function, the signature that has the body.
function declaredFunctions(statement: ts.Statement): readonly Declared[] {
  if (ts.isFunctionDeclaration(statement)) {
    const { name, body, parameters } = statement;
    return name === undefined || body === undefined ? [] : [{ name: name.text, parameters: [...parameters] }];
  }
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
    ts.isIdentifier(name) &&
    initializer !== undefined &&
    (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
      ? [{ name: name.text, parameters: [...initializer.parameters] }]
      : [],
  );
}

// Parameters that may be left out are, unless they are values.
function requiredParameters(parameters: readonly ts.ParameterDeclaration[], tree: ts.SourceFile): readonly Parameter[] {
  const found = parameters.map((parameter) => ({
    kind: kindOf(parameter, tree),
    isOptional: parameter.questionToken !== undefined || parameter.initializer !== undefined,
  }));
  const last = found.findLastIndex(({ kind, isOptional }) => !isOptional || ["value", "object", "list"].includes(kind));
  return found.slice(0, last + 1).map(({ kind }) => kind);
}

function kindOf({ type }: ts.ParameterDeclaration, tree: ts.SourceFile): Parameter {
  const text = type?.getText(tree).replace(/ \| (?:undefined|null)\b/gu, "") ?? "";
  return SIMPLE.find(([pattern]) => pattern.test(text))?.[1] ?? "other";
}
