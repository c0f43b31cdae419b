/** Returns a text without the mark that some editors put at the start of UTF-8 files. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}
