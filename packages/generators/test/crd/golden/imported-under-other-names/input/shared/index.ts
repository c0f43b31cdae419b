export type { Port as Door } from "./types.ts";
export * from "./types.ts";
export * as shared from "./types.ts";
