import { MARKER_DEFINITIONS } from "./catalogue.ts";
import type { MarkerDefinition } from "./marker-definition.ts";
import { usageOf } from "./parse-marker.ts";
import { describeType } from "./parse-value.ts";

/** Writes the reference page of all markers from their definitions, in Markdown. */
export function renderMarkerPage(): string {
  const categories = [...new Set(MARKER_DEFINITIONS.map((each) => each.category))];
  const sections = categories.map((category) => renderCategory(category));
  return [INTRODUCTION, ...sections].join("\n");
}

const INTRODUCTION = `# Markers

Markers are comment lines that begin with \`+\`, in JSDoc, in other block comments or behind \`//\`. They have the names and the grammar of controller-gen's.
A marker with one value is written \`+name=value\`, one with arguments \`+name:first=value,second=value\`. Lists are \`{a,b}\` or \`a;b\`;
a string with a comma, a semicolon or a brace is quoted, \`"…"\` with Go's escapes or \`\` \`…\` \`\` as it stands. In JSDoc \`*/\` is written \`*\\/\`.

This page is made from the definitions in \`src/markers\`.
`;

function renderCategory(category: string): string {
  const definitions = MARKER_DEFINITIONS.filter((each) => each.category === category);
  return `## ${category}\n\n${definitions.map((each) => renderDefinition(each)).join("\n")}`;
}

function renderDefinition(definition: MarkerDefinition): string {
  const { name, targets, summary, grammar } = definition;
  const places = targets.map((target) => (target === "field" ? "property" : target)).join(", ");
  const lines = [`### \`+${name}\``, "", `${summary} Stands above: ${places}.`];
  if (grammar.kind === "arguments") {
    lines.push("", "| Argument | Value | |", "|---|---|---|");
    for (const each of grammar.arguments) {
      lines.push(
        `| \`${each.name}\`${each.isOptional ? "" : " (required)"} | ${describeType(each.type)} | ${each.summary.replaceAll("|", "\\|")} |`,
      );
    }
  } else if (grammar.kind !== "flag") {
    lines.push("", `    ${usageOf(definition)}`);
  }
  return `${lines.join("\n")}\n`;
}
