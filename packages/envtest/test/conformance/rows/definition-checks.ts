import { crd } from "../kinds.ts";
import type { Json, Row, RowContext } from "../row.ts";
import { objectOf } from "../row.ts";
import { CRDS_PATH } from "./install-crd.ts";
import { conditionOf } from "./install-crd.ts";
import { outcomeOf } from "./webhook-answers.ts";

const APPROVED = "api-approved.kubernetes.io";
const MERGE = "application/merge-patch+json";

/** Rows about checks of definitions: approvals of groups, formats, paths of scales, and groups. */
export const DEFINITION_CHECK_ROWS: readonly Row[] = [
  { row: 713, title: "definitions of the groups of Kubernetes need an approval, which is a condition", run: approvals },
  { row: 714, title: "formats that are unknown are warned about when they are new", run: formats },
  { row: 715, title: "a definition without a group, or with scale paths of another type, is refused", run: shapes },
];

const APPROVALS: Readonly<Record<string, string | undefined>> = {
  none: undefined,
  empty: "",
  word: "yes",
  path: "/pull/1",
  "no-host": "https://",
  "no-slashes": "mailto:a@example.com",
  relative: "example.com/pull/1",
  space: "https://example.com/a b",
  "host-space": "https://exam ple.com/a",
  "bad-escape": "https://example.com/%zz",
  "bad-port": "https://example.com:x/a",
  "no-scheme": "://example.com",
  "other-scheme": "ftp://example.com",
  upper: "HTTPS://EXAMPLE.COM",
  fragment: "https://example.com/a#b",
  query: "https://example.com?a=b",
  url: "https://github.com/kubernetes/kubernetes/pull/1",
  unapproved: "unapproved",
  "unapproved-reason": "unapproved, experimental",
  "unapproved-upper": "Unapproved",
};

const ACCEPTED_CHANGE = "no longer approved";

const typeOf = (condition: Json): string => String(condition["type"]);

async function approvals(context: RowContext): Promise<void> {
  const { quietly, note, send, eventually, cleanUp } = context;
  const definition = (group: string, approval: string | undefined): Json => {
    const base = crd({ group, kind: "Approved", schema: {} }) as Json & { readonly metadata: Json };
    const annotations = approval === undefined ? {} : { annotations: { [APPROVED]: approval } };
    return { ...base, metadata: { ...base.metadata, ...annotations } };
  };
  for (const group of ["row713.k8s.io", "row713.kubernetes.io"]) {
    for (const [name, approval] of Object.entries(APPROVALS)) {
      const body = definition(group, approval);
      note(`${name} in ${group}`, outcomeOf(await quietly({ method: "POST", path: `${CRDS_PATH}?dryRun=All`, body })));
    }
  }
  const group = "row713.k8s.io";
  const path = `${CRDS_PATH}/approveds.${group}`;
  cleanUp(() => quietly({ method: "DELETE", path }));
  await quietly({ method: "POST", path: CRDS_PATH, body: definition(group, APPROVALS["url"]) });
  const settled = async (step: string, text: string): Promise<void> => {
    const found = await eventually({ path }, (answer) => {
      return JSON.stringify(answer.body).includes(text) && conditionOf(objectOf(answer), "Established") === "True";
    });
    const { conditions = [], ...status } = (objectOf(found).status ?? {}) as { readonly conditions?: readonly Json[] };
    // Three controllers write them, in any order.
    note(step, {
      ...status,
      conditions: conditions.toSorted((left, right) => (typeOf(left) < typeOf(right) ? -1 : 1)),
    });
  };
  await settled("approved", "approved in https");
  const annotate = async (step: string, approval: string | null): Promise<void> => {
    const body = { metadata: { annotations: { [APPROVED]: approval } } };
    const call = { method: "PATCH", path, body, contentType: MERGE } as const;
    if (step === ACCEPTED_CHANGE) note(step, (await quietly(call)).status);
    else await send(step, call);
  };
  await annotate("an approval that is removed", null);
  await annotate("an approval that becomes invalid", "yes");
  await annotate(ACCEPTED_CHANGE, "unapproved, experimental");
  await settled("not approved", "UnapprovedAnnotation");
}

