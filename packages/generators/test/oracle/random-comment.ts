import type { Comment, CommentLayout } from "./package-model.ts";
import { randomDoc } from "./random-text.ts";
import type { Random } from "./random.ts";

const LAYOUTS: readonly CommentLayout[] = [
  "after text",
  "after text",
  "before text",
  "between",
  "lines after",
  "lines before",
  "detached",
];

/** Makes a comment with markers, somewhere about a random text. */
export function randomComment(random: Random, markers: readonly string[]): Comment {
  return { doc: randomDoc(random), markers, layout: random.pick(LAYOUTS) };
}

/** Returns the comment with more markers behind its own. */
export function withMarkers(comment: Comment, markers: readonly string[]): Comment {
  return { ...comment, markers: [...comment.markers, ...markers] };
}
