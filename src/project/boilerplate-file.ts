/** The file that holds the comment at the top of every source file; a project without one has no such comment. */
export const BOILERPLATE_FILE = "hack/boilerplate.ts.txt";
