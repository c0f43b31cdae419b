/*
Copyright <year> Acme.
*/

// v1 is the hub of FirstMate: it is stored, and the other versions are converted to it and from it, each by the file of this name in its folder.
export { FirstMate as FirstMateHub } from "./firstmate_types.ts";
