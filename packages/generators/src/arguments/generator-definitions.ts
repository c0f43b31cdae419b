import {
  argumentsOf,
  BOOLEAN,
  FLAG,
  INTEGER,
  type MarkerDefinition,
  type MarkerGrammar,
  optional,
  required,
  STRING,
  STRINGS,
  valueOf,
} from "../markers/definitions/marker-definition.ts";

const HEADER_FILE = optional("headerFile", STRING, "A file with the header of generated files.");
const HEADER = [HEADER_FILE, optional("year", STRING, "The year that replaces YEAR in the header.")];
const OMIT = optional("omitToolVersion", BOOLEAN, "Omits the annotation with the version of this program.");

/** The generators, with their options. */
export const GENERATOR_DEFINITIONS: readonly MarkerDefinition[] = [
  generator(
    "crd",
    argumentsOf(
      optional("allowDangerousTypes", BOOLEAN, "Allows floating-point numbers."),
      optional("crdVersions", STRINGS, "API versions of the CRD object; only v1."),
      optional(
        "deprecatedV1beta1CompatibilityPreserveUnknownFields",
        BOOLEAN,
        "Writes spec.preserveUnknownFields, for CRDs created with v1beta1.",
      ),
      optional(
        "generateEmbeddedObjectMeta",
        BOOLEAN,
        "Generates a schema for embedded ObjectMeta, so that labels and annotations are not pruned.",
      ),
      optional(
        "ignoreUnexportedFields",
        BOOLEAN,
        "Accepted for compatibility with controller-gen, without effect: private members are always ignored.",
      ),
      optional("maxDescLen", INTEGER, "The maximum length of descriptions in bytes; 0 omits descriptions."),
      optional(
        "descriptionsFile",
        STRING,
        "A file with the descriptions of built-in types, from `scaffold k8s-docs --output-file`.",
      ),
      OMIT,
      optional(
        "compat",
        STRING,
        "A folder, file, or git commit with an earlier version of the CRDs; breaking changes are errors.",
      ),
      optional("relax", STRINGS, "Codes of checks to relax: errors become warnings, and warnings are suppressed."),
      ...HEADER,
    ),
    "Generates a CustomResourceDefinition for every kind.",
  ),
  generator(
    "rbac",
    argumentsOf(
      required("roleName", STRING, "The name of the role."),
      optional("fileName", STRING, "The name of the file (default: role.yaml)."),
      ...HEADER,
    ),
    "Generates roles from the RBAC markers.",
  ),
  generator("webhook", argumentsOf(...HEADER), "Generates the webhook configurations."),
  generator("object", argumentsOf(...HEADER), "Generates schemas for unit tests and webhooks."),
  generator(
    "schemapatch",
    argumentsOf(
      required("manifests", STRING, "The folder of the CRDs."),
      optional("maxDescLen", INTEGER, "The maximum length of descriptions in bytes."),
      optional("generateEmbeddedObjectMeta", BOOLEAN, "Generates a schema for embedded ObjectMeta."),
    ),
    "Updates the schemas of existing CRDs.",
  ),
  generator(
    "applyconfiguration",
    argumentsOf(
      optional(
        "externalApplyConfigurations",
        STRINGS,
        "Accepted for compatibility with controller-gen, without effect: types of other modules are resolved from their declarations.",
      ),
      optional(
        "omitToolVersion",
        BOOLEAN,
        "Accepted for compatibility with controller-gen, without effect: the file contains no version.",
      ),
      ...HEADER,
    ),
    "Generates apply configurations for server-side apply: types and functions.",
  ),
  generator("conversion", argumentsOf(...HEADER), "Generates conversions between the versions of a kind."),
];

const RULES: readonly (readonly [name: string, grammar: MarkerGrammar, summary: string])[] = [
  ["none", FLAG, "Discards the output."],
  ["stdout", FLAG, "Prints the output, without file names."],
  ["dir", valueOf(STRING), "Writes all files to one folder."],
  [
    "artifacts",
    argumentsOf(
      required("config", STRING, "The folder of manifests."),
      optional("code", STRING, "The folder of code."),
    ),
    "Writes manifests and code to separate folders.",
  ],
];

/** Everything that may be on the command line: generators, paths, and where the output goes. */
export const OPTION_DEFINITIONS: readonly MarkerDefinition[] = [
  ...GENERATOR_DEFINITIONS,
  {
    name: "paths",
    targets: ["package"],
    category: "",
    grammar: valueOf(STRINGS),
    summary:
      "Source folders (with /... for all subfolders), files, globs of both, or tsconfig files, separated by semicolons.",
  },
  ...RULES.map(([name, grammar, summary]) => output(`output:${name}`, grammar, summary)),
  ...GENERATOR_DEFINITIONS.flatMap((each) =>
    RULES.map(([name, grammar, summary]) => output(`output:${each.name}:${name}`, grammar, summary)),
  ),
];

function generator(name: string, grammar: MarkerGrammar, summary: string): MarkerDefinition {
  return { name, targets: ["package"], category: "generators", grammar, summary };
}

function output(name: string, grammar: MarkerGrammar, summary: string): MarkerDefinition {
  return { name, targets: ["package"], category: "output rules", grammar, summary };
}
