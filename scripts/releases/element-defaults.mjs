// Until 1.36, the elements of lists and maps have a default in OpenAPI documents, which follows from their types. Tables are without it, which makes the
// difference between versions small; packages/k8s/src/tables/element-defaults.ts adds it.

const ELEMENTS = ["items", "additionalProperties"];

/** Returns definitions without the defaults of elements. */
export function withoutElementDefaults(definitions) {
  return mapValues(definitions, (definition) => {
    const { properties } = definition;
    const own = withoutDefaults(definition);
    return properties === undefined ? own : { ...own, properties: mapValues(properties, withoutDefaults) };
  });
}

// A schema may have elements of elements.
function withoutDefaults(schema) {
  const key = ELEMENTS.find((each) => typeof schema[each] === "object");
  return key === undefined ? schema : { ...schema, [key]: withoutDefaults(withoutDefault(schema[key])) };
}

function withoutDefault(element) {
  const { allOf: [reference] = [], ...others } = element;
  delete others.default;
  return { ...reference, ...others };
}

function mapValues(values, change) {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}
