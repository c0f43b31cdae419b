import type { Shape } from "./package-model.ts";
import {
  anyLiteral,
  countLiteral,
  integerLiteral,
  jsonLiteral,
  listLiteral,
  numberLiteral,
  quotedLiteral,
  stringLiteral,
  valueLiteral,
} from "./random-literal.ts";
import { randomLine } from "./random-text.ts";
import type { Random } from "./random.ts";

/** What a marker may be at. */
export interface MarkerPlace {
  readonly target: "type" | "field";
  readonly shape: Shape;
  /** Whether the type is written at the place itself, or a name that upstream follows only later. */
  readonly isReference: boolean;
  /** The shape of the items of a list that is written at the place. */
  readonly items?: Shape | undefined;
  /** Plain names of the optional properties of an object that is declared at the place. */
  readonly optionalNames?: readonly string[];
  /** Names of the required properties of the objects in a list. */
  readonly keyNames?: readonly string[];
}

/** Markers of which a place takes at most one, since upstream applies them in no certain order. */
interface Slot {
  readonly fits: (place: MarkerPlace) => boolean;
  readonly make: (random: Random, place: MarkerPlace) => readonly string[];
}

const VALIDATION = "kubebuilder:validation:";

/** Draws markers that fit a place. */
export function randomMarkers(random: Random, place: MarkerPlace): readonly string[] {
  if (random.chance(0.3)) return [];
  const fitting = SLOTS.filter((slot) => slot.fits(place));
  const drawn = random.many(1, random.chance(0.2) ? 6 : 3, () => random.pick(fitting));
  return [...new Set(drawn)].flatMap((slot) => slot.make(random, place)).map((text) => withColon(random, text));
}

/** Draws a marker that suits some other place. */
export function misplacedMarker(random: Random): string {
  const place: MarkerPlace = { target: "field", shape: "string", isReference: false, items: "string" };
  const made = random.pick(SLOTS).make(random, place);
  return made.length === 0 ? "+kubebuilder:validation:MinProperties=1" : random.pick(made);
}

// Both signs mean the same where a marker has one value.
function withColon(random: Random, text: string): string {
  return random.chance(0.1) && /^\+[\w:]+=[^=]*$/u.test(text) && !/:\w+=.*(?:,|$)\w+=/u.test(text) && isSingle(text)
    ? text.replace("=", ":=")
    : text;
}

function isSingle(text: string): boolean {
  return !/:(?:XValidation|externalDocs):/u.test(text) && !text.startsWith("+default");
}

const isText = ({ shape, isReference }: MarkerPlace): boolean =>
  (shape === "string" || shape === "bytes") && !isReference;
const isNumeric = ({ shape, isReference }: MarkerPlace): boolean =>
  (shape === "integer" || shape === "number") && !isReference;
const isInlineList = ({ shape, isReference }: MarkerPlace): boolean => shape === "list" && !isReference;
const isInlineObject = ({ shape, isReference }: MarkerPlace): boolean =>
  (shape === "map" || shape === "object") && !isReference;
const isField = ({ target }: MarkerPlace): boolean => target === "field";
const isListOf =
  (accepts: (place: MarkerPlace) => boolean) =>
  (place: MarkerPlace): boolean =>
    isInlineList(place) && place.items !== undefined && accepts({ ...place, shape: place.items, isReference: false });
const anywhere = (): boolean => true;

