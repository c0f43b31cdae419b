import { deepEqual, formatPointer } from "@kubescaffold/schema";

import type { Random } from "../../src/conversion/random-value.ts";
import type { Json } from "../conformance/row.ts";
import type { BaseObject } from "./base-objects.ts";
import { edited, randomEdit, type Edit } from "./edits.ts";
import { comparedApi } from "./resolved-schema.ts";

/** The verbs that are compared. */
const VERBS = [
  "create",
  "create",
  "create",
  "update",
  "update",
  "patch",
  "json-patch",
  "apply",
  "update-status",
] as const;
/** Verbs that change the stored object, and may do so. */
const CHANGES: ReadonlySet<string> = new Set(["update", "patch", "json-patch", "update-status"]);

/** A write, first as a dry run: a valid object of both servers, and what is changed in it. */
export interface VariedRequest {
  readonly verb: (typeof VERBS)[number];
  readonly base: BaseObject;
  /** The object as each of the servers has stored it. */
  readonly stored: StoredForms;
  readonly edits: readonly Edit[];
  /** Whether it is sent once more, without being a dry run, if both servers accept it. */
  readonly isKept: boolean;
}

/** A request as it is sent. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly contentType: string;
  /** Absent for reads. */
  readonly body?: unknown;
  /** Whether it leaves the same behind if it is sent twice. */
  readonly isRepeatable: boolean;
}

/** An object that both servers have, as it is now. */
export interface StoredBase {
  readonly base: BaseObject;
  stored: StoredForms;
}

/** One object as two servers have stored it. */
export interface StoredForms {
  readonly embedded: Json;
  readonly kubernetes: Json;
}

/** Kinds whose objects are never stored: a range of addresses changes what Services are given. */
export const CREATED_ONLY: ReadonlySet<string> = new Set(["ServiceCIDR.networking.k8s.io"]);

// What these say would be done to requests for other objects, and would fail in each server's own words.
const NEVER_CHANGED: ReadonlySet<string> = new Set([
  "MutatingWebhookConfiguration.admissionregistration.k8s.io",
  "ValidatingWebhookConfiguration.admissionregistration.k8s.io",
]);

/** Returns a random request for one of the objects, with one of the verbs, or of all. */
export function randomRequest(
  bases: readonly StoredBase[],
  random: Random,
  verbs: readonly string[] = [],
): VariedRequest {
  const { base, stored } = bases[Math.floor(random() * bases.length)] as StoredBase;
  const possible = verbs.length === 0 ? VERBS : VERBS.filter((verb) => verbs.includes(verb));
  const drawn = possible[Math.floor(random() * possible.length)] ?? "create";
  const isPossible = !CREATED_ONLY.has(base.kind) && (drawn !== "update-status" || base.hasStatus);
  const verb = isPossible ? drawn : "create";
  const part = verb === "update-status" ? "status" : "content";
  const source = verb === "create" || verb === "apply" ? base.object : stored.kubernetes;
  const schema = comparedApi().schema(base.definition) ?? {};
  const edits: Edit[] = [];
  const wanted = random() < 0.6 ? 1 : random() < 0.8 ? 2 : 4;
  for (let count = 0; count < wanted; count += 1) {
    edits.push(randomEdit({ object: edited(source, edits), schema, part }, random));
  }
  const isChange = CHANGES.has(verb) && !NEVER_CHANGED.has(base.kind);
  return { verb, base, stored, edits, isKept: isChange && random() < 0.3 };
}

const MANAGER = "fieldManager=fuzz";

