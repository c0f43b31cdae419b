import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type {
  MarkerComment,
  PackageModel,
  Property,
  SourceLocation,
  TypeExpression,
  TypeModel,
} from "../loader/type-model.ts";
import { CATALOGUE } from "./catalogue.ts";
import { UNREAD_TAGS } from "./definitions/declarative-definitions.ts";
import type { MarkerDefinition, MarkerTarget, MarkerValue } from "./definitions/marker-definition.ts";
import { nearestMarkerName } from "./nearest-name.ts";
import { parseMarker } from "./parse-marker.ts";
import type { MarkerProblem, ParsedMarker } from "./parsed-marker.ts";

/** A marker that was read and is where it may. */
export interface MarkerUse {
  readonly name: string;
  readonly value: MarkerValue;
  readonly location: SourceLocation;
}

/** All markers of a model, by what they are above. */
export interface MarkedModel {
  /** By the folder of the package, in the order of files and lines. */
  readonly packages: ReadonlyMap<string, readonly MarkerUse[]>;
  /** By the id of the declaration. */
  readonly types: ReadonlyMap<string, readonly MarkerUse[]>;
  readonly properties: ReadonlyMap<Property, readonly MarkerUse[]>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the text of one marker. */
export type MarkerParser = (text: string) => ParsedMarker;

/** Reads every marker of a model and gives it to the package, type or property that it belongs to. */
export function readMarkers(
  model: TypeModel,
  parse: MarkerParser = (text) => parseMarker(text, CATALOGUE),
): MarkedModel {
  const reader = new MarkerReader(parse);
  const packageOf = new Map(model.packages.flatMap((each) => each.files.map((file) => [file.path, each] as const)));
  for (const each of model.packages) reader.readPackage(each);
  for (const declaration of model.declarations.values()) {
    const holder = packageOf.get(declaration.file);
    reader.readType(declaration.id, declaration.comments.markers, holder);
    if (declaration.shape.kind === "type") reader.readProperties(declaration.shape.type, holder);
  }
  return reader.finish();
}

/** Markers that count as those of the package wherever they stand outside function bodies. */
const COUNTS_ANYWHERE = new Set(["kubebuilder:rbac", "kubebuilder:webhook", "kubebuilder:webhookconfiguration"]);

const PLACES: Readonly<Record<MarkerTarget, string>> = {
  package: "above the package (in a separate comment at the top of a file)",
  type: "above a type",
  field: "above a property",
};

class MarkerReader {
  readonly #packages = new Map<string, MarkerUse[]>();
  readonly #types = new Map<string, readonly MarkerUse[]>();
  readonly #properties = new Map<Property, readonly MarkerUse[]>();
  readonly #diagnostics: Diagnostic[] = [];
  readonly #parser: MarkerParser;
  readonly #parsed = new Map<string, ParsedMarker>();

  constructor(parser: MarkerParser) {
    this.#parser = parser;
  }

  readPackage(source: PackageModel): void {
    for (const file of source.files) {
      const uses = [...file.markers, ...file.strayMarkers].map((comment) => this.#readOne(comment, "package", source));
      this.#addToPackage(
        source,
        uses.filter((use) => use !== undefined),
      );
    }
  }

  readType(id: string, comments: readonly MarkerComment[], holder: PackageModel | undefined): void {
    this.#types.set(id, this.#readAll(comments, "type", holder));
  }

  readProperties(type: TypeExpression, holder: PackageModel | undefined): void {
    switch (type.kind) {
      case "object":
        for (const property of type.properties) this.#readProperty(property, holder);
        for (const each of type.extends) this.readProperties(each, holder);
        if (type.indexSignature !== undefined) this.readProperties(type.indexSignature.value, holder);
        return;
      case "array":
        return this.readProperties(type.items, holder);
      case "reference":
        for (const each of type.arguments) this.readProperties(each, holder);
        return;
      case "union":
      case "intersection":
        for (const member of type.members) this.readProperties(member, holder);
        return;
      case "indexed access":
        return this.readProperties(type.object, holder);
      case "keyof":
        return this.readProperties(type.type, holder);
      case "mapped":
        this.readProperties(type.keys, holder);
        if (type.value !== undefined) this.readProperties(type.value, holder);
        return;
      case "keyword":
      case "literal":
      case "template":
      case "typeof":
      case "unsupported":
    }
  }

