// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { ObjectMeta } from "@kubescaffold/k8s/meta/v1";

export class WidgetSpec {
  size!: int32;
  // +optional
  name!: string;
  #secret = 1;
  private hidden: string = "";
  protected kept: string = "";
  static count: number = 0;
  get double(): number {
    return this.size * 2;
  }
  grow(): void {}
}

/**
 * Widget is the kind.
 * +kubebuilder:subresource:status
 */
export class Widget {
  apiVersion!: string;
  kind!: string;
  metadata!: ObjectMeta;
  spec!: WidgetSpec;
}
