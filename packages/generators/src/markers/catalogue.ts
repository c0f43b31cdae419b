import { DECLARATIVE_DEFINITIONS } from "./definitions/declarative-definitions.ts";
import { FIELD_DEFINITIONS } from "./definitions/field-definitions.ts";
import { type MarkerDefinition, STRINGS, valueOf } from "./definitions/marker-definition.ts";
import { OBJECT_DEFINITIONS } from "./definitions/object-definitions.ts";
import { PACKAGE_DEFINITIONS } from "./definitions/package-definitions.ts";
import { VALIDATION_DEFINITIONS } from "./definitions/validation-definitions.ts";
import type { MarkerCatalogue } from "./parsed-marker.ts";

/** Markers about the checks of the generator, which controller-gen does not know. */
const CHECK_DEFINITIONS: readonly MarkerDefinition[] = [
  {
    name: "kubescaffold:relax",
    targets: ["package", "type", "field"],
    category: "CRD checks",
    grammar: valueOf(STRINGS),
    summary:
      "Relaxes CRD checks by code, such as CRD_DEFAULT_REJECTED, here and below: errors become warnings, and warnings are suppressed.",
  },
];

/** Every marker there is, in the order of the reference page. */
export const MARKER_DEFINITIONS: readonly MarkerDefinition[] = [
  ...OBJECT_DEFINITIONS,
  ...VALIDATION_DEFINITIONS,
  ...FIELD_DEFINITIONS,
  ...DECLARATIVE_DEFINITIONS,
  ...PACKAGE_DEFINITIONS,
  ...CHECK_DEFINITIONS,
];

/** The same by name. */
export const CATALOGUE: MarkerCatalogue = new Map(MARKER_DEFINITIONS.map((each) => [each.name, each]));