const FORMATS = [
  "",
  "date-time",
  "date",
  "int32",
  "int64",
  "float",
  "double",
  "quantity",
  "k8s-short-name",
  "nonsense",
];
const TYPES = ["string", "integer", "number", "boolean", "object"];

async function formats(context: RowContext): Promise<void> {
  const { quietly, note, cleanUp } = context;
  const group = "row714.example.com";
  const definition = (properties: Json, more: readonly Json[] = []): Json => {
    const spec = { type: "object", properties };
    const base = crd({ group, kind: "Formatted", schema: { spec } }) as Json & {
      readonly spec: Json & { readonly versions: readonly Json[] };
    };
    return { ...base, spec: { ...base.spec, versions: [...base.spec.versions, ...more] } };
  };
  const create = async (step: string, body: Json, query = "?dryRun=All"): Promise<void> => {
    const answer = await quietly({ method: "POST", path: `${CRDS_PATH}${query}`, body });
    note(step, { status: answer.status, warnings: answer.headers.get("warning") });
  };
  for (const format of FORMATS) {
    for (const type of TYPES) await create(`${format} of ${type}`, definition({ a: { type, format } }));
    await create(`${format} of either`, definition({ a: { "x-kubernetes-int-or-string": true, format } }));
  }
  const unknown = (format: string): Json => ({ type: "string", format });
  const nested = {
    b: unknown("one"),
    a: { type: "array", items: unknown("two") },
    c: { type: "object", additionalProperties: unknown("three") },
    d: { type: "string", allOf: [{ format: "four" }], not: { format: "five" } },
    e: unknown("one"),
  };
  await create("nested in the order of places", definition({ a: nested.a }));
  await create("nested in maps", definition({ c: nested.c }));
  await create("nested in values", definition({ d: nested.d }));
  await create("twice", definition({ b: nested.b, e: nested.e }));
  const path = `${CRDS_PATH}/formatteds.${group}`;
  cleanUp(() => quietly({ method: "DELETE", path }));
  await create("stored", definition({ a: unknown("one") }), "");
  const change = async (step: string, properties: Json): Promise<void> => {
    const body = { spec: { versions: (definition(properties)["spec"] as Json)["versions"] } };
    const answer = await quietly({ method: "PATCH", path, body, contentType: MERGE });
    note(step, { status: answer.status, warnings: answer.headers.get("warning") });
  };
  await change("the same elsewhere", { b: unknown("one") });
  await change("another beside it", { b: unknown("one"), c: unknown("two") });
}

async function shapes(context: RowContext): Promise<void> {
  const { send } = context;
  const base = crd({ group: "row715.example.com", kind: "Shaped", schema: {} }) as Json & {
    readonly spec: Json & { readonly versions: readonly Json[]; readonly names: Json };
  };
  const create = async (step: string, spec: Json): Promise<void> => {
    const body = { ...base, spec: { ...base.spec, ...spec } };
    await send(step, { method: "POST", path: `${CRDS_PATH}?dryRun=All`, body });
  };
  await create("no group", { group: undefined });
  await create("an empty group", { group: "" });
  await create("a group without a dot", { group: "example" });
  await create("a group that is no domain", { group: "Ex ample_.com" });
  await create("no names", { names: undefined });
  await create("no scope", { scope: undefined });
  await create("no versions", { versions: undefined });
  const scale = async (step: string, fields: Json): Promise<void> => {
    const paths = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas", ...fields };
    const [version] = base.spec.versions;
    const versions = [{ ...version, subresources: { scale: paths } }];
    await create(step, { versions });
  };
  await scale("a number as path", { specReplicasPath: 1 });
  await scale("a number as path of the status", { statusReplicasPath: 1 });
  await scale("a number as path of the selector", { labelSelectorPath: 1 });
  await scale("no path", { specReplicasPath: undefined });
  await scale("an empty path", { specReplicasPath: "", statusReplicasPath: "" });
  await scale("a path in the status", { specReplicasPath: ".status.replicas" });
  await scale("a path without a dot", { specReplicasPath: "spec", statusReplicasPath: "." });
  await scale("a path of the selector elsewhere", { labelSelectorPath: ".metadata.name" });
}
