import { ENDED_PODS } from "./ended-pods.ts";
import { STARTED_PODS } from "./started-pods.ts";
import type { TablePod } from "./table-pod.ts";

/** The Pods, each with one trait. */
export const POD_TABLE: readonly TablePod[] = [...ENDED_PODS, ...STARTED_PODS];
