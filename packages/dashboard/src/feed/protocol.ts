/**
 * The contract with the process that serves the page. Types alone: the page imports nothing of other packages at run time.
 */
export type * from "@kubescaffold/envtest/dashboard";
