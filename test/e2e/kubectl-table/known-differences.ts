/** A command that writes something else on the embedded server than on the real one. */
export interface KnownDifference {
  readonly group: string;
  readonly command: string;
  readonly reason: string;
}

/** The commands that differ today; docs/embedded-server.md lists their reasons. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    group: "create-policy",
    command: "create quota limits --hard=cpu=1,memory=1G,pods=2 --scopes=BestEffort --dry-run=server -o yaml",
    reason: "ResourceQuotas are not enforced, and their scopes are not checked",
  },
  {
    group: "get",
    command: "get deployment web -o yaml --show-managed-fields",
    reason: "owners of fields are recorded from the first server-side apply",
  },
  {
    group: "server-side-apply",
    command: "get deployment web -o yaml --show-managed-fields",
    reason: "the owner of a scale has a time",
  },
  {
    group: "apply",
    command: "apply -f web-unknown.yaml",
    reason: "the message of an invalid strategic merge patch has the patch in JSON",
  },
  {
    group: "discovery",
    command: "version",
    reason: "the version ends with +embedded",
  },
  {
    group: "edit",
    command: "run shell --image=busybox:1.37 --restart=Never --dry-run=server -o yaml",
    reason: "LimitRanges are not enforced",
  },
];

/** Returns why a command differs, or undefined when it has to write the same. */
export function differenceOf(group: string, command: string): string | undefined {
  return KNOWN_DIFFERENCES.find((one) => one.group === group && one.command === command)?.reason;
}
