import { MARKER_DEFINITIONS } from "./catalogue.ts";
import type { MarkerDefinition, MarkerTarget } from "./definitions/marker-definition.ts";
import { usageOf } from "./parse-marker.ts";
import { describeType } from "./parse-value.ts";

/** A page of the reference: its file in `docs/reference/markers`, and its text in Markdown up to the example. */
export interface MarkerPage {
  /** The name of the marker that the page is about. */
  readonly name: string;
  readonly file: string;
  readonly content: string;
}

/** Writes the pages of all markers from their definitions; one for the items of a list shares the page of the plain one. */
export function renderMarkerPages(): readonly MarkerPage[] {
  return MARKER_DEFINITIONS.filter(({ name }) => !isForItems(name)).map((definition) => ({
    name: definition.name,
    file: fileOf(definition.name),
    content: renderPage(definition),
  }));
}

/** Writes the page that lists all others. */
export function renderMarkerIndex(): string {
  const categories = [...new Set(MARKER_DEFINITIONS.map((each) => each.category))];
  return [INTRODUCTION, ...categories.map((category) => renderCategory(category))].join("\n");
}

const INTRODUCTION = `# Markers

Markers are comment lines that start with \`+\`, in JSDoc, other block comments, or after \`//\`. Their names and grammar are the same as controller-gen's.
A marker with one value is written \`+name=value\`, and a marker with arguments \`+name:first=value,second=value\`. Lists are \`{a,b}\` or \`a;b\`.
Quote strings that contain a comma, a semicolon, or a brace: \`"…"\` with Go's escapes, or \`\` \`…\` \`\` without escapes. In JSDoc, write \`*\\/\` for \`*/\`.

Each marker has its own page. The \`kubebuilder:validation:\` markers that restrict values also exist with \`items:\`, for the items of a list: \`+kubebuilder:validation:items:MaxLength=5\`.

These pages are generated from the definitions in \`packages/generators/src/markers\`, and the results by the generator.
`;

function renderCategory(category: string): string {
  const definitions = MARKER_DEFINITIONS.filter((each) => each.category === category && !isForItems(each.name));
  const rows = definitions.map(
    (each) =>
      `| [\`+${each.name}\`](${fileOf(each.name)}) | ${placesOf(each.targets)} | ${each.summary.replaceAll("|", "\\|")} |`,
  );
  return `## ${category}\n\n| Marker | Applies to | |\n|---|---|---|\n${rows.join("\n")}\n`;
}

function renderPage(definition: MarkerDefinition): string {
  const { name, targets, summary, grammar, category } = definition;
  const lines = [`# \`+${name}\``, "", summary, "", `Applies to: ${placesOf(targets)}. Category: ${category}.`, ""];
  lines.push("```", usageOf(definition), "```", "");
  if (hasItemsForm(name)) {
    lines.push(`For the items of a list, use \`+${name.replace(VALIDATION, `${VALIDATION}items:`)}\`.`, "");
  }
  if ("arguments" in grammar && grammar.arguments.length > 0) {
    lines.push("| Argument | Value | |", "|---|---|---|");
    for (const each of grammar.arguments) {
      const required = each.isOptional ? "" : " (required)";
      const text = each.summary.replaceAll("|", "\\|");
      lines.push(`| \`${each.name}\`${required} | ${describeType(each.type)} | ${text} |`);
    }
    lines.push("");
  }
  return `${lines.join("\n")}\n`;
}

const VALIDATION = "kubebuilder:validation:";

function isForItems(name: string): boolean {
  return name.startsWith(`${VALIDATION}items:`);
}

function hasItemsForm(name: string): boolean {
  const items = name.replace(VALIDATION, `${VALIDATION}items:`);
  return items !== name && MARKER_DEFINITIONS.some((each) => each.name === items);
}

function placesOf(targets: readonly MarkerTarget[]): string {
  return targets.map((target) => (target === "field" ? "property" : target)).join(", ");
}

function fileOf(name: string): string {
  return `${name.replaceAll(":", "-")}.md`;
}
