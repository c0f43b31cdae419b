/** Makes patches for `client.patch`, by their media types. */
export { apply, json, merge, mergeFrom, raw, strategicMergeFrom } from "./patch.ts";
