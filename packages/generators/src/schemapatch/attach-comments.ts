import { Lexer } from "yaml";

import type { YamlComments, YamlDocument, YamlNode } from "./yaml-tree.ts";

/** A member or an item in the text. */
export interface Entry {
  readonly owner: YamlComments & { readonly value: YamlNode; readonly key?: Extract<YamlNode, { kind: "scalar" }> };
  readonly offset: number;
  readonly line: number;
  /** The column of the key or the dash, from 0. */
  readonly indent: number;
  /** The entry whose value it is in. */
  readonly parent: Entry | undefined;
}

export interface AttachOptions {
  readonly text: string;
  readonly root: YamlNode;
  /** In the order of the text. */
  readonly entries: readonly Entry[];
  readonly sourceOf: ReadonlyMap<YamlNode, readonly [start: number, end: number]>;
}

/**
 * Gives every comment to what it belongs to, as controller-gen's YAML library does.
 *
 * A comment on the line of something is about that. Lines of comments are about what follows, unless they come right behind something and an
 * empty line follows, or stand further left than it: then they are about what is before, or about the block of their column.
 */
export function attachComments(options: AttachOptions): YamlDocument {
  const document: YamlDocument = { head: [], foot: [], root: options.root };
  const pieces = readPieces(options.text);
  const isExplicit = pieces.some((each) => each.kind === "document start");
  let before: Content | undefined;
  let region: (CommentLine | "empty")[] = [];
  let lineBreaks = 0;
  for (const piece of pieces) {
    switch (piece.kind) {
      case "comment":
        if (before !== undefined && piece.line === before.line) attachToLine(piece.text, before, options);
        else {
          if (lineBreaks > 1) region.push("empty");
          region.push({ text: piece.text, indent: piece.column });
        }
        lineBreaks = 0;
        break;
      case "line break":
        lineBreaks += 1;
        break;
      case "document start":
        lineBreaks = 0;
        break;
      case "content":
        if (lineBreaks > 1 && region.length > 0) region.push("empty");
        attachRegion(region, {
          document,
          isExplicit,
          before,
          after: entryFrom(options.entries, piece.offset),
          options,
        });
        region = [];
        lineBreaks = 0;
        before = { ...piece, entry: entryAt(options.entries, piece.offset) };
    }
  }
  if (lineBreaks > 1 && region.length > 0) region.push("empty");
  attachRegion(region, { document, isExplicit, before, after: undefined, options });
  return document;
}

interface CommentLine {
  readonly text: string;
  readonly indent: number;
}

type Piece =
  | { readonly kind: "comment"; readonly text: string; readonly line: number; readonly column: number }
  | { readonly kind: "line break" }
  | { readonly kind: "document start" }
  | {
      readonly kind: "content";
      readonly offset: number;
      readonly line: number;
      readonly isBareKey: boolean;
      readonly isDash: boolean;
    };

interface Content {
  readonly offset: number;
  readonly line: number;
  readonly isBareKey: boolean;
  readonly entry: Entry | undefined;
}

function readPieces(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let offset = 0;
  let line = 1;
  let lineStart = 0;
  for (const lexeme of new Lexer().lex(text)) {
    const isMark = lexeme.length === 1 && lexeme <= "\u001f" && !/\s/u.test(lexeme);
    const isByteOrder = lexeme === "\ufeff";
    if (isMark) continue;
    if (lexeme === "\n" || lexeme === "\r\n") pieces.push({ kind: "line break" });
    else if (lexeme.startsWith("#"))
      pieces.push({ kind: "comment", text: lexeme.trimEnd(), line, column: offset - lineStart });
    else if (lexeme === "---") pieces.push({ kind: "document start" });
    else if (lexeme.trim() !== "" && !isByteOrder) {
      // Texts over several lines end on the line before their last line break.
      const breaks = lexeme.trimEnd().split("\n").length - 1;
      pieces.push({ kind: "content", offset, line: line + breaks, isBareKey: lexeme === ":", isDash: lexeme === "-" });
      if (lexeme.endsWith("\n")) pieces.push({ kind: "line break" });
    }
    const broken = lexeme.split("\n").length - 1;
    offset += lexeme.length;
    line += broken;
    if (broken > 0) lineStart = offset - (lexeme.length - lexeme.lastIndexOf("\n") - 1);
  }
  return pieces;
}

