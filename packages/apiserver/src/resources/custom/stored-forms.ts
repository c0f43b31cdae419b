import { applyDefaults, prune, type JsonSchema } from "@kubescaffold/schema";

import type { ApiObject } from "../../storage/api-object.ts";
import type { Strategy } from "../strategy.ts";
import type { ConvertObjects } from "./convert-objects.ts";
import { createConvertedViews } from "./converted-views.ts";
import type { CrdObject, CrdVersion } from "./crd-object.ts";

/** The schema of a version that has none. */
export const FREE_FORM: JsonSchema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

type StoredForms = Pick<Strategy, "toStored" | "fromStored" | "prepareRead" | "prepareWrite">;

interface StoredVersion {
  readonly crd: CrdObject;
  readonly version: CrdVersion;
  /** Without it, the versions differ by name and schema alone. */
  readonly convert: ConvertObjects | undefined;
  /** Returns an object as it may be stored. */
  readonly prepared: (object: ApiObject) => ApiObject;
}

/** Returns how the objects of one version of a custom resource get to the version that is stored, and back. */
export function createStoredForms({ crd, version, convert, prepared }: StoredVersion): StoredForms {
  const schemas = schemasOf(crd);
  const apiVersion = `${crd.spec.group}/${version.name}`;
  const storage = crd.spec.versions.find((candidate) => candidate.storage) ?? version;
  const storedApiVersion = `${crd.spec.group}/${storage.name}`;
  const views = new WeakMap<ApiObject, ApiObject>();
  const converted =
    convert === undefined ? undefined : createConvertedViews({ convert, schemas, apiVersion, storedApiVersion });
  return {
    ...(converted === undefined ? {} : { prepareRead: converted.prepareRead, prepareWrite: converted.prepareWrite }),
    toStored: (given) => {
      if (apiVersion !== storedApiVersion) {
        return converted === undefined
          ? renamed({ object: { ...given, metadata: { ...given.metadata } }, schemas, apiVersion: storedApiVersion })
          : converted.stored(given);
      }
      const object = prepared(given);
      views.set(object, object);
      return object;
    },
    fromStored: (stored) => {
      if (converted !== undefined && stored.apiVersion !== apiVersion) {
        return converted.read(stored);
      }
      const view = views.get(stored) ?? readStored({ stored, schemas, apiVersion });
      views.set(stored, view);
      return view;
    },
  };
}

function schemasOf({ spec }: CrdObject): ReadonlyMap<string, JsonSchema> {
  return new Map(
    spec.versions.map(({ name, schema }) => [`${spec.group}/${name}`, schema?.openAPIV3Schema ?? FREE_FORM]),
  );
}

// Defaults are those of the version that is stored.
function readStored(input: {
  readonly stored: ApiObject;
  readonly schemas: ReadonlyMap<string, JsonSchema>;
  readonly apiVersion: string;
}): ApiObject {
  const { stored, schemas, apiVersion } = input;
  const schema = schemas.get(stored.apiVersion ?? "") ?? FREE_FORM;
  const object: ApiObject = applyDefaults(schema, prune(schema, stored as never).value);
  return stored.apiVersion === apiVersion ? object : renamed({ object, schemas, apiVersion });
}

function renamed(input: {
  readonly object: ApiObject;
  readonly schemas: ReadonlyMap<string, JsonSchema>;
  readonly apiVersion: string;
}): ApiObject {
  const { object, schemas, apiVersion } = input;
  return prune(schemas.get(apiVersion) ?? FREE_FORM, { ...object, apiVersion } as never).value;
}