  finish(): MarkedModel {
    const packages = new Map(
      [...this.#packages].map(([directory, uses]) => [directory, uses.toSorted(byPlace)] as const),
    );
    return { packages, types: this.#types, properties: this.#properties, diagnostics: this.#diagnostics };
  }

  #readProperty(property: Property, holder: PackageModel | undefined): void {
    this.#properties.set(property, this.#readAll(property.comments.markers, "field", holder));
    if (property.type !== undefined) this.readProperties(property.type, holder);
  }

  #readAll(
    comments: readonly MarkerComment[],
    target: MarkerTarget,
    holder: PackageModel | undefined,
  ): readonly MarkerUse[] {
    return comments.map((comment) => this.#readOne(comment, target, holder)).filter((use) => use !== undefined);
  }

  // Returns the marker when it belongs to the place where it stands; one of the package is handed to that.
  #readOne(comment: MarkerComment, target: MarkerTarget, holder: PackageModel | undefined): MarkerUse | undefined {
    if (comment.text.startsWith("+kubebuilder:scaffold:")) return undefined;
    if (comment.text.length > LONGEST_MARKER) {
      this.#diagnostics.push(reportTooLong(comment));
      return undefined;
    }
    const unread = unreadTag(comment);
    if (unread !== undefined) {
      this.#diagnostics.push(unread);
      return undefined;
    }
    const parsed = this.#parse(comment.text);
    if (parsed.kind === "unknown") {
      this.#diagnostics.push(...warnUnknown(comment, parsed.name));
      return undefined;
    }
    const { definition } = parsed;
    const isMoved = !definition.targets.includes(target) && belongsToPackage(definition, comment, target);
    if (!definition.targets.includes(target) && !isMoved) {
      this.#diagnostics.push(warnMisplaced(comment, definition, target));
      return undefined;
    }
    if (parsed.kind === "problem") {
      this.#diagnostics.push(reportProblem(comment, parsed.problem));
      return undefined;
    }
    const use = { name: definition.name, value: parsed.value, location: comment.location };
    if (!isMoved) return use;
    if (holder !== undefined) this.#addToPackage(holder, [use]);
    return undefined;
  }

  // The same markers are above many types.
  #parse(text: string): ParsedMarker {
    const parsed = this.#parsed.get(text) ?? this.#parser(text);
    this.#parsed.set(text, parsed);
    return parsed;
  }

  #addToPackage({ directory }: PackageModel, uses: readonly MarkerUse[]): void {
    const known = this.#packages.get(directory);
    if (known === undefined) this.#packages.set(directory, [...uses]);
    else known.push(...uses);
  }
}

function belongsToPackage(
  { name, targets }: MarkerDefinition,
  { isAdjacent }: MarkerComment,
  target: MarkerTarget,
): boolean {
  if (COUNTS_ANYWHERE.has(name)) return true;
  return target === "type" && !isAdjacent && targets.includes("package");
}

function byPlace(left: MarkerUse, right: MarkerUse): number {
  if (left.location.file !== right.location.file) return left.location.file < right.location.file ? -1 : 1;
  return left.location.line - right.location.line || left.location.column - right.location.column;
}

function reportProblem({ location }: MarkerComment, problem: MarkerProblem): Diagnostic {
  const { code, message, hint, offset, length } = problem;
  return { severity: "error", code, message, ...placeOf(location), column: location.column + offset, length, hint };
}

// What is longer would not fit into a CRD that a server stores.
const LONGEST_MARKER = 262_144;

function reportTooLong({ text, location }: MarkerComment): Diagnostic {
  const message = `the marker has ${text.length} characters, more than the ${LONGEST_MARKER} that are read`;
  return {
    severity: "error",
    code: "MARKER_TOO_LONG",
    message,
    ...placeOf(location),
    hint: "shorten its value, or remove it",
  };
}

