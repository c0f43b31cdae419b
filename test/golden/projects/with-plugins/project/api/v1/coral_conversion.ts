/*
 * Of the Acme lagoon office. All rights reserved.
 */

// v1 is the hub of Coral: it is stored, and the other versions are converted to it and from it, each by the file of this name in its folder.
export { Coral as CoralHub } from "./coral_types.ts";