const SLOTS: readonly Slot[] = [
  slot(isText, (random, place) => minimumSize(random, place, "MinLength")),
  slot(isText, (random) => one(`${VALIDATION}MaxLength=${countLiteral(random)}`)),
  slot(isText, (random) => one(`${VALIDATION}Pattern=${patternLiteral(random)}`)),
  slot(anywhere, (random) => one(`${VALIDATION}Format=${random.pick(["date-time", "hostname", "\"uri\"", "int32", "x y", "\"\""])}`)),
  slot(isNumeric, (random, place) => boundMarker(random, place, "Minimum")),
  slot(isNumeric, (random, place) => boundMarker(random, place, "Maximum")),
  slot(isNumeric, (random, place) => one(`${VALIDATION}MultipleOf=${boundOf(random, place)}`)),
  slot(isNumeric, (random) => one(`${VALIDATION}Exclusive${random.pick(["Minimum", "Maximum"])}=${random.pick(["true", "false"])}`)),
  slot(isInlineList, (random, place) => minimumSize(random, place, "MinItems")),
  slot(isInlineList, (random, place) => maximumItems(random, place)),
  slot(isInlineList, (random) => one(`${VALIDATION}UniqueItems=${random.pick(["true", "false"])}`)),
  slot(isInlineObject, (random, place) => minimumSize(random, place, "MinProperties")),
  slot(isInlineObject, (random) => one(`${VALIDATION}MaxProperties=${countLiteral(random)}`)),
  slot(({ shape }) => shape === "list", (random, place) => listTypeMarkers(random, place)),
  slot(({ shape }) => shape === "map", (random) => one(`mapType=${random.pick(["granular", "atomic", "\"atomic\""])}`)),
  slot(({ shape }) => shape === "object", (random) => one(`structType=${random.pick(["granular", "atomic"])}`)),
  slot(anywhere, (random, place) => one(`${VALIDATION}Enum=${enumLiteral(random, place.shape)}`)),
  slot(({ shape }) => shape === "int or string", (random) => [
    `+${VALIDATION}XIntOrString`,
    ...(random.chance(0.5) ? one(`${VALIDATION}Pattern=${patternLiteral(random)}`) : []),
    ...(random.chance(0.5) ? one(`${VALIDATION}MaxLength=${countLiteral(random)}`) : []),
  ]),
  slot(anywhere, (random) => one(random.pick([`${VALIDATION}XPreserveUnknownFields`, "kubebuilder:pruning:PreserveUnknownFields"]))),
  slot(({ shape }) => shape === "object", () => one(`${VALIDATION}XEmbeddedResource`)),
  slot(({ shape, target }) => shape === "object" && target === "field", () => one(`${VALIDATION}EmbeddedResource`)),
  slot(anywhere, (random, place) => ruleMarkers(random, place)),
  slot(isField, () => one("k8s:immutable")),
  slot(isField, () => one("nullable")),
  slot(isField, (random, { shape }) => one(`kubebuilder:default=${defaultLiteral(random, shape)}`)),
  slot(isField, (random, { shape }) => one(`default=${random.chance(0.1) ? "ref(Other)" : jsonLiteral(random, shape)}`)),
  slot(isField, (random, { shape }) => one(`kubebuilder:example=${random.chance(0.3) ? anyLiteral(random) : valueLiteral(random, shape)}`)),
  slot(anywhere, (random) => one(`kubebuilder:title=${quotedLiteral(random, random.pick(["A title", "It's: a title", "#1", "", "y"]))}`)),
  slot(anywhere, (random) => one(externalDocs(random))),
  slot(isField, (random) => random.some(PRESENCE, 2).map((name) => `+${name}`)),
  slot(({ shape, isReference, target }) => shape === "string" && !isReference && target === "field", (random) => [
    `+${VALIDATION}Schemaless`,
    ...(random.chance(0.5) ? one(`${VALIDATION}Type=${random.pick(["object", "string", "integer"])}`) : []),
  ]),
  slot(isListOf(isText), (random) => one(`${VALIDATION}items:MaxLength=${countLiteral(random)}`)),
  slot(isListOf(isText), (random) => one(`${VALIDATION}items:Pattern=${patternLiteral(random)}`)),
  slot(isListOf(isNumeric), (random) => one(`${VALIDATION}items:Minimum=${random.whole(-5, 5)}`)),
  slot(isListOf(anywhere), (random, { items = "string" }) => one(`${VALIDATION}items:Enum=${enumLiteral(random, items)}`)),
  slot(isListOf(anywhere), (random) => one(`${VALIDATION}items:Format=${random.pick(["hostname", "x"])}`)),
  slot(isListOf(anywhere), (random, { items = "string" }) => one(`${VALIDATION}items:${ruleMarker(random, items)}`)),
  slot(({ optionalNames = [] }) => optionalNames.length > 1, (random, { optionalNames = [] }) =>
    random
      .some(["AtMostOneOf", "ExactlyOneOf", "AtLeastOneOf"], 2)
      .map((name) => `+${VALIDATION}${name}=${listLiteral(random, random.some(optionalNames, 3))}`),
  ),
]; // prettier-ignore

const PRESENCE = [`${VALIDATION}Required`, `${VALIDATION}Optional`, "required", "optional", "k8s:optional"];

function slot(fits: Slot["fits"], make: Slot["make"]): Slot {
  return { fits, make };
}

function one(text: string): readonly string[] {
  return [`+${text}`];
}

function minimumSize(random: Random, { target }: MarkerPlace, name: string): readonly string[] {
  return one(
    target === "field" && random.chance(0.2) ? "k8s:required" : `${VALIDATION}${name}=${countLiteral(random)}`,
  );
}

function maximumItems(random: Random, { target }: MarkerPlace): readonly string[] {
  const comment = random.chance(0.3) ? " # as many as there are zones" : "";
  if (target === "field" && random.chance(0.3)) return one(`k8s:maxItems=${countLiteral(random)}${comment}`);
  return one(`${VALIDATION}MaxItems=${countLiteral(random)}`);
}

