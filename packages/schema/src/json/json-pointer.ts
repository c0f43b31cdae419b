/** Splits a JSON pointer into its reference tokens, decoding `~1` and `~0`. */
export function parsePointer(pointer: string): readonly string[] {
  return pointer === "" ? [] : pointer.split("/").slice(1).map(decodeToken);
}

/** Joins reference tokens to a JSON pointer, encoding `~` and `/`. */
export function formatPointer(tokens: readonly string[]): string {
  return tokens.map((token) => `/${encodeToken(token)}`).join("");
}

/** Decodes one reference token. */
export function decodeToken(token: string): string {
  return token.replaceAll(/~[01]/g, (escape) => (escape === "~1" ? "/" : "~"));
}

function encodeToken(token: string): string {
  return token.replaceAll("~", "~0").replaceAll("/", "~1");
}
