import type { int32 } from "./scalars.ts";

/** A number or a string, such as a port by number or name, or an amount as a count or a percentage. */
export type IntOrString = int32 | string;
