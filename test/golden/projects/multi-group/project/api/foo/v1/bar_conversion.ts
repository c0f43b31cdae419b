// v1 is the hub of Bar: it is stored, and the other versions are converted to it and from it, each by the file of this name in its folder.
export { Bar as BarHub } from "./bar_types.ts";
