const PAD = 0x3d;
// By byte. A repeated group of an expression would overflow the stack for a text of some MiB.
const DIGITS = new Set(Buffer.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"));

/** Returns the byte at which Go's decoder of padded base64 stops, or undefined where it reads all of a text. It skips line breaks. */
export function corruptBase64Byte(text: string): number | undefined {
  const bytes = Buffer.from(text);
  let inGroup = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    if (isBreak(byte)) continue;
    if (byte === PAD) return corruptPadding(bytes, index, inGroup);
    if (!DIGITS.has(byte)) return index;
    inGroup = (inGroup + 1) % 4;
  }
  return inGroup === 0 ? undefined : bytes.length - inGroup;
}

// Padding ends the text.
function corruptPadding(bytes: Buffer, index: number, inGroup: number): number | undefined {
  if (inGroup < 2) return index;
  let next = afterBreaks(bytes, index + 1);
  if (inGroup === 2) {
    if (next === bytes.length) return next;
    if (bytes[next] !== PAD) return next - 1;
    next = afterBreaks(bytes, next + 1);
  }
  return next < bytes.length ? next : undefined;
}

function afterBreaks(bytes: Buffer, from: number): number {
  let next = from;
  while (next < bytes.length && isBreak(bytes[next] ?? 0)) next += 1;
  return next;
}

function isBreak(byte: number): boolean {
  return byte === 0x0a || byte === 0x0d;
}
