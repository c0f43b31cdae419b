import type { GeneratorInput, GeneratorOutput } from "../contract/generator.ts";
import { groupKinds } from "../crd/generate-crds.ts";
import type { SchemaContext } from "../crd/schema-context.ts";
import { createSchemaContext } from "../crd/type-to-schema.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { PackageModel } from "../loader/type-model.ts";
import type { MarkerUse } from "../markers/read-markers.ts";
import { printConversionFile } from "./print-conversion-file.ts";
import { planPairs } from "./struct-pairs.ts";

/** The marker that asks for the conversions of a kind. */
const MARKER = "kubescaffold:conversion";

/**
 * Is the generator `conversion`: for every spoke a file with the conversions to and from the hub of its kind, field by field.
 *
 * code-generator: cmd/conversion-gen
 */
export function conversionGenerator(input: GeneratorInput): GeneratorOutput {
  // The CRD decides which types are allowed; this follows it.
  const context = createSchemaContext({ ...input, allowDangerousTypes: true, generateEmbeddedObjectMeta: true });
  const kinds = groupKinds(input, () => undefined);
  const requests = input.model.packages.flatMap((source) =>
    (input.marked.packages.get(source.directory) ?? [])
      .filter(({ name }) => name === MARKER)
      .map((marker) => ({ source, marker, ...(marker.value as unknown as RequestedConversion) })),
  );
  const outputs = requests.map((request) => convert(request, kinds, { input, context }));
  return {
    artifacts: outputs.flatMap(({ artifacts }) => artifacts),
    diagnostics: [...context.diagnostics, ...outputs.flatMap(({ diagnostics }) => diagnostics)],
  };
}

/** The arguments of the marker. */
interface RequestedConversion {
  readonly kind: string;
  readonly hub: string;
}

interface Request extends RequestedConversion {
  readonly source: PackageModel;
  readonly marker: MarkerUse;
}

type Kinds = ReturnType<typeof groupKinds>;

interface Surroundings {
  readonly input: GeneratorInput;
  readonly context: SchemaContext;
}

function convert(request: Request, kinds: Kinds, { input, context }: Surroundings): GeneratorOutput {
  const { source, kind, hub } = request;
  const found = kinds
    .filter((each) => each.kind === kind)
    .map((each) => ({ ...each, spoke: each.declarations.find(({ declaration: { id } }) => source.kinds.includes(id)) }))
    .find(({ spoke }) => spoke !== undefined);
  if (found?.spoke === undefined) return refused(unknownKind(request));
  const { group, spoke } = found;
  const others = found.declarations.filter((each) => each !== spoke);
  const target = others.find(({ version }) => version === hub);
  const hubSource = input.model.packages.find(({ kinds: ids }) => ids.includes(target?.declaration.id ?? ""));
  if (target === undefined || hubSource === undefined)
    return refused(
      unknownHub(
        request,
        others.map(({ version }) => version),
      ),
    );
  const versions = { spoke: spoke.version, hub };
  const pairs = planPairs({ spoke: spoke.declaration, hub: target.declaration }, versions, context);
  const folders = { spoke: source.directory, hub: hubSource.directory };
  const contentIn = (directory: string): string =>
    printConversionFile({ header: input.header, group, kind, versions, folders, pairs, directory });
  const { directory } = source;
  const name = `zz_generated.${kind.toLowerCase()}_conversion.ts`;
  return {
    artifacts: [{ kind: "code", directory, name, content: contentIn(directory), contentIn }],
    diagnostics: [],
  };
}

function refused(diagnostic: Diagnostic): GeneratorOutput {
  return { artifacts: [], diagnostics: [diagnostic] };
}

function unknownKind({ source, kind, marker }: Request): Diagnostic {
  return {
    severity: "error",
    code: "GENERATE_CONVERSION_NO_KIND",
    message: `cannot generate conversions of ${kind}: ${source.directory} has no kind of this name in a group`,
    hint: `set kind= to a kind of ${source.directory}, or remove the marker`,
    ...placeOf(marker),
  };
}

function unknownHub({ source, kind, hub, marker }: Request, versions: readonly string[]): Diagnostic {
  const known = versions.length === 0 ? "add the folder of the hub to paths=" : `use one of ${versions.join(", ")}`;
  return {
    severity: "error",
    code: "GENERATE_CONVERSION_NO_HUB",
    message: `cannot generate conversions of ${kind} in ${source.directory}: the sources have no other version ${hub} of it`,
    hint: `set hub= to the version that all others are converted through: ${known}`,
    ...placeOf(marker),
  };
}

function placeOf({
  location: { file, line, column, length },
}: MarkerUse): Pick<Diagnostic, "file" | "line" | "column" | "length"> {
  return { file, line, column, length };
}
