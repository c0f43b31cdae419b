import { since } from "../../release/rule-release.ts";

/** Conditions of the validation of custom resources by their schema. */
interface ValidationConditions {
  readonly metaWording: "general" | "indexed";
  readonly checksNumberFormats: boolean;
}

/** Returns how the server whose rule runs validates custom resources. */
export function validationConditions(): ValidationConditions {
  return { metaWording: since("1.37") ? "indexed" : "general", checksNumberFormats: since("1.36") };
}

/** Conditions of the check of schemas of custom resources. */
interface SchemaConditions extends ValidationConditions {
  readonly boundsNames: boolean;
}

/** Returns how the server whose rule runs checks the schemas of definitions. */
export function schemaConditions(): SchemaConditions {
  return { ...validationConditions(), boundsNames: since("1.37") };
}
