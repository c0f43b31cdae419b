import type { RestConfig } from "@kubescaffold/k8s";

import type { Feature } from "./row.ts";

/** A server that rows are run against. */
export interface ConformanceTarget {
  readonly kind: "embedded" | "real";
  /** Config of a member of `system:masters`. */
  readonly admin: RestConfig;
  /** A kubectl, where there is one. */
  readonly kubectl?: string;
  readonly features: ReadonlySet<Feature>;
  readonly user: (name: string) => Promise<RestConfig>;
  readonly stop: () => Promise<void>;
}
