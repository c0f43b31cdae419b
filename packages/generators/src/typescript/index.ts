/**
 * Prints external text into TypeScript and YAML sources, as literals and comments that cannot end early.
 */
export { headerProblem, type HeaderProblem, yamlHeaderProblem } from "./header-comment.ts";
export {
  blockComment,
  isWritable,
  jsonText,
  lineComment,
  memberName,
  propertyKey,
  quotedText,
  stringLiteral,
  valueLiteral,
} from "./literals.ts";
