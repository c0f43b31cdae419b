/** Folders and files, for all packages that write some. */
export { makeFolder } from "./make-folder.ts";
export { replaceFile, type ReplacedFile, writePrivateFile } from "./replace-file.ts";
