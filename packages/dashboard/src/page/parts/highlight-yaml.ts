/** A piece of a line of YAML. */
export interface YamlToken {
  readonly kind: "key" | "text" | "number" | "keyword" | "comment" | "mark" | "plain";
  readonly text: string;
}

const KEYWORDS: ReadonlySet<string> = new Set([
  "true",
  "false",
  "null",
  "~",
  "{}",
  "[]",
  "|",
  "|-",
  "|+",
  ">",
  ">-",
  ">+",
]);

/** Splits a line of YAML for colors. It knows the block style that API servers and generators print; anything else stays plain. */
export function highlightYamlLine(line: string): readonly YamlToken[] {
  const start = line.length - line.trimStart().length;
  const tokens: YamlToken[] = [];
  if (start > 0) tokens.push({ kind: "plain", text: line.slice(0, start) });
  let rest = line.slice(start);
  while (rest === "-" || rest.startsWith("- ")) {
    tokens.push({ kind: "mark", text: rest.slice(0, 2) });
    rest = rest.slice(2);
  }
  if (rest === "") return tokens;
  if (rest.startsWith("#") || rest === "---") return [...tokens, { kind: "comment", text: rest }];
  const keyEnd = endOfKey(rest);
  if (keyEnd === -1) return [...tokens, scalarToken(rest)];
  tokens.push({ kind: "key", text: rest.slice(0, keyEnd) }, { kind: "mark", text: ":" });
  const value = rest.slice(keyEnd + 1);
  return value === "" ? tokens : [...tokens, { kind: "plain", text: " " }, scalarToken(value.slice(1))];
}

// A key ends at the first colon that a space or the end follows, and starts with no quote or with a closed one.
function endOfKey(text: string): number {
  const quote = text[0];
  if (quote === '"' || quote === "'") {
    const close = text.indexOf(quote, 1);
    return close !== -1 && text[close + 1] === ":" ? close + 1 : -1;
  }
  if (text.endsWith(":") && !text.includes(": ")) return text.length - 1;
  return text.indexOf(": ");
}

function scalarToken(text: string): YamlToken {
  if (text.startsWith("#")) return { kind: "comment", text };
  if (KEYWORDS.has(text)) return { kind: "keyword", text };
  if (text !== "" && Number.isFinite(Number(text))) return { kind: "number", text };
  return { kind: "text", text };
}
