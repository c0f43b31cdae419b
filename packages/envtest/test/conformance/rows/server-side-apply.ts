import type { ManagedFieldsEntry } from "@kubescaffold/k8s/meta/v1";

import { GROUP, pathOf } from "../kinds.ts";
import { objectOf, type Answer, type Json, type Row, type RowContext } from "../row.ts";

const APPLY = "application/apply-patch+yaml";

interface Applied {
  readonly step: string;
  readonly resource: "configmaps" | "podtemplates" | "widgets";
  readonly body: unknown;
  readonly query?: string;
  readonly subresource?: string;
  readonly name?: string;
}

function apply({ namespace, send }: RowContext, applied: Applied): Promise<Answer> {
  const { step, resource, body, query = "fieldManager=one", subresource, name = "a" } = applied;
  const path = pathOf(resource, namespace, name) + (subresource === undefined ? "" : `/${subresource}`);
  return send(step, { method: "PATCH", path: `${path}?${query}`, body, contentType: APPLY });
}

// Transcripts leave managedFields out, since servers write them at other times, too; of what is applied they are facts.
function noteOwners({ note }: RowContext, step: string, answer: Answer): void {
  const entries = (objectOf(answer).metadata["managedFields"] ?? []) as readonly ManagedFieldsEntry[];
  note(
    step,
    entries.map(({ time: _time, ...entry }) => entry),
  );
}

function map(data: Json, metadata: Json = {}): Json {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", ...metadata }, data };
}

function widget(fields: Json): Json {
  return { apiVersion: `${GROUP}/v1`, kind: "Widget", metadata: { name: "a" }, ...fields };
}

// No controller writes to it.
function podTemplate(containers: readonly Json[]): Json {
  const template = { metadata: { labels: { app: "a" } }, spec: { containers } };
  return { apiVersion: "v1", kind: "PodTemplate", metadata: { name: "a" }, template };
}

