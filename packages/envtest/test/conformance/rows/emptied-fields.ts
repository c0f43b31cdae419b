import type { ManagedFieldsEntry } from "@kubescaffold/k8s/meta/v1";

import { crd } from "../kinds.ts";
import { objectOf, type Answer, type Json, type Row, type RowContext } from "../row.ts";
import { installCrd } from "./install-crd.ts";

const APPLY = "application/apply-patch+yaml";
const GROUP = "row549.example.com";

/** Rows about lists and maps that lose their last element to an apply, while another manager owns them as a whole. */
export const EMPTIED_FIELDS_ROWS: readonly Row[] = [
  {
    row: 549,
    title: "an apply that removes the last element of a list or map of another manager leaves null",
    run: async (context) => {
      await installCrd(context, definition());
      for (const [name, part] of Object.entries(PARTS)) await emptied(context, custom, name, part);
      await emptied(context, podTemplate, "template-labels", {
        theirs: { template: { metadata: { labels: { x: "1" } } } },
        applied: { template: { metadata: { labels: { y: "1" } } } },
      });
      await emptied(context, podTemplate, "annotations", {
        theirs: { metadata: { annotations: { x: "1" } } },
        applied: { metadata: { annotations: { y: "1" } } },
      });
      for (const [name, spec] of Object.entries({
        alone: { map: { y: "1" } },
        nested: { nullableMaps: { x: { y: "1" } } },
      }))
        await emptiedAlone(context, custom, `spec-${name}`, spec);
    },
  },
];

/** A part of an object: first one manager states it, then another applies it by force, and the first leaves it to the other. */
interface Part {
  readonly theirs: Json;
  readonly applied: Json;
  readonly subresource?: string;
}

const PARTS: Readonly<Record<string, Part>> = {
  map: { theirs: { spec: { map: { x: "1" } } }, applied: { spec: { map: { y: "1" } } } },
  set: { theirs: { spec: { set: ["x"] } }, applied: { spec: { set: ["y"] } } },
  list: { theirs: { spec: { list: [{ name: "x" }] } }, applied: { spec: { list: [{ name: "y" }] } } },
  "nullable-map": { theirs: { spec: { nullableMap: { x: "1" } } }, applied: { spec: { nullableMap: { y: "1" } } } },
  "nullable-set": { theirs: { spec: { nullableSet: ["x"] } }, applied: { spec: { nullableSet: ["y"] } } },
  "default-map": { theirs: { spec: { defaultMap: { x: "1" } } }, applied: { spec: { defaultMap: { y: "1" } } } },
  fields: { theirs: { spec: { fields: { a: "1" } } }, applied: { spec: { fields: { b: "1" } } } },
  free: { theirs: { spec: { free: { x: { a: "1" } } } }, applied: { spec: { free: { y: { a: "1" } } } } },
  nested: { theirs: { spec: { maps: { x: { y: "1" } } } }, applied: { spec: { maps: { x: { z: "1" } } } } },
  labels: { theirs: { metadata: { labels: { x: "1" } } }, applied: { metadata: { labels: { y: "1" } } } },
  finalizers: {
    theirs: { metadata: { finalizers: ["example.com/x"] } },
    applied: { metadata: { finalizers: ["example.com/y"] } },
  },
  status: { theirs: { status: { a: "1" } }, applied: { status: { b: "1" } }, subresource: "/status" },
};

interface Kind {
  readonly plural: string;
  readonly path: string;
  readonly object: (name: string, part: Json) => Json;
}

const custom: Kind = {
  plural: "vessels",
  path: `/apis/${GROUP}/v1`,
  object: (name, { metadata, ...part }) => ({
    apiVersion: `${GROUP}/v1`,
    kind: "Vessel",
    metadata: { ...(metadata as Json | undefined), name },
    ...part,
  }),
};

const podTemplate: Kind = {
  plural: "podtemplates",
  path: "/api/v1",
  object: (name, { metadata, template }) => ({
    apiVersion: "v1",
    kind: "PodTemplate",
    metadata: { ...(metadata as Json | undefined), name },
    template: { ...(template as Json | undefined), spec: { containers: [{ name: "main", image: "image" }] } },
  }),
};

