/**
 * The contract with the process that serves the page. Types alone: the page contains nothing of the server.
 */
export type * from "../../server/contract/protocol.ts";
