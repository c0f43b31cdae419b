// The last three words of a function's name, such as `schema_k8sio_api_core_v1_Container`, are the group, the version, and the type.
const FUNCTION = /^func schema_(\w+)\(/u;
const DEFINITION_WORDS = 3;
const VERSION = /^v\d+(?:(?:alpha|beta)\d+)?$/u;

/**
 * Finds the enums in the Go source that OpenAPI documents are made from (`zz_generated.openapi.go`): the documents in the sources of Kubernetes lack them,
 * and a server has them. By definition, such as `core_v1_Container`, a list of enums, each with its path of fields; `[]` stands for the elements of a list
 * and of a map.
 */
export function readEnums(source) {
  const found = new Map();
  let definition;
  let open = [];
  for (const line of source.split("\n")) {
    const started = definitionOf(line);
    if (started !== undefined) [definition, open] = [started, []];
    const depth = indentOf(line);
    open = open.filter((each) => each.depth < depth);
    const step = stepOf(line);
    if (step !== undefined) open.push({ depth, ...step });
    const values = /^\s*Enum:\s+\[\]interface\{\}\{(.*)\},$/u.exec(line)?.[1];
    if (values === undefined) continue;
    const path = open.filter(({ name }) => name !== undefined).map(({ name }) => name);
    found.set(definition, [...(found.get(definition) ?? []), { path, values: JSON.parse(`[${values}]`) }]);
  }
  return found;
}

function definitionOf(line) {
  const words = FUNCTION.exec(line)?.[1].split("_").slice(-DEFINITION_WORDS);
  return words !== undefined && VERSION.test(words[1] ?? "") ? words.join("_") : undefined;
}

function indentOf(line) {
  return /^\t*/u.exec(line)[0].length;
}

// A line that opens the schema of a field, of the items of a list, or of the values of a map.
function stepOf(line) {
  const field = /^\t+"((?:[^"\\]|\\.)+)": \{$/u.exec(line)?.[1];
  if (field !== undefined) return { name: field };
  return /^\t+(?:Items: &spec\.SchemaOrArray|AdditionalProperties: &spec\.SchemaOrBool)\{$/u.test(line)
    ? { name: "[]" }
    : undefined;
}
