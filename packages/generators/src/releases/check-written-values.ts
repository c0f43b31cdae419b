import { type GroupVersionKind, gvkOf } from "@kubescaffold/k8s";
import type { BuiltInApi, OpenApiSchema } from "@kubescaffold/k8s/schemas";
import { definitionKey, referenceIn } from "@kubescaffold/k8s/schemas";

import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { BuiltInUses, NamedType, WrittenField, WrittenType, WrittenValue } from "../loader/written-value.ts";
import { warningOf } from "./lacking.ts";

/** Finds types and fields of the built-in API that a source uses and one of the APIs lacks. */
export function checkWrittenUses({ types, values }: BuiltInUses, apis: readonly BuiltInApi[]): readonly Diagnostic[] {
  const checker = new UseChecker(apis);
  for (const type of types) checker.checkType(type);
  for (const { type, value } of values) checker.checkValue(checker.resolve(type), value);
  return checker.found;
}

/** A schema in each API; undefined in those that lack it. */
interface SchemaInAll {
  /** The key of the nearest definition, such as `core/v1.PodSpec`. */
  readonly key: string;
  readonly schemas: readonly (OpenApiSchema | undefined)[];
}

class UseChecker {
  readonly #apis: readonly BuiltInApi[];
  readonly found: Diagnostic[] = [];

  constructor(apis: readonly BuiltInApi[]) {
    this.#apis = apis;
  }

  checkType({ type, location }: NamedType): void {
    const isStated = type.kind === "stated";
    const place = isStated ? type.apiVersion : type.place;
    const schemas = this.resolve(type).schemas;
    const served = isStated ? this.#apis.map((api) => api.resource(kindOf(type)) !== undefined) : [];
    // Parts such as lists have a definition, and are not served on their own.
    const presence = served.includes(true) ? served : schemas.map((schema) => schema !== undefined);
    const what = `${isStated ? "kind" : "type"} ${type.name} in ${place}`;
    this.#report({ code: "KUBERNETES_LACKS_TYPE", what, location }, presence);
  }

  checkValue(schema: SchemaInAll, value: WrittenValue): void {
    if (value.kind === "either") for (const each of value.values) this.checkValue(schema, each);
    else if (value.kind === "elements") for (const each of value.elements) this.checkValue(this.#element(schema), each);
    else for (const field of value.fields) this.#checkField(schema, field);
  }

  #checkField(schema: SchemaInAll, { name, location, value }: WrittenField): void {
    const property = this.#property(schema, name);
    const presence = property.schemas.map((each, index) =>
      schema.schemas[index] === undefined ? undefined : each !== undefined,
    );
    const what = `field ${name} in ${shownKey(schema.key)}`;
    this.#report({ code: "KUBERNETES_LACKS_FIELD", what, location }, presence);
    if (value !== undefined) this.checkValue(property, value);
  }

  resolve(type: WrittenType): SchemaInAll {
    switch (type.kind) {
      case "named": {
        const key = `${type.place}.${type.name}`;
        return { key, schemas: this.#apis.map((api) => api.definitionOf(key)) };
      }
      case "stated": {
        const name = this.#apis.map((api) => api.definitionNameOf(kindOf(type))).find((each) => each !== undefined);
        return {
          key: name === undefined ? "" : definitionKey(name),
          schemas: this.#apis.map((api) => api.schema(kindOf(type))),
        };
      }
      case "list":
        return mapSchemas(this.resolve(type.of), (items) => ({ type: "array", items }));
      case "map":
        return mapSchemas(this.resolve(type.of), (additionalProperties) => ({ type: "object", additionalProperties }));
      case "property":
        return this.#property(this.resolve(type.of), type.name);
      case "element":
        return this.#element(this.resolve(type.of));
    }
  }

  #property(schema: SchemaInAll, name: string): SchemaInAll {
    return this.#followed(
      mapSchemas(schema, ({ properties = {}, additionalProperties }) =>
        Object.hasOwn(properties, name) ? properties[name] : asSchema(additionalProperties),
      ),
    );
  }

  #element(schema: SchemaInAll): SchemaInAll {
    return this.#followed(
      mapSchemas(schema, ({ items, additionalProperties }) => items ?? asSchema(additionalProperties)),
    );
  }

  #followed({ key, schemas }: SchemaInAll): SchemaInAll {
    const references = schemas.map((schema) => (schema === undefined ? undefined : referenceIn(schema)));
    const reference = references.find((each) => each !== undefined);
    return {
      key: reference === undefined ? key : definitionKey(reference),
      schemas: schemas.map((schema, index) => {
        const name = references[index];
        return name === undefined ? schema : this.#apis[index]?.schema(name);
      }),
    };
  }

  #report(use: Parameters<typeof warningOf>[0], presence: readonly (boolean | undefined)[]): void {
    const warning = warningOf(
      use,
      this.#apis.map(({ minor }, index) => [minor, presence[index]] as const),
    );
    if (warning !== undefined) this.found.push(warning);
  }
}

function mapSchemas(
  { key, schemas }: SchemaInAll,
  change: (schema: OpenApiSchema) => OpenApiSchema | undefined,
): SchemaInAll {
  return { key, schemas: schemas.map((schema) => (schema === undefined ? undefined : change(schema))) };
}

function asSchema(schema: OpenApiSchema["additionalProperties"]): OpenApiSchema | undefined {
  return typeof schema === "object" ? schema : undefined;
}

function kindOf({ apiVersion, name: kind }: Extract<WrittenType, { readonly kind: "stated" }>): GroupVersionKind {
  return gvkOf({ apiVersion, kind });
}

function shownKey(key: string): string {
  const at = key.lastIndexOf(".");
  return `${key.slice(at + 1)} of ${key.slice(0, at)}`;
}
