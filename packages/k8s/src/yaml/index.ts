/**
 * Reads YAML as kubectl does and prints it as controller-gen does.
 */
export { type DuplicateYamlKey, duplicateYamlKeys } from "./duplicate-keys.ts";
export { YamlError, YamlUnprintableError, type YamlPosition } from "./errors.ts";
export { printYaml, printYamlDocuments } from "./print-yaml.ts";
export { readYaml, readYamlDocuments, type ReadYamlOptions } from "./read-yaml.ts";
export { compareYamlKeys, sortYamlKeys } from "./key-order.ts";
