const MOST_ATTEMPTS = 2000;

/** Makes an input shorter while it still fails the same way. */
export async function minimize(
  input: string,
  kind: "text" | "json",
  fails: (input: string) => Promise<boolean>,
): Promise<string> {
  let smallest = input;
  let attempts = 0;
  const candidates = kind === "json" ? smallerValues : smallerTexts;
  for (let isSmaller = true; isSmaller && attempts < MOST_ATTEMPTS;) {
    isSmaller = false;
    for (const candidate of candidates(smallest)) {
      if (++attempts > MOST_ATTEMPTS) break;
      if (!(await fails(candidate))) continue;
      smallest = candidate;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

function* smallerTexts(text: string): Generator<string> {
  for (let length = Math.ceil(text.length / 2); length >= 1; length = length === 1 ? 0 : Math.ceil(length / 2)) {
    for (let at = 0; at < text.length; at += length) yield text.slice(0, at) + text.slice(at + length);
  }
}

function* smallerValues(text: string): Generator<string> {
  const value = parse(text);
  if (value === undefined) yield* smallerTexts(text);
  else for (const smaller of withoutParts(value)) yield JSON.stringify(smaller);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Values with one part less, the largest parts first. */
function* withoutParts(value: unknown): Generator {
  if (typeof value === "string" && value !== "") yield* smallerTexts(value);
  if (typeof value !== "object" || value === null) return;
  const entries = Object.entries(value as Readonly<Record<string, unknown>>);
  for (const [, child] of entries) yield child;
  const rebuild = (changed: readonly (readonly [string, unknown])[]): unknown =>
    Array.isArray(value) ? changed.map(([, child]) => child) : Object.fromEntries(changed);
  for (const index of entries.keys()) yield rebuild(entries.toSpliced(index, 1));
  for (const [index, [key, child]] of entries.entries())
    for (const smaller of withoutParts(child)) yield rebuild(entries.toSpliced(index, 1, [key, smaller]));
}
