/** Encodes a decoded path like Go's URLs. */
export function encodeGoPath(path: string): string {
  return encodeURI(path).replaceAll(
    /[!'()*?#]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
