/** The files of a project in Go; paths are relative with forward slashes, and sorted. */
export interface GoFiles {
  /** The folder, for messages. */
  readonly folder: string;
  readonly paths: readonly string[];
  /** The folder of the CRDs with a slash at the end, where the user named it. */
  readonly crds?: string | undefined;
  readonly read: (path: string) => string | undefined;
}
