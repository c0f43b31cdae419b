/** The files of a project in Go; paths are relative with forward slashes, and sorted. */
export interface GoFiles {
  /** The folder, for messages. */
  readonly folder: string;
  readonly paths: readonly string[];
  readonly read: (path: string) => string | undefined;
}
