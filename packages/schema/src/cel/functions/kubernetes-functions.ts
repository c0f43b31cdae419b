import { minorNumber } from "@kubescaffold/k8s";

import {
  AUTHORIZER,
  COLLECTIONS,
  JSON_PATCH,
  KUBERNETES_BASICS,
  KUBERNETES_TYPES,
  LISTS,
  STRINGS,
} from "./extension-libraries.ts";
import { declareFunctions, type FunctionDeclaration } from "./function-declaration.ts";
import { OPERATORS, OPTIONALS, STANDARD_FUNCTIONS } from "./standard-library.ts";

const LIBRARIES = [
  OPERATORS,
  STANDARD_FUNCTIONS,
  KUBERNETES_BASICS,
  AUTHORIZER,
  OPTIONALS,
  KUBERNETES_TYPES,
  STRINGS,
  COLLECTIONS,
];

/** All functions and operators that a server of 1.35 or later lets a new rule use, by name. */
export const KUBERNETES_FUNCTIONS: ReadonlyMap<string, FunctionDeclaration> = declareFunctions([...LIBRARIES, LISTS]);

/**
 * Returns the functions and operators that a server of a minor version lets a new rule use, by name.
 *
 * A server allows in new rules what the former minor version has, so that it can be rolled back (`environment.DefaultCompatibilityVersion` in
 * k8s.io/apiserver): cel-go's lists are in Kubernetes since 1.34, and in new rules since 1.35. All other libraries are older, or newer than 1.37.
 */
export function functionsOfNewRules(minor: string): ReadonlyMap<string, FunctionDeclaration> {
  if (minorNumber(minor) >= LISTS_SINCE) return KUBERNETES_FUNCTIONS;
  withoutLists ??= declareFunctions(LIBRARIES);
  return withoutLists;
}

const LISTS_SINCE = 35;
let withoutLists: ReadonlyMap<string, FunctionDeclaration> | undefined;

/** The functions of the mutations of policies. */
export const MUTATION_FUNCTIONS: ReadonlyMap<string, FunctionDeclaration> = new Map([
  ...KUBERNETES_FUNCTIONS,
  ...declareFunctions([JSON_PATCH]),
]);
