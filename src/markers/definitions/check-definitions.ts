import { type MarkerDefinition, STRINGS, valueOf } from "../marker-definition.ts";

/** Markers about the checks of the generator, which controller-gen does not know. */
export const CHECK_DEFINITIONS: readonly MarkerDefinition[] = [
  {
    name: "kubescaffold:relax",
    targets: ["package", "type", "field"],
    category: "CRD checks",
    grammar: valueOf(STRINGS),
    summary:
      "Relaxes checks of CRDs by their codes, such as CRD_DEFAULT_REJECTED, here and below: errors become warnings, and warnings go.",
  },
];
