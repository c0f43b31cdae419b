import { notAcceptable } from "./failures.ts";

/** What an object may be turned into on its way out. */
type TransformKind = "Table" | "PartialObjectMetadata" | "PartialObjectMetadataList";

/** The form of an answer. */
export interface OutputFormat {
  readonly mediaType: "application/json" | "application/yaml";
  readonly transform?: { readonly as: TransformKind; readonly version: "v1" | "v1beta1" };
  readonly isPretty: boolean;
}

interface Clause {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

const TRANSFORMS: ReadonlySet<string> = new Set(["Table", "PartialObjectMetadata", "PartialObjectMetadataList"]);
const ACCEPTED = ["application/json", "application/yaml"] as const;
const MEDIA_TYPES: ReadonlyMap<string, OutputFormat["mediaType"]> = new Map([
  ["application/json", "application/json"],
  ["application/yaml", "application/yaml"],
  ["application/*", "application/json"],
  ["*/*", "application/json"],
]);

/** Splits an `Accept` header into its clauses, the preferred first. */
export function parseAccept(header: string): readonly Clause[] {
  return header
    .split(",")
    .map((text) => parseClause(text))
    .filter((clause) => clause.type !== "")
    .sort((left, right) => right.quality - left.quality);
}

/**
 * Chooses the form of an answer from the `Accept` header.
 *
 * Fails: with 406 when no clause names a form that can be given.
 */
export function negotiate(accept: string | undefined, options: { readonly isPretty: boolean }): OutputFormat {
  const { isPretty } = options;
  if (accept === undefined || accept.trim() === "") {
    return { mediaType: "application/json", isPretty };
  }
  for (const clause of parseAccept(accept)) {
    const mediaType = MEDIA_TYPES.get(clause.type);
    const as = clause.parameters.get("as");
    if (mediaType !== undefined && as === undefined) {
      return { mediaType, isPretty };
    }
    const version = clause.parameters.get("v");
    if (mediaType !== undefined && isTransform(as) && isMetaVersion(clause, version)) {
      return { mediaType, transform: { as, version }, isPretty };
    }
  }
  throw notAcceptable(ACCEPTED);
}

/** Chooses the form of a failure, which is never transformed and always given. */
export function negotiateFailure(accept: string | undefined): OutputFormat {
  const clauses = accept === undefined ? [] : parseAccept(accept);
  const clause = clauses.find(({ type }) => MEDIA_TYPES.has(type));
  return { mediaType: MEDIA_TYPES.get(clause?.type ?? "") ?? "application/json", isPretty: false };
}

function parseClause(text: string): Clause {
  const [type = "", ...rest] = text.split(";").map((part) => part.trim());
  const parameters = new Map<string, string>();
  for (const part of rest) {
    const [key = "", value = ""] = part.split("=");
    parameters.set(key.toLowerCase(), value.replaceAll('"', ""));
  }
  const quality = Number(parameters.get("q") ?? "1");
  return { type: type.toLowerCase(), parameters, quality: Number.isNaN(quality) ? 1 : quality };
}

function isTransform(as: string | undefined): as is TransformKind {
  return as !== undefined && TRANSFORMS.has(as);
}

function isMetaVersion(clause: Clause, version: string | undefined): version is "v1" | "v1beta1" {
  return clause.parameters.get("g") === "meta.k8s.io" && (version === "v1" || version === "v1beta1");
}
