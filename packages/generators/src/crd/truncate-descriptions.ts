import type { SchemaNode } from "./model/schema-node.ts";

/** Shortens every description of a schema to a number of bytes; none is left at 0, all as they are below. */
export function truncateDescriptions(node: SchemaNode, maxBytes: number): SchemaNode {
  // Schemas of built-in structs are frozen; their descriptions, if any, are short enough.
  if (maxBytes < 0 || Object.isFrozen(node)) return node;
  const result: SchemaNode = { ...node };
  if (maxBytes === 0) delete result.description;
  else if (node.description !== undefined) result.description = truncateText(node.description, maxBytes);
  const visit = (child: SchemaNode): SchemaNode => truncateDescriptions(child, maxBytes);
  if (node.items !== undefined) result.items = visit(node.items);
  if (node.allOf !== undefined) result.allOf = node.allOf.map((each) => visit(each));
  if (node.oneOf !== undefined) result.oneOf = node.oneOf.map((each) => visit(each));
  if (node.anyOf !== undefined) result.anyOf = node.anyOf.map((each) => visit(each));
  if (node.properties !== undefined) {
    result.properties = Object.fromEntries(Object.entries(node.properties).map(([name, each]) => [name, visit(each)]));
  }
  if (node.additionalProperties !== undefined && node.additionalProperties !== true) {
    result.additionalProperties = visit(node.additionalProperties);
  }
  return result;
}

/** Cuts a text to a number of bytes, at the end of a sentence if there is one, else at a blank. */
export function truncateText(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  const cut = bytes.subarray(0, maxBytes).toString("utf8");
  const sentence = lastIndexOf(cut, /\p{Sentence_Terminal}/gu);
  if (sentence !== undefined && sentence.index > 0) return cut.slice(0, sentence.index + sentence.length);
  const blank = lastIndexOf(cut, /\p{White_Space}/gu);
  return blank !== undefined && blank.index > 0 ? `${cut.slice(0, blank.index)}...` : `${cut}...`;
}

function lastIndexOf(text: string, pattern: RegExp): { readonly index: number; readonly length: number } | undefined {
  const last = [...text.matchAll(pattern)].at(-1);
  return last === undefined ? undefined : { index: last.index, length: last[0].length };
}
