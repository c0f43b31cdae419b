import {
  cIdentifierErrors,
  dns1123SubdomainErrors,
  duplicateField,
  type FieldError,
  invalidField,
  requiredField,
  tooLongField,
  tooManyField,
} from "@kubescaffold/k8s";

import { since } from "../../../../release/rule-release.ts";
import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { repeatedIndexes } from "../../../repeated-indexes.ts";
import { areDeclared } from "../checks/declared-rules.ts";
import { checkedText, eachItem } from "../checks/field-checks.ts";
import { driverNameErrors } from "../pod/storage-source-errors.ts";

const LONGEST_POOL = 253;
const LONGEST_IDENTIFIER = 32;
const LONGEST_DOMAIN = 63;
const LONGEST_KEY = LONGEST_DOMAIN + 1 + LONGEST_IDENTIFIER;

/** Returns what is wrong with the name of a pool of devices: subdomains with slashes between them. */
export function poolNameErrors(field: string, name: string): readonly FieldError[] {
  if (name === "") return [requiredField(field)];
  return [
    ...(Buffer.byteLength(name) > LONGEST_POOL ? [tooLongField(field, LONGEST_POOL)] : []),
    ...name.split("/").flatMap((part) => checkedText(field, part, dns1123SubdomainErrors)),
  ];
}

/** Returns what is wrong with the name of an attribute or a capacity, which may have a domain. */
export function attributeNameErrors(field: string, name: string): readonly FieldError[] {
  if (name === "" && !since("1.35")) return [requiredField(field, "name required")];
  const [first = "", second, ...others] = name.split("/");
  // Upstream accepts names with more than one slash.
  if (others.length > 0) return [];
  if (second === undefined) return identifierErrors(field, first);
  return [
    ...(first === "" ? [emptyPart(field, "the domain must not be empty")] : driverNameErrors(field, first)),
    ...(second === "" ? [emptyPart(field, "the name must not be empty")] : identifierErrors(field, second)),
  ];
}

/** Returns what is wrong with the name of an attribute that must have a domain. */
export function qualifiedAttributeErrors(field: string, name: string): readonly FieldError[] {
  const errors = attributeNameErrors(field, name);
  if (name.includes("/")) return errors;
  if (since("1.35"))
    return [
      ...errors,
      invalidField(field, name, "a fully qualified name must be a domain and a name separated by a slash"),
    ];
  return name === "" ? errors : [...errors, invalidField(field, name, "must include a domain")];
}

function emptyPart(field: string, problem: string): FieldError {
  return since("1.35") ? invalidField(field, "", problem) : requiredField(field, problem);
}

function identifierErrors(field: string, id: string): readonly FieldError[] {
  return [
    ...(Buffer.byteLength(id) > LONGEST_IDENTIFIER ? [tooLongField(field, LONGEST_IDENTIFIER)] : []),
    ...checkedText(field, id, cIdentifierErrors),
  ];
}

/** Returns the path of an entry of a map of attributes or capacities; long names are shortened in their middle. */
export function keyedPath(field: string, key: string): string {
  if (key.length <= LONGEST_KEY) return `${field}[${key}]`;
  const shown = LONGEST_KEY - "...".length;
  return `${field}[${key.slice(0, Math.floor((shown + 1) / 2))}...${key.slice(key.length - Math.floor(shown / 2))}]`;
}

interface CheckedList<Item> {
  readonly items: readonly Item[];
  readonly at: string;
  readonly most: number;
  readonly errorsOf: (item: Item, at: string) => readonly FieldError[];
}

/** Returns the errors of each item of a list, or the one that there are too many. */
export function limitedItems<Item>({ items, at, most, errorsOf }: CheckedList<Item>): readonly FieldError[] {
  return items.length > most ? [tooManyField(at, items.length, most)] : eachItem(items, at, errorsOf);
}

/** A list whose items must have different keys. */
interface DistinctList<Item> extends CheckedList<Item> {
  readonly keyOf: (item: Item) => string;
  /** What the error of a repeated item shows; its key by default. */
  readonly shownKey?: (item: Item) => unknown;
  /** The field of an item that 1.34 names in the error of a repeated one; newer versions name the item. */
  readonly keyField?: string;
}

/** Does the same for a list whose items must have different keys. */
export function distinctItems<Item>(list: DistinctList<Item>): readonly FieldError[] {
  const { items, at, most, keyOf, shownKey = keyOf, keyField } = list;
  const errors = limitedItems(list);
  if (items.length > most) return errors;
  const repeated = repeatedIndexes(items.map((item) => keyOf(item)));
  const suffix = keyField === undefined || since("1.35") ? "" : `.${keyField}`;
  return [
    ...errors,
    ...items.flatMap((item, index) =>
      repeated.has(index) ? [duplicateField(`${at}[${index}]${suffix}`, shownKey(item))] : [],
    ),
  ];
}

/** Shows a repeated item by its key; declared rules show the whole item. */
export function shownItem(keyOf: (item: MutableJsonObject) => string): (item: MutableJsonObject) => unknown {
  return (item) => (areDeclared() ? item : keyOf(item));
}
