import { LONGEST_INPUT, type Material, mutateText } from "./mutate-text.ts";
import { choose, type Random } from "./random.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Changes a value of JSON in text form: its members, elements and scalars; rarely its characters. */
export function mutateJson(text: string, material: Material): string {
  const { random } = material;
  const value = parse(text);
  if (value === undefined || random(20) === 0) return mutateText(text, material);
  let changed = value;
  const donors = nodesOf(parse(material.other) ?? null);
  for (let count = 1 << random(3); count > 0; count--)
    changed = changeAt(changed, random(nodesOf(changed).length), { ...material, donors });
  const printed = JSON.stringify(changed);
  return printed.length <= LONGEST_INPUT ? printed : text;
}

interface JsonMaterial extends Material {
  readonly donors: readonly Json[];
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function nodesOf(value: Json, found: Json[] = []): readonly Json[] {
  found.push(value);
  if (typeof value === "object" && value !== null) for (const child of Object.values(value)) nodesOf(child, found);
  return found;
}

/** Replaces the node at an index, in the order of {@link nodesOf}. */
function changeAt(root: Json, index: number, material: JsonMaterial): Json {
  let at = -1;
  const visit = (value: Json): Json => {
    at++;
    if (at === index) return changeNode(value, material);
    if (Array.isArray(value)) return value.map((each) => visit(each));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, visit(each)]));
  };
  return visit(root);
}

const SCALARS: readonly [Json, ...Json[]] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  2 ** 53,
  1e300,
  "",
  "a",
  "0",
  "\ud800",
  "__proto__",
  {},
  [],
  [[]],
  [{}],
];

function changeNode(value: Json, material: JsonMaterial): Json {
  const { random, donors } = material;
  switch (random(8)) {
    case 0:
      return choose(SCALARS, random);
    case 1:
      return donors[random(donors.length)] ?? null;
    case 2:
      return { [keyOf(material)]: value };
    case 3:
      return [value, value];
    case 4:
      return deep(value, random);
    default:
      return changeParts(value, material);
  }
}

function changeParts(value: Json, material: JsonMaterial): Json {
  const { random, donors } = material;
  const donor = donors[random(donors.length)] ?? null;
  if (typeof value === "string") return random(2) === 0 ? mutateText(value, material) : keyOf(material);
  if (typeof value === "number") return choose([value + 1, -value, value * 10, value / 3, Math.trunc(value)], random);
  if (Array.isArray(value)) {
    const at = random(value.length + 1);
    return choose(
      [value.toSpliced(at, 1), value.toSpliced(at, 0, donor), value.toReversed(), [...value, ...value]],
      random,
    );
  }
  if (typeof value !== "object" || value === null) return donor;
  const entries = Object.entries(value);
  const at = random(entries.length + 1);
  const [key = "a"] = entries[at] ?? [];
  return Object.fromEntries(
    choose(
      [
        entries.toSpliced(at, 1),
        entries.toSpliced(at, 0, [keyOf(material), donor]),
        entries.toSpliced(at, 1, [key, donor]),
        entries.toReversed(),
      ],
      random,
    ),
  );
}

function keyOf({ dictionary, random }: Material): string {
  const own = random(4) > 0 ? dictionary[random(dictionary.length)] : undefined;
  return own ?? choose(["__proto__", "constructor", "prototype", "toString", "", "a", "0", "$patch", "\u0000"], random);
}

function deep(value: Json, random: Random): Json {
  let nested = value;
  for (let count = random(choose([4, 40, 400], random)); count > 0; count--)
    nested = random(2) === 0 ? [nested] : { a: nested };
  return nested;
}
