/** Why a pod cannot run on a node; undefined if it can. */
export type FilterResult =
  | {
      readonly reasons: readonly string[];
      /** Whether no removal of other pods would change it. */
      readonly isFinal: boolean;
    }
  | undefined;
