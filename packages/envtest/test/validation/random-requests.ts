import { builtInSchema } from "@kubescaffold/k8s/tables";

import type { Random } from "../../src/conversion/random-value.ts";
import type { Json } from "../conformance/row.ts";
import type { BaseObject } from "./base-objects.ts";
import { edited, randomEdit, type Edit } from "./edits.ts";

/** The verbs that are compared, all as dry runs. */
const VERBS = ["create", "create", "create", "update", "update", "patch", "apply"] as const;

/** A dry run of a write: a valid object of both servers, and what is changed in it. */
export interface VariedRequest {
  readonly verb: (typeof VERBS)[number];
  readonly base: BaseObject;
  /** The object as each of the servers has stored it. */
  readonly stored: StoredForms;
  readonly edits: readonly Edit[];
}

/** A request as it is sent. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly contentType: string;
  readonly body: unknown;
}

/** An object that both servers have. */
export interface StoredBase {
  readonly base: BaseObject;
  readonly stored: StoredForms;
}

/** One object as two servers have stored it. */
export interface StoredForms {
  readonly embedded: Json;
  readonly kubernetes: Json;
}

/** Kinds whose objects are never stored: a range of addresses changes what Services are given. */
export const CREATED_ONLY: ReadonlySet<string> = new Set(["ServiceCIDR.networking.k8s.io"]);

/** Returns a random request for one of the objects. */
export function randomRequest(bases: readonly StoredBase[], random: Random): VariedRequest {
  const { base, stored } = bases[Math.floor(random() * bases.length)] as StoredBase;
  const drawn = VERBS[Math.floor(random() * VERBS.length)] ?? "create";
  const verb = CREATED_ONLY.has(base.kind) ? "create" : drawn;
  const source = verb === "create" || verb === "apply" ? base.object : stored.kubernetes;
  const schema = builtInSchema(base.definition) ?? {};
  const edits: Edit[] = [];
  const wanted = random() < 0.6 ? 1 : random() < 0.8 ? 2 : 4;
  for (let count = 0; count < wanted; count += 1) edits.push(randomEdit(edited(source, edits), schema, random));
  return { verb, base, stored, edits };
}

const MANAGER = "fieldManager=fuzz";

/** Returns the request with its body, as it is sent to both servers. */
export function sentRequest(
  { verb, base, stored: forms, edits }: VariedRequest,
  server: keyof StoredForms,
): SentRequest {
  const stored = forms[server];
  const name = String((stored["metadata"] as Json)["name"]);
  const at = `${base.path}/${encodeURIComponent(name)}?dryRun=All&${MANAGER}`;
  switch (verb) {
    case "create":
      return {
        method: "POST",
        path: `${base.path}?dryRun=All&${MANAGER}`,
        contentType: "application/json",
        body: edited(named(base.object, newName(base, name)), edits),
      };
    case "update":
      return { method: "PUT", path: at, contentType: "application/json", body: edited(stored, edits) };
    case "patch":
      return {
        method: "PATCH",
        path: at,
        contentType: "application/merge-patch+json",
        body: mergePatch(stored, edits),
      };
    case "apply":
      return {
        method: "PATCH",
        path: `${at}&force=true`,
        contentType: "application/apply-patch+yaml",
        body: edited(named(base.object, name), edits),
      };
  }
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

// A merge patch cannot change items of lists: it states the whole list.
function mergePatch(stored: Json, edits: readonly Edit[]): Json {
  const changed = edited(stored, edits);
  return difference(stored, changed) as Json;
}

function difference(before: unknown, after: unknown): unknown {
  if (!isPlain(before) || !isPlain(after)) return after;
  const removed = Object.keys(before).filter((key) => !(key in after));
  const set = Object.entries(after).filter(([key, value]) => JSON.stringify(before[key]) !== JSON.stringify(value));
  return Object.fromEntries([
    ...removed.map((key) => [key, null] as const),
    ...set.map(([key, value]) => [key, difference(before[key], value)] as const),
  ]);
}

function isPlain(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
