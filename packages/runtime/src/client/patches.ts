/** Makes patches for `client.patch`, by their media types. */
export { apply, json, merge, mergeFrom, raw } from "./patch.ts";
export { strategicMergeFrom } from "./strategic-merge-patch.ts";
