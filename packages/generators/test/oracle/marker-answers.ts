import { CATALOGUE } from "../../src/markers/catalogue.ts";
import type { MarkerTarget, MarkerValue } from "../../src/markers/definitions/marker-definition.ts";
import { parseMarker } from "../../src/markers/parse-marker.ts";
import { spoilText } from "./illegal-markers.ts";
import { kindMarkers } from "./kind-markers.ts";
import { anyLiteral, jsonLiteral, listLiteral, numberLiteral, stringLiteral, valueLiteral } from "./random-literal.ts";
import type { Random } from "./random.ts";
import { randomRbacPackage } from "./rbac-package.ts";
import { randomMarkers } from "./schema-markers.ts";
import { randomWebhookPackage } from "./webhook-package.ts";

/** A marker, from its plus sign on, and what it is at. */
export interface MarkerQuestion {
  readonly target: MarkerTarget;
  readonly text: string;
}

/** What is read of a marker: nothing of one that is not known, a value, or an error, whose words are each program's own. */
export type MarkerAnswer =
  | { readonly kind: "unknown" }
  | { readonly kind: "error" }
  | { readonly kind: "value"; readonly value: unknown };

/** Makes a marker, spoilt more often than not. */
export function randomMarkerQuestion(random: Random): MarkerQuestion {
  const drawn = draw(random);
  const times = random.pick([0, 0, 1, 1, 2, 4]);
  let { text } = drawn;
  for (let time = 0; time < times; time++) text = spoilText(random, text);
  return { target: drawn.target, text: text.trim() };
}

function draw(random: Random): MarkerQuestion {
  const seed = random.whole(0, 1_000_000);
  switch (random.whole(0, 7)) {
    case 0:
      return {
        target: "package",
        text: random.pick(randomRbacPackage(seed).files.flatMap(({ groups }) => groups.flat())),
      };
    case 1:
      return {
        target: "package",
        text: random.pick(randomWebhookPackage(seed).files.flatMap(({ groups }) => groups.flat())),
      };
    case 2:
      return { target: "type", text: random.pick([...kindMarkers(random, true), "+kubebuilder:resource:path=x"]) };
    case 3:
    case 4: {
      const shape = random.pick(["string", "integer", "number", "list", "map", "object", "int or string"] as const);
      const items = shape === "list" ? ("string" as const) : undefined;
      const made = randomMarkers(random, {
        target: "field",
        shape,
        isReference: false,
        items,
        keyNames: ["a"],
        optionalNames: ["a", "b"],
      });
      return { target: "field", text: random.pick([...made, "+nullable"]) };
    }
    default:
      return { target: "field", text: valueMarker(random) };
  }
}

function valueMarker(random: Random): string {
  const shapes = ["string", "integer", "number", "boolean", "list", "map", "anything"] as const;
  const shape = random.pick(shapes);
  switch (random.whole(0, 6)) {
    case 0:
      return `+kubebuilder:validation:Enum=${listLiteral(
        random,
        random.many(0, 4, () => anyLiteral(random, 2)),
      )}`;
    case 1:
      return `+kubebuilder:validation:Pattern=${stringLiteral(random)}`;
    case 2:
      return `+kubebuilder:validation:Maximum=${numberLiteral(random)}`;
    case 3:
      return `+default=${jsonLiteral(random, shape)}`;
    case 4:
      return `+kubebuilder:validation:MaxLength=${numberLiteral(random)}`;
    default:
      return `+kubebuilder:${random.pick(["default", "example"])}=${random.chance(0.5) ? anyLiteral(random) : valueLiteral(random, shape)}`;
  }
}

/** Brings what the Go program says into the form of {@link ourMarkerAnswer}. */
export function theirMarkerAnswer(answer: unknown): MarkerAnswer {
  const { known, value, error } = answer as {
    readonly known: boolean;
    readonly value: unknown;
    readonly error?: string;
  };
  if (!known) return { kind: "unknown" };
  return error === undefined ? { kind: "value", value } : { kind: "error" };
}

/** Says what our parser reads. */
export function ourMarkerAnswer({ target, text }: MarkerQuestion): MarkerAnswer {
  const parsed = parseMarker(text, CATALOGUE);
  if (parsed.kind === "unknown") return { kind: "unknown" };
  const { definition } = parsed;
  if (!definition.targets.includes(target) || definition.name.startsWith("kubescaffold:")) return { kind: "unknown" };
  if (parsed.kind === "problem") return { kind: "error" };
  const { grammar } = definition;
  if (grammar.kind === "flag") return { kind: "value", value: {} };
  return { kind: "value", value: grammar.kind === "arguments" ? withoutEmpty(parsed.value) : described(parsed.value) };
}

// The Go program does not see which of the arguments that are empty were given.
function withoutEmpty(value: MarkerValue): unknown {
  const entries = Object.entries(value as Readonly<Record<string, MarkerValue>>);
  const isEmpty = (each: MarkerValue): boolean =>
    each === "" || each === 0 || each === false || (Array.isArray(each) && each.length === 0);
  return Object.fromEntries(
    entries.filter(([, each]) => !isEmpty(each)).map(([name, each]) => [name, described(each)]),
  );
}

function described(value: MarkerValue): unknown {
  if (typeof value === "bigint") return `${String(value)}n`;
  if (Array.isArray(value)) return value.map((each: MarkerValue) => described(each));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, described(each)]));
  return value;
}

/** Returns the row of docs/verification/generator-differences.md that explains why two answers differ, if one does. */
export function listedMarkerDifference({ text }: MarkerQuestion, theirs: unknown, ours: unknown): string | undefined {
  const [their, our] = [theirs as MarkerAnswer, ours as MarkerAnswer];
  const parsed = parseMarker(text, CATALOGUE);
  if (our.kind === "error" && their.kind === "value" && parsed.kind === "problem") {
    const { message } = parsed.problem;
    if (message.includes(" has a blank before ")) return "blank-before-separator";
    if (message.includes(" expects a value before ")) return "empty-bare-value";
    if (/ expects a number, found "[+-]?(?:Inf|NaN|0x)/iu.test(message)) return "bound-not-decimal";
  }
  if (our.kind === "value" && their.kind === "error" && /[:,{;=]\s+-\s*\.?\d/u.test(text)) return "minus-after-blank";
  return undefined;
}
