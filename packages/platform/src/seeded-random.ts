/**
 * Returns a source of random numbers from 0 up to 1, like `Math.random`, that depends on the seed and the occasion only: neither on time nor on what
 * happens in between. Not for secrets.
 */
export function seededRandom(seed: string | number, occasion: string): () => number {
  return randomNumbers(hash(`${String(seed)} ${occasion}`));
}

// FNV-1a, whose low bits are mixed further by the generator.
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}

// A counter whose steps are mixed as in SplitMix32.
function randomNumbers(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}