function entryAt(entries: readonly Entry[], offset: number): Entry | undefined {
  return entries.findLast((each) => each.offset <= offset);
}

function entryFrom(entries: readonly Entry[], offset: number): Entry | undefined {
  return entries.find((each) => each.offset >= offset);
}

function attachToLine(text: string, { entry, isBareKey }: Content, { root }: AttachOptions): void {
  const target = entry === undefined ? root : isBareKey ? (entry.owner.key ?? entry.owner.value) : entry.owner.value;
  target.lineComment = text;
}

interface Surroundings {
  readonly document: YamlDocument;
  readonly isExplicit: boolean;
  readonly before: Content | undefined;
  readonly after: Entry | undefined;
  readonly options: AttachOptions;
}

function attachRegion(region: readonly (CommentLine | "empty")[], surroundings: Surroundings): void {
  if (region.every((each) => each === "empty")) return;
  const { document, before, after, isExplicit } = surroundings;
  const { head } = splitRegion(region, surroundings);
  if (head.length === 0) return;
  if (after === undefined) document.foot = head;
  else if (before !== undefined || isExplicit) after.owner.head = head;
  else {
    // What an empty line parts from the first entry is about the document.
    const last = head.lastIndexOf("");
    document.head = last === -1 ? [] : head.slice(0, last);
    after.owner.head = head.slice(last + 1);
  }
}

// Hands out the comments that are about what is before, and returns those about what follows.
function splitRegion(
  region: readonly (CommentLine | "empty")[],
  { before, after }: Surroundings,
): { readonly head: readonly string[] } {
  const indent = before?.entry?.indent ?? 0;
  let lines: string[] = [];
  let start = 0;
  let isFirst = region[0] !== "empty";
  let wasEmpty = false;
  let isFromHere = false;
  const flush = (isHere: boolean): void => {
    const owner = isHere ? ownerAtColumn(before?.entry, start, after) : before?.entry?.owner;
    if (owner !== undefined)
      owner.foot = [...owner.foot, ...(owner.foot.length === 0 ? [] : [""]), ...withoutEnd(lines)];
    lines = [];
    isFromHere = true;
  };
  const atEnd = after === undefined ? [...region, ...(region.at(-1) === "empty" ? [] : ["empty" as const])] : region;
  for (const each of atEnd) {
    if (each === "empty") {
      const isBehind = isFirst && before !== undefined && (!before.isBareKey || start < indent);
      if (!wasEmpty && lines.length > 0) {
        if (isBehind) flush(start < indent || isFromHere);
        else lines.push("");
      }
      isFirst = false;
      wasEmpty = true;
      continue;
    }
    if (lines.length > 0 && each.indent < indent && each.indent !== start) flush(isFromHere);
    if (lines.length === 0) start = each.indent;
    lines.push(each.text);
    wasEmpty = false;
  }
  if (lines.length > 0 && after !== undefined && after.indent < indent && after.indent !== start) flush(isFromHere);
  return { head: withoutEnd(lines) };
}

// The last entry so far of the block that begins at a column; without one, the last of the innermost.
function ownerAtColumn(entry: Entry | undefined, column: number, after: Entry | undefined): YamlComments | undefined {
  for (let at = entry; at !== undefined; at = at.parent) {
    if (at.indent !== column) continue;
    const isGoingOn = after?.indent === column && after.parent === at.parent;
    return (isGoingOn ? at : outermostAt(at, column)).owner;
  }
  return entry?.owner;
}

// A sequence may be at the column of the key that it belongs to; behind its end the comment is about the key.
function outermostAt(entry: Entry, column: number): Entry {
  return entry.parent?.indent === column ? outermostAt(entry.parent, column) : entry;
}

function withoutEnd(lines: readonly string[]): readonly string[] {
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
