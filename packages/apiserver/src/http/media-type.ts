const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+/u;
const SPACE = /^\s+/u;

/** Returns what Go's `mime.ParseMediaType` has against a media type, or undefined when it is valid. */
export function mediaTypeProblem(text: string): string | undefined {
  const [base = ""] = text.split(";", 1);
  const problem = nameProblem(base.trim().toLowerCase());
  return problem ?? parameterProblem(text.slice(base.length));
}

function nameProblem(name: string): string | undefined {
  const type = TOKEN.exec(name)?.[0] ?? "";
  if (type === "") return "mime: no media type";
  const afterType = name.slice(type.length);
  if (afterType === "") return undefined;
  if (!afterType.startsWith("/")) return "mime: expected slash after first token";
  const subtype = TOKEN.exec(afterType.slice(1))?.[0] ?? "";
  if (subtype === "") return "mime: expected token after slash";
  return afterType.length > subtype.length + 1 ? "mime: unexpected content after media subtype" : undefined;
}

function parameterProblem(text: string): string | undefined {
  const values = new Map<string, string>();
  let rest = text.replace(SPACE, "");
  while (rest !== "") {
    const parameter = readParameter(rest);
    if (parameter === undefined) return rest.trim() === ";" ? undefined : "mime: invalid media parameter";
    const { name, value } = parameter;
    if ((values.get(name) ?? value) !== value) return "mime: duplicate parameter name";
    values.set(name, value);
    rest = parameter.rest.replace(SPACE, "");
  }
  return undefined;
}

function readParameter(
  text: string,
): { readonly name: string; readonly value: string; readonly rest: string } | undefined {
  const match = /^;\s*([!#$%&'*+\-.^_`|~0-9A-Za-z]+)\s*=\s*/u.exec(text);
  const name = match?.[1]?.toLowerCase();
  if (match === null || name === undefined) return undefined;
  const rest = text.slice(match[0].length);
  const quoted = /^"((?:\\[^\w\s]|[^"\r\n])*)"/u.exec(rest);
  const value = quoted?.[1] ?? TOKEN.exec(rest)?.[0];
  return value === undefined ? undefined : { name, value, rest: rest.slice(quoted?.[0].length ?? value.length) };
}
