/**
 * Descriptions of built-in types: read from the models of a client ({@link readModels}) or from Go sources ({@link readGoTypes}), and added to
 * TypeScript declarations ({@link describeDeclarations}).
 */
export { TYPE_META_PROPERTIES } from "../crd/model/known-schemas.ts";
export { describeDeclarations, type DescribeType } from "./describe-declarations.ts";
export { type GoPackage, readGoTypes } from "./read-go-types.ts";
export { type ModelOptions, readModels } from "./read-models.ts";
