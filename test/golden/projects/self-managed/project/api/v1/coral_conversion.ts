// v1 is the hub of Coral: the storage version, which all spokes convert to and from. The converter of a spoke is the file with this name in its folder.
export { Coral as CoralHub } from "./coral_types.ts";
