import type { OpenApiSchema } from "./open-api-schema.ts";

/**
 * Returns definitions with the defaults of elements of lists and maps, which OpenAPI documents have until 1.36: the zero values of their types.
 * The tables of all versions are without them.
 */
export function withElementDefaults(
  definitions: Readonly<Record<string, OpenApiSchema>>,
): Readonly<Record<string, OpenApiSchema>> {
  return mapValues(definitions, (definition) => {
    const { properties } = definition;
    const own = withDefaults(definition);
    return properties === undefined ? own : { ...own, properties: mapValues(properties, withDefaults) };
  });
}

const ZERO_VALUES: Readonly<Record<string, unknown>> = { string: "", integer: 0, number: 0, boolean: false };

// Types that print themselves, and are no objects.
const SCALAR = /\.(?:Quantity|IntOrString|Time|MicroTime|JSON|JSONSchemaPropsOrStringArray)$/u;

// Elements may have elements.
function withDefaults(schema: OpenApiSchema): OpenApiSchema {
  const { items, additionalProperties } = schema;
  if (items !== undefined) return { ...schema, items: withDefault(items) };
  if (additionalProperties !== undefined) return { ...schema, additionalProperties: withDefault(additionalProperties) };
  return schema;
}

function withDefault(element: OpenApiSchema): OpenApiSchema {
  const { $ref, type = "", format } = element;
  if ($ref !== undefined) return SCALAR.test($ref) ? element : { allOf: [{ $ref }], default: {} };
  const zero = format === "byte" ? undefined : ZERO_VALUES[type];
  return zero === undefined ? withDefaults(element) : { default: zero, ...element };
}

function mapValues<T>(values: Readonly<Record<string, T>>, change: (value: T) => T): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}