/** Rows about patches of type `application/apply-patch+yaml`. */
export const APPLY_ROWS: readonly Row[] = [
  {
    row: 25,
    title: "applying to what is not there makes it, and records the owner",
    run: async (context) => {
      const made = await apply(context, { step: "apply", resource: "widgets", body: widget({ spec: { size: 1 } }) });
      noteOwners(context, "owners", made);
      const data = await apply(context, { step: "a configmap", resource: "configmaps", body: map({ a: "1" }) });
      noteOwners(context, "owners of the configmap", data);
    },
  },
  {
    row: 26,
    title: "applying the same again changes nothing",
    run: async (context) => {
      const body = widget({ spec: { size: 1, colors: ["red"] } });
      await apply(context, { step: "first", resource: "widgets", body });
      await apply(context, { step: "second", resource: "widgets", body });
    },
  },
  {
    row: 27,
    title: "another value of what someone else owns is a conflict",
    run: async (context) => {
      await apply(context, { step: "one", resource: "widgets", body: widget({ spec: { size: 1 } }) });
      const two = { resource: "widgets", query: "fieldManager=two" } as const;
      await apply(context, { ...two, step: "another value", body: widget({ spec: { size: 2 } }) });
      const shared = await apply(context, { ...two, step: "the same value", body: widget({ spec: { size: 1 } }) });
      noteOwners(context, "both own it", shared);
    },
  },
  {
    row: 28,
    title: "several conflicts are told by manager",
    run: async (context) => {
      await apply(context, { step: "one", resource: "configmaps", body: map({ a: "1" }) });
      const two = { resource: "configmaps", query: "fieldManager=two" } as const;
      await apply(context, { ...two, step: "two", body: map({ b: "1", c: "1" }) });
      const path = `${pathOf("configmaps", context.namespace, "a")}?fieldManager=three`;
      const body = map({ a: "2", b: "2", c: "2" });
      const answer = await context.quietly({ method: "PATCH", path, body, contentType: APPLY });
      // Causes come in any order.
      const { message, details } = answer.body as {
        message: string;
        details: { causes: readonly { field: string }[] };
      };
      const causes = details.causes.toSorted((left, right) => (left.field < right.field ? -1 : 1));
      context.note("three", { status: answer.status, message, causes });
    },
  },
  {
    row: 29,
    title: "force takes fields over",
    run: async (context) => {
      await apply(context, { step: "one", resource: "widgets", body: widget({ spec: { size: 1, mode: "Fast" } }) });
      const query = "fieldManager=two&force=true";
      const taken = await apply(context, {
        step: "two",
        resource: "widgets",
        query,
        body: widget({ spec: { size: 2 } }),
      });
      noteOwners(context, "owners", taken);
    },
  },
  {
    row: 30,
    title: "what its only owner leaves out goes",
    run: async (context) => {
      await apply(context, { step: "one", resource: "widgets", body: widget({ spec: { size: 1, mode: "Fast" } }) });
      const left = await apply(context, { step: "less", resource: "widgets", body: widget({ spec: { size: 1 } }) });
      noteOwners(context, "owners", left);
      await apply(context, { step: "nothing", resource: "widgets", body: widget({}) });
    },
  },
  {
    row: 31,
    title: "what another owns too stays",
    run: async (context) => {
      await apply(context, { step: "one", resource: "configmaps", body: map({ mine: "1", both: "1" }) });
      const query = "fieldManager=two";
      await apply(context, { step: "two", resource: "configmaps", query, body: map({ both: "1" }) });
      const left = await apply(context, { step: "one again", resource: "configmaps", body: map({}) });
      noteOwners(context, "owners", left);
    },
  },
  {
    row: 32,
    title: "elements of a list map are merged by their keys",
    run: async (context) => {
      const web = { name: "web", image: "web:1", ports: [{ containerPort: 80 }] };
      const made = await apply(context, { step: "one", resource: "podtemplates", body: podTemplate([web]) });
      noteOwners(context, "owners", made);
      const query = "fieldManager=two";
      const body = podTemplate([{ name: "log", image: "log:1" }]);
      const merged = await apply(context, { step: "two", resource: "podtemplates", query, body });
      noteOwners(context, "owners of both", merged);
      const other = podTemplate([{ name: "web", image: "web:2" }]);
      await apply(context, { step: "a conflict in an element", resource: "podtemplates", query, body: other });
      await apply(context, { step: "an element less", resource: "podtemplates", query, body: podTemplate([]) });
    },
  },
  {
    row: 33,
    title: "an atomic list is replaced as a whole",
    run: async (context) => {
      const colors = (list: readonly string[]): Json => widget({ spec: { size: 1, colors: list } });
      await apply(context, { step: "one", resource: "widgets", body: colors(["red", "blue"]) });
      await apply(context, { step: "another list", resource: "widgets", body: colors(["green"]) });
      const query = "fieldManager=two";
      await apply(context, { step: "a conflict over all of it", resource: "widgets", query, body: colors(["red"]) });
    },
  },
  {
    row: 34,
    title: "a set gets the values of each owner",
    run: async (context) => {
      const path = pathOf("configmaps", context.namespace, "a");
      context.cleanUp(() =>
        context.quietly({
          method: "PATCH",
          path,
          body: { metadata: { finalizers: null } },
          contentType: "application/merge-patch+json",
        }),
      );
      const finalizers = (name: string): Json => map({}, { finalizers: [`example.com/${name}`] });
      await apply(context, { step: "one", resource: "configmaps", body: finalizers("a") });
      const query = "fieldManager=two";
      const both = await apply(context, { step: "two", resource: "configmaps", query, body: finalizers("b") });
      noteOwners(context, "owners", both);
      await apply(context, { step: "one lets go", resource: "configmaps", body: map({}) });
    },
  },
  {
    row: 35,
    title: "the status is applied through its subresource",
    run: async (context) => {
      const body = widget({ spec: { size: 1 }, status: { phase: "Ignored" } });
      await apply(context, { step: "the object", resource: "widgets", body });
      const status = widget({ spec: { size: 2 }, status: { phase: "Ready" } });
      const stored = await apply(context, {
        step: "the status",
        resource: "widgets",
        subresource: "status",
        body: status,
      });
      noteOwners(context, "owners", stored);
      const lost = { step: "of nothing", resource: "widgets", subresource: "status", name: "none" } as const;
      await apply(context, { ...lost, body: { ...status, metadata: { name: "none" } } });
    },
  },
  {
    row: 36,
    title: "applying needs a manager",
    run: (context) =>
      apply(context, { step: "nobody", resource: "configmaps", query: "", body: map({ a: "1" }) }).then(
        () => undefined,
      ),
  },
  {
    row: 37,
    title: "a field that the kind does not have is refused",
    run: async (context) => {
      await apply(context, { step: "a configmap", resource: "configmaps", body: { ...map({}), dta: {} } });
      await apply(context, { step: "a widget", resource: "widgets", body: widget({ spec: { sise: 1 } }) });
    },
  },
  {
    row: 38,
    title: "managedFields, another version and another name are refused",
    run: async (context) => {
      const resource = "configmaps";
      await apply(context, { step: "managedFields", resource, body: map({}, { managedFields: [] }) });
      await apply(context, { step: "another version", resource, body: { ...map({}), apiVersion: "v2" } });
      await apply(context, { step: "another name", resource, body: map({}, { name: "b" }) });
    },
  },
  {
    row: 506,
    title: "a fraction in a field of integers is refused",
    run: async (context) => {
      const resource = "podtemplates";
      const ports = (containerPort: number): Json =>
        podTemplate([{ name: "a", image: "a", ports: [{ containerPort }] }]);
      await apply(context, { step: "a fraction", resource, body: ports(80.5) });
      await apply(context, { step: "a whole number", resource, body: ports(80) });
      const query = "fieldManager=one&force=true";
      await apply(context, { step: "a fraction in place of a number", resource, query, body: ports(81.5) });
    },
  },
  {
    row: 507,
    title: "elements of a stored object without a key are refused before those of the configuration",
    run: async ({ namespace, send, quietly }) => {
      const path = `/api/v1/namespaces/${namespace}/serviceaccounts`;
      const account = (fields: Json): Json => ({
        apiVersion: "v1",
        kind: "ServiceAccount",
        metadata: { name: "a" },
        ...fields,
      });
      const keyless = { secrets: [{ uid: "b" }] };
      const applied = async (step: string, body: Json): Promise<Answer> =>
        await send(step, { method: "PATCH", path: `${path}/a?fieldManager=one`, body, contentType: APPLY });
      await applied("without an object", account(keyless));
      await quietly({ method: "POST", path, body: account({ secrets: [{ uid: "a" }] }) });
      await applied("a configuration with a key", account({ secrets: [{ name: "a" }] }));
      await applied("a configuration without a key", account(keyless));
      await applied("managedFields", account({ metadata: { name: "a", managedFields: [] } }));
      await applied("another kind", { ...account(keyless), kind: "ConfigMap" });
      await quietly({ method: "PUT", path: `${path}/a`, body: account({}) });
      await applied("a configuration without a key for an object with all keys", account(keyless));
    },
  },
];
