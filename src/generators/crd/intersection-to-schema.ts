import type { TypeExpression } from "../../loader/type-model.ts";
import type { MarkerUse } from "../../markers/read-markers.ts";
import { objectNode, oneOfNames } from "./object-to-schema.ts";
import { ownViews } from "./resolve-type.ts";
import type { Scope, SchemaContext } from "./schema-context.ts";
import type { SchemaNode } from "./schema-node.ts";
import { unresolved } from "./ways-out.ts";

export interface IntersectionOptions {
  readonly type: Extract<TypeExpression, { kind: "intersection" }>;
  readonly scope: Scope;
  readonly context: SchemaContext;
  /** Those of the declaration whose type it is. */
  readonly markers: readonly MarkerUse[];
}

/** Makes the schema of `A & B`: what is written out in braces is its own, as beside `extends`; the other members are inherited. */
export function intersectionNode({ type, scope, context, markers }: IntersectionOptions): SchemaNode {
  const own = ownMembers(type);
  const others = type.members.filter((member) => !own.some((each) => each === member));
  const inherited = others.map((member) => context.nodeOf(member, scope));
  const stranger = inherited.findIndex((node) => node.type !== "object" && node.allOf === undefined);
  if (stranger !== -1) {
    const { location } = others[stranger] ?? type;
    if (Object.keys(inherited[stranger] ?? {}).length > 0)
      unresolved(location, "an intersection with a type that is not an object", context);
    return {};
  }
  const views = own.flatMap((each) => ownViews(each, scope));
  return objectNode({ views, inherited, location: type.location, oneOf: oneOfNames(markers, context), context });
}

type ObjectExpression = Extract<TypeExpression, { kind: "object" }>;

function ownMembers({ members }: IntersectionOptions["type"]): readonly ObjectExpression[] {
  const names = new Set<string>();
  return members.filter((member): member is ObjectExpression => {
    if (member.kind !== "object" || member.indexSignature !== undefined) return false;
    const isNew = member.properties.every(({ name }) => !names.has(name));
    for (const { name } of member.properties) names.add(name);
    return isNew;
  });
}
