import type { FieldError } from "@kubescaffold/k8s";

import { findingOf, versionsOf, type CrdView, type VersionView } from "./crd-view.ts";
import { findPlace } from "./finding-places.ts";
import type { Finding } from "./finding.ts";
import { judgeRefusal } from "./schema-findings.ts";
import { followPath, type SchemaTrail } from "./schema-trail.ts";
import { needsServerCheck, toServerSchema } from "./server-schema.ts";

/** Finds what a server would refuse in the schemas of a CRD, with the code that servers themselves run here. */
export async function checkSchemas(view: CrdView): Promise<readonly Finding[]> {
  const doubtful = versionsOf(view).filter(({ node }) => needsServerCheck(node));
  if (doubtful.length === 0) return [];
  const { checkStructural } = await import("@kubescaffold/schema");
  return doubtful.flatMap((each) => {
    const hasStatus = each.version.subresources?.status !== undefined;
    const errors = checkStructural(toServerSchema(each.node), { path: ROOT, hasStatus });
    return errors.filter((error) => !isRepeated(error, errors)).map((error) => findingFor(error, each, view));
  });
}

const ROOT = "schema";

// A default of another type has fields that are unknown as well.
function isRepeated(error: FieldError, errors: readonly FieldError[]): boolean {
  const others = errors.filter((each) => each !== error && each.field.startsWith(error.field));
  return error.detail === "must not have unknown fields" && others.length > 0;
}

function findingFor(error: FieldError, { node, location }: VersionView, view: CrdView): Finding {
  const trail = followPath(node, error.field.slice(ROOT.length));
  const { code, message, hint, above = 0, ...search } = judgeRefusal(error, trail, subjectOf(trail, view));
  const place = findPlace(view.index(), { trail: climb(trail, above), fallback: location, ...search });
  return findingOf(code, { message, hint }, place);
}

// Findings about a type that several kinds share are one, so the place is called by its own name only.
function subjectOf({ name }: SchemaTrail, { crd }: CrdView): string {
  if (name === "") return crd.draft.kind;
  const last = name.slice(name.lastIndexOf(".") + 1);
  const items = last.replace(/(?:\[\]|\[\*\])+$/u, "");
  return items === last ? last : `an item of ${items}`;
}

function climb(trail: SchemaTrail, above: number): SchemaTrail {
  return above === 0 ? trail : { ...trail, nodes: trail.nodes.slice(0, -above), hops: 0 };
}
