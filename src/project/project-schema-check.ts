import { Ajv, type ValidateFunction } from "ajv";

import { PROJECT_SCHEMA } from "./project-schema.ts";

/** Checks data against the schema of PROJECT; the published program carries it compiled, in place of this file. */
export const matchesProjectSchema: ValidateFunction = new Ajv({ allErrors: false }).compile(PROJECT_SCHEMA);
