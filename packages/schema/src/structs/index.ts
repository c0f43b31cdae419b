/**
 * The schemas of the Kubernetes API's own structs, for the schemas that `scaffold generate` writes: a kind with a Pod template refers to it
 * here, where its eight thousand lines stand once.
 */
export { structSchema } from "./struct-schema.ts";
