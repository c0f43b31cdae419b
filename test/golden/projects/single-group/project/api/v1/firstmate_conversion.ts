/*
Copyright <year> Acme.
*/

// v1 is the hub of FirstMate: the storage version, which all spokes convert to and from. The converter of a spoke is the file with this name in its folder.
export { FirstMate as FirstMateHub } from "./firstmate_types.ts";
