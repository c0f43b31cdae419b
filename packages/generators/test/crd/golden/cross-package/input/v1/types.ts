// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { Shared, Inherited as Above } from "../lib/shared.ts";
import * as lib from "../lib/index.ts";

/** WidgetSpec uses types of another package. */
export interface WidgetSpec extends Above {
  shared: Shared;
  /** With a text of its own. */
  again: lib.Shared;
  names: lib.Name[];
  inline: import("../lib/shared.ts").Name;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
