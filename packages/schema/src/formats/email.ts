/** Says whether a text is one mail address of RFC 5322, with or without a display name, as Go's `mail.ParseAddress` reads it. */
export function isEmail(text: string): boolean {
  const trimmed = text.trim();
  return isAddressSpec(trimmed) || isNamedAddress(trimmed);
}

const ATOM = "[A-Za-z0-9!#$%&'*+\\-/=?^_`{|}~\\u0080-\\u{10ffff}]+";
const DOT_ATOM = `${ATOM}(?:\\.${ATOM})*`;
const QUOTED = '"(?:[^"\\\\\\u0000-\\u0008\\u000a-\\u001f\\u007f]|\\\\[\\u0021-\\u007e \\t])*"';
const DOMAIN_LITERAL = "\\[[^\\[\\]\\\\]*\\]";
const ADDRESS = new RegExp(`^(?:${DOT_ATOM}|${QUOTED})@(?:${DOT_ATOM}|${DOMAIN_LITERAL})$`, "u");
const PHRASE = new RegExp(`^(?:(?:${ATOM}(?:\\.${ATOM}|\\.)*|${QUOTED})[ \\t]*)*$`, "u");

function isAddressSpec(text: string): boolean {
  return ADDRESS.test(text) && isQuotedLocalPartFilled(text);
}

function isQuotedLocalPartFilled(text: string): boolean {
  return !text.startsWith('""@');
}

function isNamedAddress(text: string): boolean {
  const match = /^(.*?)[ \t]*<([^<>]*)>[ \t]*$/u.exec(text);
  return match !== null && PHRASE.test(match[1] ?? "") && isAddressSpec(match[2] ?? "");
}
