import type { Random } from "./random.ts";

const WORDS = [
  "replicas", "the", "Deployment's", "name", "of", "a", "zone", "e.g.", "v1.2", "Größe", "名前", "naïve", "100%", "(optional)",
  "https://example.com/a?b=c#d", "key: value", "\"quoted\"", "'single'", "`code`", "#hash", "& more", "*bold*", "x | y",
  "{braces}", "[list]", "<tag>", "a\\b", "$HOME", "@sign", "~", "—", "…", "yes", "null", "0x1F", "1_000", "2024-01-15", "a:b",
  "🚀", "end.", "Really?", "No!", "\u00a0", "\u200b", "e\u0301", "/path/to", "--flag", "C++", "-1", "!x", "%d", "==", "\t",
] as const; // prettier-ignore

const SPECIAL_LINES = [
  "",
  "",
  "- first item",
  "  - nested item",
  "* star",
  "+ plus item",
  "1. numbered",
  "```yaml",
  "  key: [a, b]",
  "```",
  "~~~",
  "---",
  "--- not the end?",
  "TODO: do it",
  "TODO(someone) later",
  "  TODO indented",
  "Deprecated: use other.",
  "# Heading",
  "> quote",
  "| a | b |",
  "key: value",
  "trailing blank ",
  "trailing tab\t",
  "\tindented by a tab",
  "    indented by blanks",
  ": starts with a colon",
  "'single' start",
  '"double" start',
  "!bang",
  "%percent",
  "&anchor",
  "Ends with a colon:",
  "true",
  "1.5",
  "=",
  "<<",
  "...",
  "nolint:all",
  "go:generate x",
  "Ünïcödé — “quotes”",
];

/** Makes the lines of a text for people, with everything that YAML and comments stumble over. */
export function randomDoc(random: Random): readonly string[] {
  if (random.chance(0.3)) return [];
  return random.many(1, random.chance(0.3) ? 8 : 2, () => randomLine(random)).filter((line) => isSafeLine(line));
}

/** Makes one line of words, sometimes a very long one. */
export function randomLine(random: Random): string {
  if (random.chance(0.35)) return random.pick(SPECIAL_LINES);
  const words = random.many(1, random.chance(0.2) ? 40 : 8, () => random.pick(WORDS));
  return words.join(random.chance(0.05) ? "  " : " ");
}

// What TypeScript gives a meaning that Go does not know is compared elsewhere: block tags, links, the end of a block.
function isSafeLine(line: string): boolean {
  return !/^\s*@|\{@|\*\//u.test(line);
}

const NAME_PARTS = ["size", "name", "mode", "a", "b", "zone", "X", "url", "ref", "config", "Kind", "iD", "ab"] as const;

/** Makes the name of a property; `plain` ones are identifiers in CEL, too. */
export function randomName(random: Random, isPlain = false): string {
  const words = random.many(1, 2, (index) => {
    const word = random.pick(NAME_PARTS);
    return index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1);
  });
  const name = words.join("");
  if (isPlain || random.chance(0.85)) return name + (random.chance(0.3) ? String(random.whole(1, 30)) : "");
  return random.pick([
    `${name}-x`,
    `${name}_y`,
    `_${name}`,
    `${name}.z`,
    `${name}é`,
    `$${name}`,
    "y",
    "no",
    "true",
    "null",
    "on",
  ]);
}

/** Makes the name of a kind or a type. */
export function randomTypeName(random: Random): string {
  return random.many(1, 2, () => random.pick(TYPE_PARTS)).join("");
}

const TYPE_PARTS = [
  "Cluster", "Policy", "Gateway", "Ingress", "Box", "Index", "Status", "Data", "Series", "Proxy", "Hero", "DNS", "API", "Bus",
  "Leaf", "Person", "Mouse", "Photo", "Quiz", "Analysis", "Cache", "Widget",
] as const; // prettier-ignore
