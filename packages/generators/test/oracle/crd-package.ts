import { illegalMarker } from "./illegal-markers.ts";
import { kindMarkers } from "./kind-markers.ts";
import { KNOWN_TYPES, LIBRARY_TYPES, STRUCT_TYPES } from "./library-types.ts";
import type {
  BasicName,
  CrdPackage,
  Declaration,
  Embed,
  Field,
  Shape,
  TypeExpression,
  VersionFolder,
} from "./package-model.ts";
import { randomComment, withMarkers } from "./random-comment.ts";
import { randomName, randomTypeName } from "./random-text.ts";
import { createRandom, type Random } from "./random.ts";
import { randomMarkers, type MarkerPlace } from "./schema-markers.ts";

type ObjectDeclaration = Extract<Declaration, { kind: "object" }>;

/** Makes one package of kinds with everything they use, the same for the same seed. */
export function randomCrdPackage(seed: number): CrdPackage {
  const random = createRandom(seed);
  const style: Style = { withFloats: random.chance(0.2), withStructs: random.chance(0.15) };
  const group = random.pick(["demo.example.com", "apps.x.io", "g", "a-b.c"]);
  const shared = random.chance(0.2) ? [sharedFolder(random, style)] : [];
  const foreign = shared.flatMap(({ declarations }) => declarations);
  const common = { random, style, group, foreign };
  const versions = random.chance(0.85)
    ? [randomFolder({ ...common, name: "v1", isOnly: true })]
    : severalVersions(common);
  const options = randomOptions(random, style);
  return withIllegal(random, { kind: "crd", seed, options, folders: [...versions, ...shared] });
}

interface Style {
  readonly withFloats: boolean;
  readonly withStructs: boolean;
}

interface FolderOptions {
  readonly random: Random;
  readonly style: Style;
  readonly group: string;
  /** What the folder beside it declares. */
  readonly foreign: readonly Declaration[];
  readonly name: string;
  readonly isOnly: boolean;
  readonly kinds?: readonly string[];
}

function sharedFolder(random: Random, style: Style): VersionFolder {
  const scope = new Scope(random, style, []);
  random.many(1, 3, () => scope.addNamed());
  random.many(1, 2, () => scope.addObject());
  return { folder: SHARED, markers: [], declarations: scope.declarations };
}

const SHARED = "shared";

type CommonOptions = Pick<FolderOptions, "random" | "style" | "group" | "foreign">;

function severalVersions(common: CommonOptions): readonly VersionFolder[] {
  const { random } = common;
  const names = random.pick([
    ["v1", "v2"],
    ["v1", "v1beta1"],
    ["v1alpha1", "v1beta1"],
    ["v1", "v1beta1", "v2"],
  ]);
  const kinds = [randomTypeName(random)];
  const storage = random.pick(names);
  return names.map((name) => {
    const folder = randomFolder({ ...common, name, isOnly: false, kinds });
    const extra = [
      ...(name === storage ? ["+kubebuilder:storageversion"] : []),
      ...(name !== storage && random.chance(0.3) ? ["+kubebuilder:unservedversion"] : []),
    ];
    return {
      ...folder,
      declarations: folder.declarations.map((each) =>
        each.kind === "object" && each.isKind ? { ...each, comment: withMarkers(each.comment, extra) } : each,
      ),
    };
  });
}

function randomFolder({ random, style, group, foreign, name, isOnly, kinds }: FolderOptions): VersionFolder {
  const scope = new Scope(random, style, foreign);
  random.many(0, 5, () => scope.addNamed());
  random.many(1, 4, () => scope.addObject());
  for (const kind of kinds ?? random.many(1, random.chance(0.2) ? 2 : 1, () => randomTypeName(random)))
    scope.addKind(kind, isOnly);
  const versionName = isOnly && random.chance(0.1) ? [`+versionName=${random.pick(["v1", "v7", "v2beta3"])}`] : [];
  const groupName = `+groupName${random.chance(0.1) ? ":" : ""}=${random.chance(0.1) ? JSON.stringify(group) : group}`;
  const presence = random.chance(0.15) ? [`+kubebuilder:validation:${random.pick(["Optional", "Required"])}`] : [];
  return {
    folder: name,
    markers: [groupName, ...versionName, ...presence],
    ...(random.chance(0.1) ? { areMarkersLast: true } : {}),
    declarations: random.chance(0.5) ? scope.declarations : scope.declarations.toReversed(),
  };
}

