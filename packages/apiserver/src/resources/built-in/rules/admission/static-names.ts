import { type FieldError, goQuote, invalidField } from "@kubescaffold/k8s";

import { isEnabled, since } from "../../../../release/rule-release.ts";
import type { ApiObject } from "../../../../storage/api-object.ts";

const SUFFIX = ".static.k8s.io";
const RESERVED = `names ending with ${goQuote(SUFFIX)} are reserved for static manifest-based configurations and cannot be managed via the API`;

/** Returns an error where a new object of admission has a name that is reserved for configurations in files. */
export function staticNameErrors({ metadata }: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const { name = "" } = metadata;
  return old === undefined && isEnabled("ManifestBasedAdmissionControlConfig") && name.endsWith(SUFFIX)
    ? [invalidField("metadata.name", name, RESERVED)]
    : [];
}

/** Returns a warning about such a name where it is not refused. */
export function staticNameWarnings({ metadata }: ApiObject, old: ApiObject | undefined): readonly string[] {
  const isRefused = old === undefined && isEnabled("ManifestBasedAdmissionControlConfig");
  const isReserved = metadata.name?.endsWith(SUFFIX) === true;
  return since("1.36") && isReserved && !isRefused ? [`metadata.name: ${RESERVED}`] : [];
}
