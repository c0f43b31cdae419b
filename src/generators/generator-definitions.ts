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
} from "../markers/marker-definition.ts";

const HEADER_FILE = optional("headerFile", STRING, "A file whose text stands at the top of every generated file.");
const HEADER = [HEADER_FILE, optional("year", STRING, "The year that takes the place of YEAR in the header.")];
const OMIT = optional("omitToolVersion", BOOLEAN, "Leaves out the annotation with the version of this program.");

/** The generators, with their options. */
export const GENERATOR_DEFINITIONS: readonly MarkerDefinition[] = [
  generator(
    "crd",
    argumentsOf(
      optional("allowDangerousTypes", BOOLEAN, "Allows floating point numbers."),
      optional("crdVersions", STRINGS, "Versions of the CRD object itself; only v1."),
      optional(
        "deprecatedV1beta1CompatibilityPreserveUnknownFields",
        BOOLEAN,
        "Writes spec.preserveUnknownFields, for CRDs that were made with v1beta1.",
      ),
      optional(
        "generateEmbeddedObjectMeta",
        BOOLEAN,
        "Gives metadata inside objects a schema, so that labels and annotations there are kept.",
      ),
      optional("ignoreUnexportedFields", BOOLEAN, "Is accepted for controller-gen's sake; hidden members never count."),
      optional("maxDescLen", INTEGER, "How many bytes a description has at most; 0 leaves descriptions out."),
      OMIT,
      optional(
        "compat",
        STRING,
        "A folder, file or git commit with a former version of the CRDs: what breaks its objects or clients is an error.",
      ),
      optional(
        "relax",
        STRINGS,
        "Codes of checks that may find something: their errors become warnings, their warnings go.",
      ),
      ...HEADER,
    ),
    "Makes a CustomResourceDefinition of every kind.",
  ),
  generator(
    "rbac",
    argumentsOf(
      required("roleName", STRING, "The name of the role."),
      optional("fileName", STRING, "The name of the file, role.yaml by default."),
      ...HEADER,
    ),
    "Makes roles of the permissions that the sources ask for.",
  ),
  generator("webhook", argumentsOf(...HEADER), "Makes the webhook configurations."),
  generator("object", argumentsOf(...HEADER), "Makes schemas for unit tests and webhooks."),
  generator(
    "schemapatch",
    argumentsOf(
      required("manifests", STRING, "The folder of the CRDs."),
      optional("maxDescLen", INTEGER, "How many bytes a description has at most."),
      optional("generateEmbeddedObjectMeta", BOOLEAN, "Gives metadata inside objects a schema."),
    ),
    "Replaces the schemas of existing CRDs.",
  ),
  generator(
    "applyconfiguration",
    argumentsOf(
      optional(
        "externalApplyConfigurations",
        STRINGS,
        "Is accepted for controller-gen's sake; types of other modules are found where they are declared.",
      ),
      optional("omitToolVersion", BOOLEAN, "Is accepted for controller-gen's sake; the file names no version."),
      ...HEADER,
    ),
    "Makes the types that server-side apply takes for kinds, and functions for them.",
  ),
];

const RULES: readonly (readonly [name: string, grammar: MarkerGrammar, summary: string])[] = [
  ["none", FLAG, "Throws the output away."],
  ["stdout", FLAG, "Prints the output, without file names."],
  ["dir", valueOf(STRING), "Writes every file into one folder."],
  [
    "artifacts",
    argumentsOf(
      required("config", STRING, "The folder of manifests."),
      optional("code", STRING, "The folder of code."),
    ),
    "Writes manifests and code into folders of their own.",
  ],
];

/** Everything that may stand on the command line: generators, paths, and where the output goes. */
export const OPTION_DEFINITIONS: readonly MarkerDefinition[] = [
  ...GENERATOR_DEFINITIONS,
  {
    name: "paths",
    targets: ["package"],
    category: "",
    grammar: valueOf(STRINGS),
    summary:
      "Folders of sources, with /... for all below, files, globs of both, or tsconfig files; several are separated by semicolons.",
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