/** What a folder declares so far; each declaration uses only those before it, so that nothing is recursive. */
class Scope {
  readonly declarations: Declaration[] = [];
  readonly #random: Random;
  readonly #style: Style;
  readonly #foreign: readonly Declaration[];

  constructor(random: Random, style: Style, foreign: readonly Declaration[]) {
    this.#random = random;
    this.#style = style;
    this.#foreign = foreign;
  }

  addNamed(): void {
    if (this.#random.chance(0.15)) return this.#addEnum();
    const drawn = this.#type(1);
    // Upstream says that a named []byte is both a string and a list.
    const isBytes = drawn.kind === "basic" && drawn.name === "bytes" && !this.#random.chance(0.1);
    const type: TypeExpression = isBytes ? { kind: "basic", name: "string" } : drawn;
    const place = { ...this.#placeOf(type, "type"), isReference: isReferenceTo(type, this.#visible()) };
    this.declarations.push({
      kind: "named",
      name: this.#newName(),
      type,
      comment: randomComment(this.#random, randomMarkers(this.#random, place)),
    });
  }

  #addEnum(): void {
    const random = this.#random;
    const values = [...new Set(random.many(1, 4, () => random.pick(ENUM_VALUES)))].toSorted(compareText);
    const markers = random.chance(0.3) ? ["+kubebuilder:validation:MaxLength=63"] : [];
    const comment = randomComment(random, ["+k8s:enum", ...markers]);
    this.declarations.push({ kind: "enum", name: this.#newName(), values, comment });
  }

  addObject(): void {
    this.declarations.push(this.#object(this.#newName(), this.#fields(1, 6), this.#embeds()));
  }

  addKind(name: string, isOnly: boolean): void {
    if (this.#visible().some((each) => each.name === name)) return;
    const random = this.#random;
    const fields = random.chance(0.7)
      ? [
          this.#field("spec", this.#objectReference()),
          ...(random.chance(0.5) ? [{ ...this.#field("status", this.#objectReference()), isOptional: true }] : []),
        ]
      : this.#fields(1, 5);
    const embeds = random.chance(0.1) ? this.#embeds() : [];
    const { comment } = this.#object(name, fields, embeds);
    const markers = kindMarkers(random, isOnly);
    this.declarations.push({
      kind: "object",
      name,
      isKind: true,
      embeds,
      fields,
      comment: withMarkers(comment, markers),
    });
  }

  #object(name: string, fields: readonly Field[], embeds: readonly Embed[]): ObjectDeclaration {
    const optionalNames = fields.filter((each) => each.isOptional && isPlain(each)).map((each) => each.name);
    const place: MarkerPlace = { target: "type", shape: "object", isReference: false, optionalNames };
    return {
      kind: "object",
      name,
      isKind: false,
      embeds,
      fields,
      comment: randomComment(this.#random, randomMarkers(this.#random, place)),
    };
  }

  #embeds(): readonly Embed[] {
    const objects = this.#visible().filter((each) => each.kind === "object" && !each.isKind);
    return this.#random.chance(0.25) ? this.#random.some(objects, 2).map((each) => this.#nameOf(each)) : [];
  }

  #visible(): readonly Declaration[] {
    return [...this.declarations, ...this.#foreign];
  }

  #nameOf(declaration: Declaration): Embed {
    const { name } = declaration;
    return this.#foreign.includes(declaration) ? { name, folder: SHARED } : { name };
  }

  #objectReference(): TypeExpression {
    const objects = this.declarations.filter((each) => each.kind === "object" && !each.isKind);
    return { kind: "reference", name: (objects.at(-1) ?? { name: "Missing" }).name };
  }

  #fields(fewest: number, most: number): readonly Field[] {
    const names = new Set(this.#random.many(fewest, most, () => randomName(this.#random)));
    return [...names].filter((name) => !RESERVED_NAMES.has(name)).map((name) => this.#field(name, this.#type(0)));
  }

  #field(name: string, type: TypeExpression): Field {
    const random = this.#random;
    const place = this.#placeOf(type, "field");
    const markers = settled(randomMarkers(random, place), name);
    return {
      name,
      type,
      isOptional: random.chance(0.5),
      isPointer: random.chance(0.2),
      comment: randomComment(random, markers),
    };
  }

  #type(depth: number): TypeExpression {
    const random = this.#random;
    const drawn = random.next();
    if (depth < 3 && drawn < 0.15) return { kind: "list", items: this.#type(depth + 1) };
    if (depth < 3 && drawn < 0.25) return this.#map(depth);
    const named = this.#visible().filter((each) => !isKind(each));
    if (drawn < 0.55 && named.length > 0) return { kind: "reference", ...this.#nameOf(random.pick(named)) };
    if (drawn < 0.65) return { kind: "library", name: random.pick(KNOWN_TYPES).name };
    if (this.#style.withStructs && drawn < 0.75) return { kind: "library", name: random.pick(STRUCT_TYPES).name };
    const names: readonly BasicName[] = [
      "string",
      "string",
      "string",
      "boolean",
      "integer",
      "int32",
      "int32",
      "int64",
      "bytes",
    ];
    const floats: readonly BasicName[] = this.#style.withFloats ? ["float32", "float64"] : [];
    return { kind: "basic", name: random.pick([...names, ...floats]) };
  }

  #map(depth: number): TypeExpression {
    const keys = this.declarations.filter(
      (each) => each.kind === "named" && each.type.kind === "basic" && each.type.name === "string",
    );
    const values = this.#type(depth + 1);
    return keys.length > 0 && this.#random.chance(0.3)
      ? { kind: "map", values, keys: this.#random.pick(keys).name }
      : { kind: "map", values };
  }

  #placeOf(type: TypeExpression, target: "type" | "field"): MarkerPlace {
    const items = type.kind === "list" ? shapeOf(type.items, this.#visible()) : undefined;
    const itemType = type.kind === "list" && type.items.kind === "reference" ? type.items.name : "";
    const declared = this.#visible().find((each) => each.name === itemType);
    const keyNames =
      declared?.kind === "object"
        ? declared.fields
            .filter((each) => !each.isOptional && isPlain(each) && each.type.kind === "basic")
            .map((each) => each.name)
        : [];
    const isReference = isReferenceTo(type, this.#visible());
    const inlineItems = type.kind === "list" && isReferenceTo(type.items, this.#visible()) ? undefined : items;
    return { target, shape: shapeOf(type, this.#visible()), isReference, items: inlineItems, keyNames };
  }

  #newName(): string {
    for (;;) {
      const name = `${randomTypeName(this.#random)}${this.#random.pick(["Spec", "Ref", "Name", "Item", "2", "Type"])}`;
      if (!this.#visible().some((each) => each.name === name)) return name;
    }
  }
}

// Immutability adds a rule, too, and upstream does not say which of both comes first.
function settled(markers: readonly string[], name: string): readonly string[] {
  const isImmutable = markers.includes("+k8s:immutable") && /^[A-Za-z]\w*$/u.test(name);
  return markers.filter((each) => (isImmutable ? !each.includes("XValidation") : each !== "+k8s:immutable"));
}

const ENUM_VALUES = ["A", "Bee", "c-d", "y", "no", "x y", "É", "a.b", "10", "~", "", "a: b", "Z9", "true"] as const;

function compareText(left: string, right: string): number {
  return Buffer.compare(Buffer.from(JSON.stringify(left)), Buffer.from(JSON.stringify(right)));
}

const RESERVED_NAMES = new Set(["metadata", "apiVersion", "kind"]);

function isKind(declaration: Declaration): boolean {
  return declaration.kind === "object" && declaration.isKind;
}

function isPlain({ name }: Field): boolean {
  return /^[A-Za-z]\w*$/u.test(name) && !["true", "null"].includes(name);
}

// Upstream knows the type of a name only where that is a string, a number or a boolean.
function isReferenceTo(type: TypeExpression, declarations: readonly Declaration[]): boolean {
  if (type.kind === "library") return true;
  if (type.kind !== "reference") return false;
  if (type.folder !== undefined) return true;
  const target = declarations.find((each) => each.name === type.name);
  if (target?.kind === "named" && isReferenceTo(target.type, declarations)) return true;
  return !["string", "integer", "number", "boolean"].includes(shapeOf(type, declarations));
}

function shapeOf(type: TypeExpression, declarations: readonly Declaration[]): Shape {
  switch (type.kind) {
    case "basic":
      return BASIC_SHAPES[type.name];
    case "list":
    case "map":
      return type.kind;
    case "library":
      return LIBRARY_TYPES.get(type.name)?.shape ?? "anything";
    default: {
      const target = declarations.find((each) => each.name === type.name);
      if (target?.kind === "enum") return "string";
      return target?.kind === "named" ? shapeOf(target.type, declarations) : "object";
    }
  }
}

const BASIC_SHAPES: Readonly<Record<BasicName, Shape>> = {
  string: "string",
  boolean: "boolean",
  integer: "integer",
  int32: "integer",
  int64: "integer",
  float32: "number",
  float64: "number",
  bytes: "bytes",
};

function randomOptions(random: Random, { withFloats, withStructs }: Style): readonly string[] {
  const allowsFloats = withFloats && random.chance(0.9);
  const described = random.chance(0.7) ? [] : [`maxDescLen=${random.pick([0, 1, 10, 20, 40, 100, 1000, -1])}`];
  const words = [
    ...(withStructs ? ["maxDescLen=0"] : described),
    ...(allowsFloats || random.chance(0.05) ? [`allowDangerousTypes=${allowsFloats ? "true" : "false"}`] : []),
    ...(random.chance(0.2) ? [`generateEmbeddedObjectMeta=${random.pick(["true", "false"])}`] : []),
    ...(random.chance(0.05)
      ? [`deprecatedV1beta1CompatibilityPreserveUnknownFields=${random.pick(["true", "false"])}`]
      : []),
    ...(random.chance(0.05) ? ["ignoreUnexportedFields=true"] : []),
    ...(random.chance(0.05) ? ["omitToolVersion=true"] : []),
    ...(random.chance(0.05) ? ["crdVersions=v1"] : []),
    ...(random.chance(0.05) ? ["headerFile=header.txt", ...(random.chance(0.5) ? ["year=2031"] : [])] : []),
  ];
  return [words.length === 0 ? "crd" : `crd:${words.join(",")}`];
}

// One wrong thing at most, so that every package says something about it.
function withIllegal(random: Random, model: CrdPackage): CrdPackage {
  if (!random.chance(0.25)) return model;
  const folderIndex = random.whole(0, model.folders.length - 1);
  const folders = model.folders.map((folder, index) => {
    if (index !== folderIndex) return folder;
    const declarationIndex = random.whole(0, folder.declarations.length - 1);
    const declarations = folder.declarations.map((each, at) => (at === declarationIndex ? spoil(random, each) : each));
    return { ...folder, declarations };
  });
  return { ...model, folders };
}

function spoil(random: Random, declaration: Declaration): Declaration {
  if (declaration.kind !== "object" || declaration.fields.length === 0 || random.chance(0.25)) {
    const target = declaration.kind === "object" && declaration.isKind ? "kind" : "type";
    return { ...declaration, comment: illegalMarker(random, declaration.comment, target) };
  }
  const index = random.whole(0, declaration.fields.length - 1);
  const fields = declaration.fields.map((field, at) =>
    at === index ? { ...field, comment: illegalMarker(random, field.comment, "field") } : field,
  );
  return { ...declaration, fields };
}