function boundMarker(random: Random, place: MarkerPlace, name: "Minimum" | "Maximum"): readonly string[] {
  const bound = boundOf(random, place).replace("- ", "-");
  if (place.target === "field" && random.chance(0.2)) return one(`k8s:${name.toLowerCase()}=${bound}`);
  return one(`${VALIDATION}${name}=${bound}`);
}

function boundOf(random: Random, { shape }: MarkerPlace): string {
  return shape === "number" ? numberLiteral(random) : integerLiteral(random);
}

function patternLiteral(random: Random): string {
  const drawn = random.pick([
    "^[a-z]+$",
    "^\\d{1,3}$",
    "^a,b;c$",
    "^[^:]+: .*$",
    "x|y",
    "^(a|b)*$",
    "'",
    "^\\S+$",
    "\\.",
    "^#",
  ]);
  return quotedLiteral(random, drawn);
}

function enumLiteral(random: Random, shape: Shape): string {
  const items = [...new Set(random.many(1, 4, () => enumItem(random, shape)))];
  const isMixed = shape !== "integer" && items.some((item) => /^-?[\d.]+$|^true$/u.test(item));
  return listLiteral(random, isMixed && !random.chance(0.05) ? items.slice(0, 1) : items);
}

function enumItem(random: Random, shape: Shape): string {
  if (shape === "integer") return String(random.whole(0, 9));
  if (random.chance(0.15)) return random.pick(["1", "true", "1.5", "null", '""', "-1", '"1"', "2024-01-15", "1Gi"]);
  const text = random.pick(["A", "Bee", "c-d", "y", "No", "on", "x y", "~", "É", "a.b", "Z9"]);
  return random.chance(0.3) ? JSON.stringify(text) : text;
}

function defaultLiteral(random: Random, shape: Shape): string {
  return random.chance(0.1) ? anyLiteral(random) : valueLiteral(random, shape);
}

function listTypeMarkers(random: Random, { keyNames = [], isReference }: MarkerPlace): readonly string[] {
  const name = random.pick(["listType", "k8s:listType"]);
  const keys = random.some(keyNames, 2);
  if (keys.length === 0 || isReference) return one(`${name}=${random.pick(["atomic", "set"])}`);
  const key = random.pick(["listMapKey", "k8s:listMapKey"]);
  return [`+${name}=map`, ...keys.map((each) => `+${key}=${each}`)];
}

function ruleMarkers(random: Random, { shape }: MarkerPlace): readonly string[] {
  return random.many(1, 2, () => `+${VALIDATION}${ruleMarker(random, shape)}`);
}

function ruleMarker(random: Random, shape: Shape): string {
  const rest = random.some(
    [
      `message=${quotedLiteral(random, messageOf(random))}`,
      `messageExpression=${quotedLiteral(random, "'bad: ' + 'value'")}`,
      `reason=${random.pick(["FieldValueRequired", "FieldValueInvalid", "FieldValueForbidden", "FieldValueDuplicate"])}`,
      `optionalOldSelf=${random.pick(["true", "false"])}`,
    ],
    3,
  );
  const parts = [`rule=${quotedLiteral(random, ruleOf(random, shape))}`, ...rest];
  return `XValidation:${(random.chance(0.3) ? parts.toReversed() : parts).join(random.pick([",", ", "]))}`;
}

function messageOf(random: Random): string {
  const line = randomLine(random).trim();
  return line === "" ? "must be right" : line.replaceAll("\t", " ");
}

function ruleOf(random: Random, shape: Shape): string {
  switch (shape) {
    case "string":
      return random.pick([
        "self.size() > 0",
        "self != 'a: b'",
        "self.matches('^[a-z]*$') || self == oldSelf",
        'self == "x"',
      ]);
    case "integer":
      return random.pick(["self >= 0", "self < 10 && self != 5", "self == oldSelf", "!(self > 3)"]);
    case "list":
    case "map":
      return random.pick(["self.size() < 5", "size(self) != 3", "self == oldSelf"]);
    default:
      return random.pick(["true", "self == oldSelf", "1 < 2 || 3 > 4", "!false"]);
  }
}

function externalDocs(random: Random): string {
  const url = random.pick(["https://example.com/docs", '"https://example.com/a?b=c#d"', "/docs/page", "`http://x.y`"]);
  const rest = random.chance(0.5) ? `,description=${stringLiteral(random)}` : "";
  return `kubebuilder:externalDocs:url=${url}${/[,;{}]/u.test(rest.slice(1)) && !rest.includes('"') ? "" : rest}`;
}
