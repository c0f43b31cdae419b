import type { TypeExpression } from "../loader/type-model.ts";
import type { SchemaContext, Scope } from "./schema-context.ts";

/** A type of one form, such as a union, with the scope in which its names count. */
export interface ScopedType<Form extends TypeExpression["kind"] = TypeExpression["kind"]> {
  readonly type: Extract<TypeExpression, { readonly kind: Form }>;
  readonly scope: Scope;
}

/** Returns the type of the given form that a type is, or stands for as a name or as the parameter of a generic type. */
export function followNames<Form extends TypeExpression["kind"]>(
  form: Form,
  start: ScopedType,
  context: SchemaContext,
): ScopedType<Form> | undefined {
  let { type, scope }: ScopedType = start;
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    if (isOfForm(type, form)) return { type, scope };
    const meaning = type.kind === "reference" ? context.meaningOf(type, scope) : undefined;
    if (meaning?.kind === "bound") ({ type, scope } = meaning.bound);
    else if (meaning?.kind === "named" && meaning.declaration.shape.kind === "type")
      ({ type, scope } = { type: meaning.declaration.shape.type, scope: meaning.scope });
    else return undefined;
  }
  return undefined;
}

// Names that stand for one another without end are reported where they stand.
const DEEPEST = 32;

function isOfForm<Form extends TypeExpression["kind"]>(
  type: TypeExpression,
  form: Form,
): type is Extract<TypeExpression, { readonly kind: Form }> {
  return type.kind === form;
}
