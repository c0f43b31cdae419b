import type { GeneratorInput, GeneratorOutput } from "../contract/generator.ts";
import { finishedSchema } from "../crd/generate-crds.ts";
import { toJsonSchema, type JsonSchema } from "../crd/model/schema-node.ts";
import { createSchemaContext, schemaOfDeclaration } from "../crd/type-to-schema.ts";
import type { Declaration } from "../loader/type-model.ts";
import { hasRules } from "./schema-expression.ts";

/** What is to be known of a type before its schema is printed. */
interface TypeFacts {
  /** Whether it is more than a single value. */
  readonly isStructured: boolean;
  /** Whether it has CEL rules. */
  readonly hasRules: boolean;
}

/** Finds out about types, and makes the schemas of those that are to be printed; what is the same as in a former run is not made again. */
export interface TypeLookup {
  /** Counts the types that a type consists of as used, itself among them. */
  readonly use: (declaration: Declaration) => void;
  /** Returns what is to be known of a type, which counts as used. */
  readonly factsOf: (declaration: Declaration, isKind: boolean) => TypeFacts;
  /** Makes the schema of a type. */
  readonly schemaOf: (declaration: Declaration, isKind: boolean) => JsonSchema;
  /** Returns the keys of the named types that were used so far. */
  readonly used: () => ReadonlySet<string>;
  readonly diagnostics: () => GeneratorOutput["diagnostics"];
}

/** Makes the lookup of a run. */
export function createTypeLookup(input: GeneratorInput): TypeLookup {
  // What a type may hold was decided where the CRD was made; this follows whatever that is.
  const context = createSchemaContext({ ...input, allowDangerousTypes: true, generateEmbeddedObjectMeta: false });
  const used = new Set<string>();
  const schemas = new Map<string, JsonSchema>();
  const markUsed = (keys: readonly string[]): void => {
    for (const key of keys) used.add(key);
  };
  const schemaOf = (declaration: Declaration, isKind: boolean): JsonSchema => {
    const known = schemas.get(declaration.id);
    const schema = known ?? toJsonSchema(finishedSchema(declaration, { ...input, context, isKind }));
    schemas.set(declaration.id, schema);
    return schema;
  };
  const usedBy = ({ id }: Declaration): readonly string[] => [...context.usedBy(id)];
  return {
    use: (declaration) =>
      markUsed(
        input.memoize({ maker: "object: uses", ids: [declaration.id] }, () => {
          schemaOfDeclaration(declaration, context);
          return usedBy(declaration);
        }),
      ),
    factsOf: (declaration, isKind) => {
      const { uses, ...facts } = input.memoize({ maker: "object: type", ids: [declaration.id], more: isKind }, () => {
        const schema = schemaOf(declaration, isKind);
        return { isStructured: isStructured(schema), hasRules: hasRules(schema), uses: usedBy(declaration) };
      });
      markUsed(uses);
      return facts;
    },
    schemaOf,
    used: () => used,
    diagnostics: () => context.diagnostics,
  };
}

// Upstream copies what is more than a single value; what is one has nothing that its own schema would serve.
function isStructured({ type, properties, items, additionalProperties }: JsonSchema): boolean {
  return type === "object" || [properties, items, additionalProperties].some((each) => each !== undefined);
}
