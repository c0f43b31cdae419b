/** The file system, for all packages that write files. */
export { makeFolder } from "./make-folder.ts";
