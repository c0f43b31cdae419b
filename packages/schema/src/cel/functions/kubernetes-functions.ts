import {
  AUTHORIZER,
  COLLECTIONS,
  JSON_PATCH,
  KUBERNETES_BASICS,
  KUBERNETES_TYPES,
  STRINGS,
} from "./extension-libraries.ts";
import { declareFunctions, type FunctionDeclaration } from "./function-declaration.ts";
import { OPERATORS, OPTIONALS, STANDARD_FUNCTIONS } from "./standard-library.ts";

/** All functions and operators that a server of 1.35 lets a new rule use, by name. */
export const KUBERNETES_FUNCTIONS: ReadonlyMap<string, FunctionDeclaration> = declareFunctions([
  OPERATORS,
  STANDARD_FUNCTIONS,
  KUBERNETES_BASICS,
  AUTHORIZER,
  OPTIONALS,
  KUBERNETES_TYPES,
  STRINGS,
  COLLECTIONS,
]);

/** The functions of the mutations of policies. */
export const MUTATION_FUNCTIONS: ReadonlyMap<string, FunctionDeclaration> = new Map([
  ...KUBERNETES_FUNCTIONS,
  ...declareFunctions([JSON_PATCH]),
]);
