/** New names for whole words, by where the words stand: in code and prose, or in markers, strings and manifests. */
export interface WordMap {
  readonly code: ReadonlyMap<string, string>;
  readonly text: ReadonlyMap<string, string>;
}

/** Two texts that are the same but for names in them. */
export interface TextPair {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Finds out which words one text has where another has others, and returns them as new names.
 *
 * Guarantees: a word that stays in one place and changes in another is distinguished by the characters around it; where these do not tell, it stays.
 */
export function learnWords(pairs: readonly TextPair[], known: WordMap): WordMap {
  const learned = { code: new Map(known.code), text: new Map(known.text) };
  const kept = { code: new Set<string>(), text: new Set<string>() };
  for (const { path, before, after } of pairs) {
    const [olds, news] = [wordsOf(path, before), wordsOf(path, after)];
    if (olds.length !== news.length) continue;
    olds.forEach((old, index) => {
      const next = news[index]?.word ?? old.word;
      for (const key of [old.inContext, old.word]) {
        if (next === old.word) kept[old.place].add(key);
        else if (!learned[old.place].has(key)) learned[old.place].set(key, next);
      }
    });
  }
  for (const place of ["code", "text"] as const)
    for (const key of kept[place]) learned[place].set(key, key.replaceAll(/[^\w$]/gu, ""));
  return learned;
}

/** Puts new names in the place of whole words; everything else stays. */
export function renameWords(path: string, text: string, words: WordMap): string {
  return wordsOf(path, text)
    .toReversed()
    .reduce((result, { word, inContext, place, start }) => {
      const other = place === "code" ? "text" : "code";
      const next = words[place].get(inContext) ?? words[place].get(word) ?? words[other].get(word) ?? word;
      return next === word ? result : result.slice(0, start) + next + result.slice(start + word.length);
    }, text);
}

interface PlacedWord {
  readonly word: string;
  /** The word between the characters around it. */
  readonly inContext: string;
  readonly place: keyof WordMap;
  readonly start: number;
}

function wordsOf(path: string, text: string): readonly PlacedWord[] {
  const isCode = path.endsWith(".ts");
  let offset = 0;
  return text.split("\n").flatMap((line) => {
    const start = offset;
    offset += line.length + 1;
    const isMarker = !isCode || line.includes("+kubebuilder:") || line.includes("+groupName");
    return [...line.matchAll(/[\w$]+/gu)].map(({ 0: word, index }): PlacedWord => ({
      word,
      inContext: `${line[index - 1] ?? "\n"}${word}${line[index + word.length] ?? "\n"}`,
      place: isMarker || isQuoted(line.slice(0, index)) ? "text" : "code",
      start: start + index,
    }));
  });
}

// An odd number of quotes before it on the line; what a template string computes is code again.
function isQuoted(before: string): boolean {
  const plain = before.replaceAll(/\\./gu, "");
  const isOpen = (quote: string): boolean => plain.split(quote).length % 2 === 0;
  if (isOpen("`")) return plain.lastIndexOf("${") <= plain.lastIndexOf("}");
  return isOpen('"');
}
