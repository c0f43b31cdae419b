import type { CelValue } from "../../values/cel-value.ts";

/** Works a call out; what a method is called on is the first argument, and no argument is an error. */
export type Invoke = (...args: readonly CelValue[]) => CelValue;

/** Works calls out, by overload; what checks its arguments itself may be listed by function. */
export type Operations = Readonly<Record<string, Invoke>>;
