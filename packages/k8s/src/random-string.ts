// Letters and digits that do not form words.
const SAFE_ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

/**
 * Returns random letters and digits, in the alphabet of generated names. Not for secrets.
 *
 * apimachinery: pkg/util/rand.String
 */
export function randomString(length: number, random: () => number = Math.random): string {
  return Array.from({ length }, () => SAFE_ALPHABET[Math.floor(random() * SAFE_ALPHABET.length)]).join("");
}

/**
 * Spells a text, such as a decimal hash, in the alphabet of generated names; the result has the same length.
 *
 * apimachinery: pkg/util/rand.SafeEncodeString
 */
export function safeEncodeString(text: string): string {
  return Array.from(text, (letter) => SAFE_ALPHABET[(letter.codePointAt(0) ?? 0) % SAFE_ALPHABET.length]).join("");
}
