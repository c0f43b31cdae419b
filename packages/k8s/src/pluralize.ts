import { ACRONYMS, IRREGULAR_NOUNS, SUFFIX_RULES } from "./plural-rules.ts";

/**
 * Returns the plural of a word by flect's rules, which controller-gen and kubebuilder use for resource names.
 *
 * The case is kept as far as flect keeps it; {@link resourceNameOf} is what names a resource.
 */
export function pluralize(word: string): string {
  const last = lastPart(word);
  if (last === "") return "";
  const irregular = irregularPlural(word, last);
  if (irregular !== undefined) return irregular;
  const rule = rules().find(([suffix]) => last.endsWith(suffix));
  if (rule !== undefined) return replaceEnd(word, last, last.slice(0, last.length - rule[0].length) + rule[1]);
  return last.toLowerCase().endsWith("s") ? word : `${word}s`;
}

/**
 * Returns the plural resource name that controller-gen gives to a kind: its plural in lower case.
 *
 * @example
 * resourceNameOf("NetworkPolicy"); // "networkpolicies"
 */
export function resourceNameOf(kind: string): string {
  return pluralize(kind).toLowerCase();
}

function irregularPlural(word: string, last: string): string | undefined {
  const { pluralOf, plurals } = dictionary();
  const whole = pluralOf.get(word);
  if (whole !== undefined) return whole;
  const lower = last.toLowerCase();
  if (plurals.has(word) || plurals.has(lower)) return word;
  const plural = pluralOf.get(lower);
  if (plural === undefined) return undefined;
  return replaceEnd(word, last, last === capitalize(last) ? capitalize(plural) : plural);
}

// Where the last part is not how the word ends (an acronym in other letters), the plural is put behind the word.
function replaceEnd(word: string, end: string, replacement: string): string {
  return (word.endsWith(end) ? word.slice(0, word.length - end.length) : word) + replacement;
}

function capitalize(word: string): string {
  const [first = "", ...rest] = word;
  return first.toUpperCase() + rest.join("");
}

function lastPart(word: string): string {
  const trimmed = word.trim();
  if (ACRONYMS.has(trimmed.toUpperCase())) return trimmed.toUpperCase();
  // A word of one part, as most are.
  if (/^[a-z0-9]+$/u.test(trimmed)) return trimmed;
  let part = "";
  let last = "";
  let wasUpper = false;
  const close = (next: string): void => {
    const bare = part.replace(/^[\s_:\-/]+|[\s_:\-/]+$/gu, "");
    if (bare !== "") last = ACRONYMS.has(bare.toUpperCase()) ? bare.toUpperCase() : bare;
    part = next;
  };
  for (const character of trimmed) {
    const isUpper = /\p{Lu}/u.test(character);
    if (/[\s_:\-/]/u.test(character)) close(character);
    else if (isUpper && (!wasUpper || ACRONYMS.has(part.toUpperCase()))) close(character);
    else if (/[\p{L}\p{Nd}\p{P}`]/u.test(character)) part += character;
    else close("");
    wasUpper = isUpper;
  }
  close("");
  return last;
}

interface Dictionary {
  readonly pluralOf: ReadonlyMap<string, string>;
  readonly plurals: ReadonlySet<string>;
}

let knownDictionary: Dictionary | undefined;
let knownRules: readonly (readonly [string, string])[] | undefined;

function dictionary(): Dictionary {
  knownDictionary ??= {
    pluralOf: new Map(IRREGULAR_NOUNS.map(({ singular, plural }) => [singular, plural])),
    plurals: new Set(
      IRREGULAR_NOUNS.filter(({ isOneWay }) => !isOneWay).flatMap(({ plural, alternative }) =>
        alternative === undefined ? [plural] : [plural, alternative],
      ),
    ),
  };
  return knownDictionary;
}

// A suffix that is plural already comes before the one it replaces; words of the dictionary, last first, before all.
function rules(): readonly (readonly [string, string])[] {
  knownRules ??= [
    ...IRREGULAR_NOUNS.filter(({ isExact }) => !isExact)
      .toReversed()
      .map(({ singular, plural }) => [singular, plural] as const),
    ...SUFFIX_RULES,
  ].flatMap(([singular, plural]) => [[plural, plural] as const, [singular, plural] as const]);
  return knownRules;
}
