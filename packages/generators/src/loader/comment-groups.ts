import { ts } from "ts-morph";

import { describeDocLines } from "./description.ts";
import type { ParsedSource } from "./parse-source.ts";
import type { MarkerComment, NodeComments } from "./type-model.ts";

/** Comments without an empty line between them. */
interface CommentGroup {
  readonly comments: readonly ts.CommentRange[];
  /** Whether no empty line separates the group from the node below it. */
  readonly isAdjacent: boolean;
}

/** The comments above a node, in three parts. */
export interface CommentsAbove {
  /** What belongs to the node. */
  readonly own: NodeComments;
  /** Markers of groups further up. */
  readonly farther: readonly MarkerComment[];
  /** Markers of comments at the end of the line before, which belong to nothing. */
  readonly trailing: readonly MarkerComment[];
}

const NO_COMMENTS: NodeComments = { description: "", markers: [] };

/** Reads the comments between the token before a node and the node itself. */
export function readCommentsAbove(source: ParsedSource, node: ts.Node): CommentsAbove {
  const start = node.getStart(source.file);
  if (!hasComment(source.text, node.pos, start)) return { own: NO_COMMENTS, farther: [], trailing: [] };
  const { leading, trailing } = commentsBetween(source.text, node.pos, start);
  const groups = groupComments(source.text, leading, start);
  const adjacent = groups.at(-1)?.isAdjacent === true ? groups.at(-1) : undefined;
  const others = adjacent === undefined ? groups : groups.slice(0, -1);
  const closest = others.at(-1);
  const own = [closest, adjacent].filter((group) => group !== undefined);
  return {
    own: {
      description: adjacent === undefined ? "" : describeGroup(source.text, adjacent),
      markers: own.flatMap((group) =>
        group.comments.flatMap((comment) => markersOf(source, comment, group.isAdjacent)),
      ),
    },
    farther: others
      .slice(0, -1)
      .flatMap((group) => group.comments.flatMap((comment) => markersOf(source, comment, false))),
    trailing: trailing.flatMap((comment) => markersOf(source, comment, false)),
  };
}

/** Reads the marker lines of all comments between two offsets that hold nothing but comments. */
export function readMarkersBetween(source: ParsedSource, start: number, end: number): readonly MarkerComment[] {
  if (!hasComment(source.text, start, end)) return [];
  const { leading, trailing } = commentsBetween(source.text, start, end);
  return [...trailing, ...leading].flatMap((comment) => markersOf(source, comment, false));
}

function hasComment(text: string, start: number, end: number): boolean {
  return end - start > 1 && text.slice(start, end).includes("/");
}

// A comment behind a token on the same line belongs to the node below only if that is on this line too.
function commentsBetween(
  text: string,
  start: number,
  end: number,
): { readonly leading: readonly ts.CommentRange[]; readonly trailing: readonly ts.CommentRange[] } {
  const sameLine = start === 0 ? [] : (ts.getTrailingCommentRanges(text, start) ?? []);
  const below = ts.getLeadingCommentRanges(text, start) ?? [];
  const last = sameLine.at(-1);
  const belongsToNode = last !== undefined && below.length === 0 && !text.slice(last.end, end).includes("\n");
  return belongsToNode ? { leading: sameLine, trailing: [] } : { leading: below, trailing: sameLine };
}

function groupComments(text: string, comments: readonly ts.CommentRange[], nodeStart: number): readonly CommentGroup[] {
  const groups: ts.CommentRange[][] = [];
  let previousEnd: number | undefined;
  for (const comment of comments) {
    const group = groups.at(-1);
    if (group !== undefined && previousEnd !== undefined && !hasEmptyLine(text, previousEnd, comment.pos))
      group.push(comment);
    else groups.push([comment]);
    previousEnd = comment.end;
  }
  return groups.map((group, index) => ({
    comments: group,
    isAdjacent: index === groups.length - 1 && !hasEmptyLine(text, previousEnd ?? 0, nodeStart),
  }));
}

function hasEmptyLine(text: string, start: number, end: number): boolean {
  return /\n[ \t\r]*\n/u.test(text.slice(start, end));
}

function describeGroup(text: string, group: CommentGroup): string {
  const block = group.comments.findLast((comment) => isDocBlock(text, comment));
  return block === undefined ? "" : describeDocLines(linesOf(text, block).map((line) => unescapeEnd(line.text)));
}

function isDocBlock(text: string, comment: ts.CommentRange): boolean {
  return text.startsWith("/**", comment.pos) && comment.end - comment.pos > 4;
}

function markersOf(source: ParsedSource, comment: ts.CommentRange, isAdjacent: boolean): readonly MarkerComment[] {
  if (!source.text.slice(comment.pos, comment.end).includes("+")) return [];
  const isBlock = comment.kind === ts.SyntaxKind.MultiLineCommentTrivia;
  return linesOf(source.text, comment)
    .filter((line) => line.text.trimStart().startsWith("+"))
    .map((line) => {
      const raw = line.text.trim();
      const offset = line.offset + (line.text.length - line.text.trimStart().length);
      const text = isBlock ? unescapeEnd(raw) : raw;
      return { text, isAdjacent, location: source.locate(offset, offset + raw.length) };
    });
}

// A comment block ends at the first star and slash, so that a text in it writes them with a backslash between.
function unescapeEnd(text: string): string {
  return text.replaceAll("*\\/", "*/");
}

interface CommentLine {
  readonly text: string;
  readonly offset: number;
}

// The text of each line without the signs of the comment; one blank after a star is left in.
function linesOf(text: string, comment: ts.CommentRange): readonly CommentLine[] {
  if (comment.kind === ts.SyntaxKind.SingleLineCommentTrivia) {
    return [{ text: text.slice(comment.pos + 2, comment.end), offset: comment.pos + 2 }];
  }
  const opening = isDocBlock(text, comment) ? 3 : 2;
  const lines: CommentLine[] = [];
  let offset = comment.pos + opening;
  const inner = text.slice(offset, comment.end - 2);
  for (const [index, line] of inner.split("\n").entries()) {
    const margin = index === 0 ? "" : (/^[ \t]*\*?/u.exec(line)?.[0] ?? "");
    lines.push({ text: line.slice(margin.length).replace(/\r$/u, ""), offset: offset + margin.length });
    offset += line.length + 1;
  }
  return lines;
}
