/** The width of lines in generated code, as formatters of generated projects have it. */
const WIDTH = 120;

/** Returns whether a line fits. */
function fits(line: string): boolean {
  return line.length <= WIDTH;
}

/** Prints the head of a function, with a parameter per line if it is too long for one. */
export function functionHead(name: string, parameters: readonly string[], result: string): string {
  return callLike(`function ${name}(`, parameters, `): ${result} {`, "");
}

/** Prints something with a list in parentheses or braces on one line, or with an item per line. */
export function callLike(start: string, items: readonly string[], end: string, indent: string): string {
  const line = `${indent}${start}${items.join(", ")}${end}`;
  if (fits(line)) return line;
  return [`${indent}${start}`, ...items.map((item) => `${indent}  ${item},`), `${indent}${end}`].join("\n");
}

/** Prints an object literal as the value of a property. */
export function objectProperty(name: string, members: readonly string[], indent: string): string {
  const line = `${indent}${name}: { ${members.join(", ")} },`;
  if (fits(line)) return line;
  return [`${indent}${name}: {`, ...members.map((member) => `${indent}  ${member},`), `${indent}},`].join("\n");
}

/** Prints a type that omits fields of another one. */
export function omitType(name: string, type: string, fields: readonly string[]): string {
  if (fields.length === 0) return `export type ${name} = ${type};`;
  const line = `export type ${name} = Omit<${type}, ${fields.join(" | ")}>;`;
  if (fits(line)) return line;
  const union = `  ${fields.join(" | ")}`;
  const printed = fits(union) ? [union] : fields.map((field) => `  | ${field}`);
  return [`export type ${name} = Omit<`, `  ${type},`, ...printed, ">;"].join("\n");
}

/** Prints a member of an object literal. */
export function objectMember(name: string, value: string, indent: string): string {
  const line = `${indent}${name}: ${value},`;
  if (fits(line)) return line;
  const below = `${indent}  ${value},`;
  return `${indent}${name}:\n${fits(below) ? below : below.replace(" && ", ` &&\n${indent}  `)}`;
}

/** Prints `condition ? {} : { name: value }` between a start and an end. */
export function optionalMember(
  { start, end, indent }: { readonly start: string; readonly end: string; readonly indent: string },
  condition: string,
  { name, value }: { readonly name: string; readonly value: string },
): string {
  const line = `${indent}${start}${condition} ? {} : { ${name}: ${value} }${end}`;
  if (fits(line)) return line;
  const head = [`${indent}${start}${condition}`, `${indent}  ? {}`];
  const last = `${indent}  : { ${name}: ${value} }${end}`;
  if (fits(last)) return [...head, last].join("\n");
  const member = objectMember(name, value, `${indent}      `);
  return [...head, `${indent}  : {`, member, `${indent}    }${end}`].join("\n");
}
