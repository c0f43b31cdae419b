import { listLiteral, quotedLiteral } from "./random-literal.ts";
import { randomLine } from "./random-text.ts";
import type { Random } from "./random.ts";

/** Draws markers that shape the object of a kind; those of several versions say nothing about what the versions share. */
export function kindMarkers(random: Random, isOnly: boolean): readonly string[] {
  const draw = (probability: number, make: () => string | readonly string[]): readonly string[] =>
    random.chance(probability) ? [make()].flat() : [];
  return [
    ...draw(0.3, () => "+kubebuilder:object:root=true"),
    ...draw(0.4, () => "+kubebuilder:subresource:status"),
    ...draw(0.2, () => scaleMarker(random)),
    ...draw(0.35, () => random.many(1, 3, () => columnMarker(random))),
    ...draw(0.15, () => random.many(1, 2, () => `+kubebuilder:selectablefield:JSONPath=${pathLiteral(random)}`)),
    ...draw(0.15, () => deprecatedMarker(random)),
    ...(isOnly ? draw(0.35, () => resourceMarker(random)) : []),
    ...(isOnly ? draw(0.15, () => random.many(1, 2, () => metadataMarker(random))) : []),
    ...(isOnly ? draw(0.1, () => "+kubebuilder:storageversion") : []),
  ];
}

function scaleMarker(random: Random): string {
  const selector = random.chance(0.5) ? ",selectorpath=.status.selector" : "";
  return `+kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas${selector}`;
}

function columnMarker(random: Random): string {
  const words = [
    `name=${quotedLiteral(random, random.pick(["Age", "Ready", "A B", "x:y", "Größe", ""]))}`,
    `type=${random.pick(["integer", "string", "date", "boolean", "number"])}`,
    `JSONPath=${pathLiteral(random)}`,
    ...(random.chance(0.3) ? [`description=${quotedLiteral(random, lineOf(random))}`] : []),
    ...(random.chance(0.2) ? [`format=${random.pick(["int32", "date-time", '"x y"'])}`] : []),
    ...(random.chance(0.3) ? [`priority=${random.pick(["0", "1", "-1", "10"])}`] : []),
  ];
  return `+kubebuilder:printcolumn:${(random.chance(0.3) ? words.toReversed() : words).join(",")}`;
}

function pathLiteral(random: Random): string {
  return random.pick([
    ".spec.replicas",
    ".metadata.creationTimestamp",
    "\".status.conditions[?(@.type=='Ready')].status\"",
    '`.status.x["a-b"]`',
    ".spec.a[0].b",
    "\".spec['x']\"",
  ]);
}

function deprecatedMarker(random: Random): string {
  if (random.chance(0.4)) return "+kubebuilder:deprecatedversion";
  return `+kubebuilder:deprecatedversion:warning=${quotedLiteral(random, lineOf(random))}`;
}

function resourceMarker(random: Random): string {
  const words = random.some(
    [
      `path=${random.pick(["things", "boxes", '"foos"'])}`,
      `shortName=${listLiteral(
        random,
        random.many(0, 3, (index) => `s${index}`),
      )}`,
      `categories=${listLiteral(random, random.pick([["all"], ["all", "x"], []]))}`,
      `singular=${random.pick(["thing", '"box"'])}`,
      `scope=${random.pick(["Cluster", "Namespaced", '"Cluster"'])}`,
    ],
    4,
  );
  return words.length === 0 ? "+kubebuilder:resource" : `+kubebuilder:resource:${words.join(random.pick([",", ", "]))}`;
}

function metadataMarker(random: Random): string {
  const pairs = (): string =>
    listLiteral(
      random,
      random.many(
        1,
        2,
        () =>
          `"${random.pick(["a", "b.example.com/c", "d-e", "f2"])}=${random.pick(["x", "true", "1", "a=b", "", "a: b"])}"`,
      ),
    );
  const words = random.pick([
    [`annotations=${pairs()}`],
    [`labels=${pairs()}`],
    [`annotations=${pairs()}`, `labels=${pairs()}`],
  ]);
  return `+kubebuilder:metadata:${words.join(",")}`;
}

function lineOf(random: Random): string {
  return randomLine(random).replaceAll("\t", " ").trim() || "text";
}
