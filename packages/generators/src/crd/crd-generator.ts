import type { GeneratorInput, GeneratorOutput } from "../contract/generator.ts";
import { errorWithoutPlace } from "../diagnostics/diagnostic.ts";
import { generateCrds } from "./generate-crds.ts";

/** Is the generator `crd`: a CustomResourceDefinition of every kind. */
export function crdGenerator(input: GeneratorInput): GeneratorOutput {
  const { options, header } = input;
  const versions = options["crdVersions"];
  const unknown = Array.isArray(versions) ? versions.map(String).filter((version) => version !== "v1") : [];
  if (unknown.length > 0) {
    const message = `cannot generate CRDs of version ${unknown.join(", ")}: API servers support only v1`;
    return {
      artifacts: [],
      diagnostics: [errorWithoutPlace({ code: "GENERATE_CRD_VERSION", message, hint: "omit crdVersions" })],
    };
  }
  const maxDescLen = options["maxDescLen"];
  const preserve = options["deprecatedV1beta1CompatibilityPreserveUnknownFields"];
  const { manifests, diagnostics, crds, cachedCrds } = generateCrds(input, {
    allowDangerousTypes: options["allowDangerousTypes"] === true,
    generateEmbeddedObjectMeta: options["generateEmbeddedObjectMeta"] === true,
    maxDescLen: maxDescLen === undefined ? undefined : Number(maxDescLen),
    omitToolVersion: options["omitToolVersion"] === true,
    preserveUnknownFields: typeof preserve === "boolean" ? preserve : undefined,
    header,
  });
  return { artifacts: manifests.map((each) => ({ kind: "config", ...each })), diagnostics, crds, cachedCrds };
}
