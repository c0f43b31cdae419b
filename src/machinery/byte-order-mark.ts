/** Returns a text without the mark that some editors put at the start of UTF-8 files. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith(MARK) ? text.slice(1) : text;
}

/** Returns a text with the mark of the one whose place it takes, where that has it. */
export function withByteOrderMarkOf(previous: string, text: string): string {
  return previous.startsWith(MARK) ? MARK + withoutByteOrderMark(text) : text;
}

const MARK = "\uFEFF";
