/** Says what keeps a name from being a segment of a path; a prefix may be dots. */
export function pathSegmentErrors(name: string, isPrefix: boolean): readonly string[] {
  if (!isPrefix && (name === "." || name === "..")) {
    return [`may not be '${name}'`];
  }
  return ["/", "%"].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
}
