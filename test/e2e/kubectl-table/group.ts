/** Commands that run one after another in one namespace; each group starts a new server. */
export interface CommandGroup {
  readonly name: string;
  /** Whether controllers and simulated workloads run. Default: false, so that nothing changes between two commands. */
  readonly controllers?: boolean;
  /** The files that commands read, by name; `<namespace>` stands for the namespace of the group. */
  readonly files?: Readonly<Record<string, string>>;
  /** Commands that have to succeed before the first one, and are not compared. */
  readonly before?: readonly string[];
  /** Command lines, each at most once; single quotes keep spaces. */
  readonly commands: readonly string[];
  /** Those of the commands whose output is never the same twice. */
  readonly onlyStatus?: readonly string[];
  /** Those whose lines kubectl writes in any order. */
  readonly anyOrder?: readonly string[];
}
