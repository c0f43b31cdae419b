import { goQuote, isGoPrintable, type JSONValue } from "@kubescaffold/k8s";
import type { ManagedFieldsEntry } from "@kubescaffold/k8s/meta/v1";
import { isRecord } from "@kubescaffold/platform";
import {
  fieldSetOf,
  fieldsWithout,
  printFieldSet,
  type FieldNode,
  type FieldOwners,
  type FieldSet,
} from "@kubescaffold/schema/structured-merge";

/** The manager of a write: its name, operation, version, and subresource. */
export interface Manager {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly subresource: string;
}

/** The owners of an object's fields with the time of their last change, by {@link managerKey}. */
export interface ManagedFields {
  readonly owners: FieldOwners;
  readonly entries: ReadonlyMap<string, ManagedFieldsEntry>;
}

/** Returns the name under which the fields of a manager are kept: one that applies is the same in every version. */
export function managerKey({
  manager = "",
  operation = "",
  apiVersion = "",
  subresource = "",
}: ManagedFieldsEntry): string {
  return JSON.stringify([manager, operation, operation === "Apply" ? "" : apiVersion, subresource]);
}

/** Reads `metadata.managedFields`. */
export function readManagedFields(entries: readonly ManagedFieldsEntry[] | undefined): ManagedFields {
  const keyed = (entries ?? []).map((entry): readonly [string, ManagedFieldsEntry] => [managerKey(entry), entry]);
  return {
    owners: new Map(keyed.map(([key, { fieldsV1 }]) => [key, fieldSetOf(fieldsV1 as JSONValue | undefined)])),
    entries: new Map(keyed),
  };
}

/** Returns why `metadata.managedFields` cannot be read, in the words of the reference; undefined when it can. */
export function managedFieldsProblem(entries: readonly ManagedFieldsEntry[]): string | undefined {
  for (const [index, { operation, apiVersion = "", fieldsType = "", fieldsV1 }] of entries.entries()) {
    if (operation !== "Apply" && operation !== "Update") return "operation must be `Apply` or `Update`";
    if (apiVersion === "") return "apiVersion must not be empty";
    if (fieldsType === "") return `missing fieldsType in managed fields entry ${index}`;
    if (fieldsType !== "FieldsV1") return `invalid fieldsType ${goQuote(fieldsType)} in managed fields entry ${index}`;
    const problem = fieldsV1 === undefined ? undefined : fieldsProblem(fieldsV1);
    if (problem !== undefined) return `error decoding versioned set: error decoding set: ${problem}`;
  }
  return undefined;
}

// Elements of an unknown type are dropped, since a later version may know them.
function fieldsProblem(fields: unknown): string | undefined {
  let problem = isRecord(fields) ? undefined : NO_OBJECT;
  const open = isRecord(fields) ? [membersOf(fields)] : [];
  while (problem === undefined) {
    const next = open.at(-1)?.next();
    if (next === undefined) break;
    if (next.done === true) {
      open.pop();
      continue;
    }
    const [element, below] = next.value;
    if (element === ".") continue;
    problem = elementProblem(element) ?? (isRecord(below) ? undefined : NO_OBJECT);
    if (isRecord(below)) open.push(membersOf(below));
  }
  return problem;
}

const NO_OBJECT = "the fields are no object";

function membersOf(fields: Readonly<Record<string, unknown>>): Iterator<readonly [string, unknown]> {
  return Object.entries(fields)[Symbol.iterator]();
}

function elementProblem(element: string): string | undefined {
  if (element.length < 2) return "parsing key as path element: key must be 2 characters long:";
  if (element[1] !== ":") return `parsing key as path element: missing colon: ${element}`;
  const text = element.slice(2);
  if (element[0] === "i" && !/^[+-]?\d+$/u.test(text)) return `strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`;
  if (element[0] !== "k" && element[0] !== "v") return undefined;
  try {
    const value = JSON.parse(text) as unknown;
    return element[0] === "v" || isRecord(value) ? undefined : `the keys are no object: ${text}`;
  } catch {
    return `the element is not JSON: ${text}`;
  }
}

