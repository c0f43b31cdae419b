/** A command that writes something else on the embedded server than on the real one. */
export interface KnownDifference {
  readonly group: string;
  readonly command: string;
  readonly reason: string;
}

/** The commands that differ today; docs/verification/embedded-server-differences.md lists their reasons. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    group: "discovery",
    command: "version",
    reason: "the version ends with +embedded",
  },
];

/** Returns why a command differs, or undefined when it has to write the same. */
export function differenceOf(group: string, command: string): string | undefined {
  return KNOWN_DIFFERENCES.find((one) => one.group === group && one.command === command)?.reason;
}
