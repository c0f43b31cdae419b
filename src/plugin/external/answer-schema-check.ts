import { Ajv, type ValidateFunction } from "ajv";

import { ANSWER_SCHEMA } from "./answer-schema.ts";

/** Checks what an external plugin printed; the published program carries the check compiled, in place of this file. */
export const matchesAnswerSchema: ValidateFunction = new Ajv({ allErrors: false }).compile(ANSWER_SCHEMA);