/** Reports whether `metadata.managedFields` states that nothing is tracked any more: an empty list, or one empty entry. */
export function isReset(entries: readonly ManagedFieldsEntry[] | undefined): boolean {
  return entries !== undefined && (entries.length === 0 || (entries.length === 1 && isEmpty(entries[0])));
}

function isEmpty(entry: ManagedFieldsEntry | undefined): boolean {
  return Object.values(entry ?? {}).every((value) => value === undefined || value === "");
}

/** Prints `metadata.managedFields`; undefined when nobody owns anything. */
export function printManagedFields({ owners, entries }: ManagedFields): ManagedFieldsEntry[] | undefined {
  const printed = [...owners].flatMap(([key, set]): readonly ManagedFieldsEntry[] => {
    const entry = entries.get(key);
    return entry === undefined || set.size === 0 ? [] : [withFields(entry, set)];
  });
  return printed.length === 0 ? undefined : sortEntries(printed);
}

/** Returns an entry with the fields of a set, its members in the order in which servers write them. */
export function withFields(entry: ManagedFieldsEntry, set: FieldSet): ManagedFieldsEntry {
  const { manager, operation, apiVersion, time, subresource } = entry;
  const printed: ManagedFieldsEntry = {};
  if (manager !== undefined) printed.manager = manager;
  if (operation !== undefined) printed.operation = operation;
  if (apiVersion !== undefined) printed.apiVersion = apiVersion;
  if (time !== undefined) printed.time = time;
  printed.fieldsType = "FieldsV1";
  printed.fieldsV1 = printFieldSet(set);
  if (subresource !== undefined && subresource !== "") printed.subresource = subresource;
  return printed;
}

/** Returns entries in the order in which servers write them. */
export function sortEntries(entries: readonly ManagedFieldsEntry[]): ManagedFieldsEntry[] {
  return entries.toSorted(compareEntries);
}

/** Returns the entry of a manager who has last written at a time, if that is known. */
export function entryOf(
  { manager, operation, apiVersion, subresource }: Manager,
  time: string | undefined,
): ManagedFieldsEntry {
  return {
    manager,
    operation,
    apiVersion,
    ...(time === undefined ? {} : { time }),
    ...(subresource === "" ? {} : { subresource }),
  };
}

/** Removes from a set what no manager owns: the identity of an object, and what the server writes. */
export function withoutIdentity(set: FieldSet): FieldSet {
  return fieldsWithout(set, IDENTITY);
}

const MEMBER: FieldNode = { isMember: true, children: new Map() };
const METADATA = [
  "name",
  "namespace",
  "creationTimestamp",
  "selfLink",
  "uid",
  "clusterName",
  "generation",
  "managedFields",
  "resourceVersion",
];
const IDENTITY: FieldSet = new Map([
  ["f:apiVersion", MEMBER],
  ["f:kind", MEMBER],
  ["f:metadata", { isMember: true, children: new Map(METADATA.map((name) => [`f:${name}`, MEMBER])) }],
]);

function compareEntries(left: ManagedFieldsEntry, right: ManagedFieldsEntry): number {
  const keys = ["operation", "time", "manager", "apiVersion", "subresource"] as const;
  for (const key of keys) {
    const [own, other] = [left[key] ?? "", right[key] ?? ""];
    if (own !== other) return own < other ? -1 : 1;
  }
  return 0;
}

const LONGEST_BYTES = 128;

/** Returns the name of whoever writes: the one that the request states, or what its user agent begins with. */
export function managerName(fieldManager: unknown, userAgent: string | undefined): string {
  if (typeof fieldManager === "string" && fieldManager !== "") return fieldManager;
  const agent = userAgent ?? "";
  if (agent !== latest.agent) latest = { agent, name: nameOfAgent(agent) };
  return latest.name;
}

// Most requests come from the client of the one before.
let latest = { agent: "", name: "unknown" };

function nameOfAgent(userAgent: string): string {
  const [product = ""] = userAgent.split("/");
  let name = "";
  for (const character of product) {
    if (!isGoPrintable(character)) continue;
    if (Buffer.byteLength(name + character) > LONGEST_BYTES) break;
    name += character;
  }
  return name === "" ? "unknown" : name;
}
