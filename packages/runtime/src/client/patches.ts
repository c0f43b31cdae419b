/** The patches for `client.patch`. */
export { apply, json, merge, mergeFrom, raw, strategicMergeFrom } from "./patch.ts";
