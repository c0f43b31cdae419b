// v1 is the hub of Bar: the storage version, which all spokes convert to and from. The converter of a spoke is the file with this name in its folder.
export { Bar as BarHub } from "./bar_types.ts";