function warnMisplaced({ location }: MarkerComment, definition: MarkerDefinition, target: MarkerTarget): Diagnostic {
  const places = definition.targets.map((each) => PLACES[each]).join(" or ");
  const here = target === "package" ? "here, where there is no type and no property" : PLACES[target];
  return {
    severity: "warning",
    code: "MARKER_MISPLACED",
    message: `+${definition.name} has no effect ${here}`,
    ...placeOf(location),
    hint: `it belongs ${places}`,
  };
}

// A tag that validates in Go, and that a CRD would not have, is no warning.
function unreadTag({ text, location }: MarkerComment): Diagnostic | undefined {
  const name = /^\+(k8s:[A-Za-z]+)(?=[=(:]|$)/u.exec(text)?.[1] ?? "";
  const hint = UNREAD_TAGS.get(name);
  if (hint === undefined) return undefined;
  const message = `+${name} is a tag of validation-gen that no generator reads`;
  return { severity: "error", code: "MARKER_UNKNOWN", message, ...placeOf(location), length: text.length, hint };
}

function warnUnknown({ text, location }: MarkerComment, name: string): readonly Diagnostic[] {
  const [word = ""] = name.trim().split(/\s/u);
  const isOurs = /^(?:kubebuilder|k8s|kubescaffold):/u.test(word);
  const nearest = meantName(word);
  const isMisspelt =
    !isOurs && nearest !== undefined && (nearest === word || nearest.toLowerCase() === word.toLowerCase());
  if (!isOurs && !isMisspelt) return [];
  const [message, hint] = nearest === word ? unreadBecause(text, word) : [`+${word} is not a marker`, hintFor(nearest)];
  return [{ severity: "warning", code: "MARKER_UNKNOWN", message, ...placeOf(location), length: text.length, hint }];
}

// The name is right, but what stands around it makes the line prose.
function unreadBecause(text: string, word: string): readonly [message: string, hint: string] {
  if (/^\+\s/u.test(text)) return [`+${word} is not read, because a blank follows the +`, "remove the blank"];
  if (/^\+\S+\s+=/u.test(text))
    return [`+${word} is not read, because a blank stands before the =`, "remove the blank"];
  return [`+${word} is not read, because text follows it`, "move the text to a separate line"];
}

function hintFor(nearest: string | undefined): string {
  return nearest === undefined ? "see docs/reference/markers for all markers" : `did you mean +${nearest}?`;
}

function placeOf(location: SourceLocation): Pick<Diagnostic, "file" | "line" | "column" | "length"> {
  return { file: location.file, line: location.line, column: location.column, length: location.length };
}

// Names that people write, though they were never those of markers, and that no spelling leads from to the right ones.
const OFTEN_MEANT: ReadonlyMap<string, string> = new Map([
  ["kubebuilder:validation:Nullable", "nullable"],
  ["kubebuilder:nullable", "nullable"],
  ["kubebuilder:validation:Default", "kubebuilder:default"],
  ["kubebuilder:validation:OneOf", "kubebuilder:validation:ExactlyOneOf"],
  ["kubebuilder:validation:XEmbedded", "kubebuilder:validation:XEmbeddedResource"],
  ["kubebuilder:validation:ListType", "listType"],
  ["kubebuilder:listType", "listType"],
  ["kubebuilder:validation:ListMapKey", "listMapKey"],
  ["kubebuilder:listMapKey", "listMapKey"],
  ["kubebuilder:validation:MapType", "mapType"],
  ["kubebuilder:optional", "optional"],
  ["kubebuilder:required", "required"],
  ["kubebuilder:deprecated", "kubebuilder:deprecatedversion"],
  ["kubebuilder:immutable", "k8s:immutable"],
  ["kubebuilder:validation:Immutable", "k8s:immutable"],
]);

/** Finds the marker that somebody who wrote another name most likely meant; undefined when none is near. */
export function meantName(name: string): string | undefined {
  return (
    OFTEN_MEANT.get(name.split("=", 1)[0] ?? "") ??
    nearestMarkerName(name, CATALOGUE.keys()) ??
    // Arguments may begin in the last segment.
    nearestMarkerName(name.replace(/:[^:]*$/u, ""), CATALOGUE.keys())
  );
}
