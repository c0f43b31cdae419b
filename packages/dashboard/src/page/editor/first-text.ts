import { stringify } from "yaml";

import type { KindInfo } from "../feed/protocol.ts";
import { formSchemaOf, initialValue, plainSchema, type FormSchema } from "./form-schema.ts";

/** Returns the YAML of a new object of a kind that has no sample: what its schema requires. */
export function firstText({ apiVersion, kind, isNamespaced, schema }: KindInfo): string {
  const metadata = { name: `${kind.toLowerCase()}-sample`, ...(isNamespaced ? { namespace: "default" } : {}) };
  const form = schema === undefined ? {} : formSchemaOf(schema as FormSchema, isNamespaced);
  const { spec } = form.properties ?? {};
  const value = spec === undefined ? {} : { spec: initialValue(plainSchema(spec)) };
  return stringify({ apiVersion, kind, metadata, ...value }, { version: "1.1" });
}
