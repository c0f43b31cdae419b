import { type FieldError, goQuote, invalidField } from "@kubescaffold/k8s";

import { areDeclared } from "../checks/declared-rules.ts";

const FORM =
  "uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters";
const DECLARED_FORM = "must be a lowercase UUID in 8-4-4-4-12 format";
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/u;
const HEXADECIMAL = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/iu;

/** Returns what is wrong with a UUID that must be written in its normal form. */
export function uuidErrors(field: string, uuid: string): readonly FieldError[] {
  if (areDeclared()) return UUID.test(uuid) ? [] : [invalidField(field, uuid, DECLARED_FORM)];
  const problem = uuidProblem(uuid);
  if (problem !== undefined) return [invalidField(field, uuid, `error validating uid: ${problem}`)];
  return uuid.length === 36 && uuid === uuid.toLowerCase() ? [] : [invalidField(field, uuid, FORM)];
}

const LENGTHS: ReadonlyMap<number, RegExp> = new Map([
  [36, HEXADECIMAL],
  [45, /^.{9}[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/isu],
  [38, /^.[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}.$/isu],
  [32, /^[0-9a-f]{32}$/iu],
]);

function uuidProblem(uuid: string): string | undefined {
  const length = Buffer.byteLength(uuid);
  const form = LENGTHS.get(length);
  if (form === undefined) return `invalid UUID length: ${length}`;
  if (length === 45 && !uuid.toLowerCase().startsWith("urn:uuid:"))
    return `invalid urn prefix: ${goQuote(uuid.slice(0, 9))}`;
  if (length === 38 && !(uuid.startsWith("{") && uuid.endsWith("}"))) return "invalid bracketed UUID format";
  return form.test(uuid) ? undefined : "invalid UUID format";
}