/** Returns the request with its body, as it is sent to both servers; a dry run unless stated otherwise. */
export function sentRequest(
  { verb, base, stored: forms, edits: drawn }: VariedRequest,
  server: keyof StoredForms,
  { isDryRun = true }: { readonly isDryRun?: boolean } = {},
): SentRequest {
  const stored = forms[server];
  const edits = server === "kubernetes" ? drawn : ownEdits(drawn, forms);
  const name = String((stored["metadata"] as Json)["name"]);
  const place = `${base.path}/${encodeURIComponent(name)}`;
  const query = `?${isDryRun ? "dryRun=All&" : ""}${MANAGER}`;
  const at = `${place}${query}`;
  const isRepeatable = isDryRun;
  switch (verb) {
    case "create":
      return {
        method: "POST",
        path: `${base.path}${query}`,
        contentType: "application/json",
        body: edited(named(base.object, newName(base, name)), edits),
        isRepeatable,
      };
    case "update":
      return { method: "PUT", path: at, contentType: "application/json", body: edited(stored, edits), isRepeatable };
    case "update-status":
      return {
        method: "PUT",
        path: `${place}/status${query}`,
        contentType: "application/json",
        body: edited(stored, edits),
        isRepeatable,
      };
    case "json-patch":
      return {
        method: "PATCH",
        path: at,
        contentType: "application/json-patch+json",
        body: jsonPatch(stored, edits),
        isRepeatable,
      };
    case "patch":
      return {
        method: "PATCH",
        path: at,
        contentType: "application/merge-patch+json",
        body: mergePatch(stored, edits),
        isRepeatable,
      };
    case "apply":
      return {
        method: "PATCH",
        path: `${at}&force=true`,
        contentType: "application/apply-patch+yaml",
        body: edited(named(base.object, name), edits),
        isRepeatable,
      };
  }
}

/** Returns the request that reads the object of a request. */
export function readRequest({ base, stored }: VariedRequest, server: keyof StoredForms): SentRequest {
  const name = String((stored[server]["metadata"] as Json)["name"]);
  return {
    method: "GET",
    path: `${base.path}/${encodeURIComponent(name)}`,
    contentType: "application/json",
    isRepeatable: true,
  };
}

// Edits are made of the object on the real server, and may repeat its uid.
function ownEdits(edits: readonly Edit[], { embedded, kubernetes }: StoredForms): readonly Edit[] {
  const [own, other] = [embedded, kubernetes].map((object) => (object["metadata"] as Json)["uid"]);
  if (typeof own !== "string" || typeof other !== "string") return edits;
  return edits.map((edit) =>
    edit.value === undefined ? edit : { ...edit, value: withText(edit.value, { text: other, replacement: own }) },
  );
}

function withText(value: unknown, change: { readonly text: string; readonly replacement: string }): unknown {
  if (typeof value === "string") return value.replaceAll(change.text, change.replacement);
  if (Array.isArray(value)) return value.map((item) => withText(item, change));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withText(member, change)]));
}

// Kinds whose names mean something are created under the name that they have.
function newName({ object, isNameFree }: BaseObject, name: string): string {
  const stated = (object["metadata"] as Json | undefined)?.["name"] as string | undefined;
  return isNameFree && stated === undefined ? "new" : (stated ?? name);
}

/** Returns an object with a name. */
export function named(object: Json, name: string): Json {
  return { ...object, metadata: { ...(object["metadata"] as Json | undefined), name } };
}

// An operation for each edit whose place is there when its turn comes.
function jsonPatch(stored: Json, edits: readonly Edit[]): unknown {
  return edits.flatMap(({ path, value }, index) => {
    const parent = valueAt(edited(stored, edits.slice(0, index)), path.slice(0, -1));
    const last = path.at(-1);
    if (typeof parent !== "object" || parent === null || last === undefined) return [];
    const isThere = Object.hasOwn(parent, last);
    const pointer = formatPointer(path.map(String));
    if (value === undefined) return isThere ? [{ op: "remove", path: pointer }] : [];
    return [{ op: isThere ? "replace" : "add", path: pointer, value }];
  });
}

function valueAt(object: unknown, path: Edit["path"]): unknown {
  let value = object;
  for (const step of path) value = (value as Record<string | number, unknown> | undefined)?.[step];
  return value;
}

// A merge patch cannot change items of lists: it states the whole list.
function mergePatch(stored: Json, edits: readonly Edit[]): Json {
  const changed = edited(stored, edits);
  return difference(stored, changed) as Json;
}

function difference(before: unknown, after: unknown): unknown {
  if (!isPlain(before) || !isPlain(after)) return after;
  const removed = Object.keys(before).filter((key) => !(key in after));
  const set = Object.entries(after).filter(([key, value]) => !deepEqual(before[key], value));
  return Object.fromEntries([
    ...removed.map((key) => [key, null] as const),
    ...set.map(([key, value]) => [key, difference(before[key], value)] as const),
  ]);
}

function isPlain(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