async function emptied(context: RowContext, kind: Kind, name: string, part: Part): Promise<void> {
  const { theirs, applied, subresource = "" } = part;
  const collection = `${kind.path}/namespaces/${context.namespace}/${kind.plural}`;
  const path = `${collection}/${name}`;
  const place = `${path}${subresource}`;
  const step = (text: string, answer: Answer): void => context.note(`${name}: ${text}`, described(answer));
  const apply = async (body: Json, force = ""): Promise<Answer> =>
    context.quietly({ method: "PATCH", path: `${place}?fieldManager=one${force}`, contentType: APPLY, body });
  const update = async (body: Json): Promise<Answer> =>
    context.quietly({ method: "PUT", path: `${place}?fieldManager=two`, body });

  const created = await context.quietly({
    method: "POST",
    path: `${collection}?fieldManager=two`,
    body: kind.object(name, theirs),
  });
  const withVersion = (answer: Answer, body: Json): Json => {
    const { resourceVersion } = objectOf(answer).metadata;
    return { ...body, metadata: { ...(body["metadata"] as Json), resourceVersion } };
  };
  if (subresource !== "") await update(withVersion(created, kind.object(name, theirs)));
  const forced = await apply(kind.object(name, applied), "&force=true");
  step("update", await update(withVersion(forced, kind.object(name, applied))));
  step("apply without it", await apply(kind.object(name, {})));
  step("apply without it by force", await apply(kind.object(name, {}), "&force=true"));
  step("read", await context.quietly({ path }));
  step("apply with it again", await apply(kind.object(name, applied)));
}

// The only manager states the map around what it no longer states.
async function emptiedAlone(
  context: RowContext,
  { path, plural, object }: Kind,
  name: string,
  spec: Json,
): Promise<void> {
  const place = `${path}/namespaces/${context.namespace}/${plural}/${name}`;
  const apply = async (body: Json): Promise<Answer> =>
    context.quietly({
      method: "PATCH",
      path: `${place}?fieldManager=one`,
      contentType: APPLY,
      body: object(name, body),
    });
  const [field = ""] = Object.keys(spec);
  context.note(`${name}: apply`, described(await apply({ spec })));
  context.note(`${name}: apply an empty map`, described(await apply({ spec: { [field]: {} } })));
  context.note(`${name}: apply an empty map again`, described(await apply({ spec: { [field]: {} } })));
  context.note(`${name}: apply an empty map once more`, described(await apply({ spec: { [field]: {} } })));
  context.note(`${name}: apply another map`, described(await apply({ spec: { [field]: { z: null } } })));
  context.note(`${name}: apply an empty spec`, described(await apply({ spec: {} })));
  context.note(`${name}: apply without a spec`, described(await apply({})));
}

function described({ status, body }: Answer): unknown {
  if (status >= 400) return { status, body };
  const { metadata, spec, template, status: state } = body as Record<string, Json | undefined>;
  const { labels, annotations, finalizers, managedFields, generation } = metadata ?? {};
  const owners = ((managedFields ?? []) as readonly ManagedFieldsEntry[]).map(
    ({ manager, operation, subresource = "", fieldsV1 }) => ({
      owner: [manager, operation, subresource].join("/"),
      fieldsV1,
    }),
  );
  const sorted = owners.toSorted((left, right) => (left.owner < right.owner ? -1 : 1));
  const facts = { status, generation, labels, annotations, finalizers, spec, template, state, owners: sorted };
  return Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined));
}

function definition(): Json {
  const text = { type: "string" };
  const map = { type: "object", additionalProperties: text };
  const set = { type: "array", "x-kubernetes-list-type": "set", items: text };
  const fields = { type: "object", properties: { a: text, b: text } };
  const spec = {
    type: "object",
    properties: {
      map,
      set,
      list: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
        items: { type: "object", required: ["name"], properties: { name: text } },
      },
      nullableMap: { ...map, nullable: true },
      nullableSet: { ...set, nullable: true },
      defaultMap: { ...map, default: { z: "1" } },
      fields,
      free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      nullableMaps: { type: "object", nullable: true, additionalProperties: { ...map, nullable: true } },
      maps: { type: "object", additionalProperties: map },
    },
  };
  return crd({
    group: GROUP,
    kind: "Vessel",
    schema: { spec, status: fields },
    version: { subresources: { status: {} } },
  });
}
