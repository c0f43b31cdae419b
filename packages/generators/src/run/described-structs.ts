import path from "node:path";

import type { TypeDescriptions } from "@kubescaffold/k8s/tables";

import { hashText } from "../cache/key.ts";
import type { GeneratorInput } from "../contract/generator.ts";
import { truncateText } from "../crd/truncate-descriptions.ts";
import { type Diagnostic, errorWithoutPlace } from "../diagnostics/diagnostic.ts";
import { loadApi } from "../releases/supported-apis.ts";

/** The input of a generator with described structs, or the reason why there is none. */
export type DescribedInput =
  | { readonly kind: "input"; readonly input: GeneratorInput }
  | { readonly kind: "problem"; readonly diagnostic: Diagnostic };

/**
 * Returns the input of a generator whose built-in structs have the descriptions of `descriptionsFile=`; without the option, the input itself.
 *
 * The file is part of the project, so that its CRDs are the same on every machine.
 */
export async function describeStructs(input: GeneratorInput): Promise<DescribedInput> {
  const { descriptionsFile, maxDescLen } = input.options;
  if (typeof descriptionsFile !== "string" || descriptionsFile === "") return { kind: "input", input };
  const text = input.host.readFile(path.resolve(input.root, descriptionsFile));
  if (text === undefined) return problem(`cannot read the descriptions in ${descriptionsFile}`);
  const { describedStructSchema, parseDescriptions } = await import("@kubescaffold/k8s/tables");
  const descriptions = parseDescriptions(text);
  if (descriptions === undefined) return problem(`cannot use ${descriptionsFile}: it contains no descriptions`);
  const types = truncateTypes(descriptions.types, maxDescLen === undefined ? -1 : Number(maxDescLen));
  const key = hashText(text);
  const { structSchema } = input;
  const api = await loadApi(input.kubernetesVersion);
  return {
    kind: "input",
    input: {
      ...input,
      structSchema: (name) => describedStructSchema(name, types, { structSchema, api }),
      memoize: ({ more, ...part }, compute) => input.memoize({ ...part, more: [more, key] }, compute),
    },
  };
}

function problem(message: string): DescribedInput {
  const hint =
    "write the file with `scaffold k8s-docs --output-file`, or fix descriptionsFile=, relative to the project";
  return {
    kind: "problem",
    diagnostic: errorWithoutPlace({ code: "GENERATE_DESCRIPTIONS_FILE", message, hint }),
  };
}

function truncateTypes(types: TypeDescriptions, maxBytes: number): TypeDescriptions {
  if (maxBytes < 0) return types;
  if (maxBytes === 0) return {};
  const shorten = (text: string): string => truncateText(text, maxBytes);
  return Object.fromEntries(
    Object.entries(types).map(([name, { text, fields = {} }]) => [
      name,
      {
        ...(text === undefined ? {} : { text: shorten(text) }),
        fields: Object.fromEntries(Object.entries(fields).map(([field, each]) => [field, shorten(each)])),
      },
    ]),
  );
}
