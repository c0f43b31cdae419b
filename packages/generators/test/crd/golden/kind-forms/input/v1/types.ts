// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject, ObjectMeta, TypeMeta } from "@kubescaffold/k8s/meta/v1";

/** AsClass is a class. */
export class AsClass {
  apiVersion!: string;
  kind!: string;
  metadata!: ObjectMeta;
  /** spec is public. */
  spec!: { size: int32 };
  status?: string;
  private hidden = 1;
  protected guarded?: string;
  static shared = 2;
  #secret = 3;
  method(): number {
    return this.hidden + this.#secret;
  }
  get computed(): string {
    return "";
  }
}

/** AsAlias is an intersection. */
export type AsAlias = KubernetesObject & {
  spec: { size: int32 };
};

interface Parent extends KubernetesObject {
  /** The parent's. */
  common: string;
}

/** Indirect extends through another interface. */
export interface Indirect extends Parent {
  spec: { size: int32 };
}

interface Separate extends KubernetesObject {
  spec?: string;
}
export { type Separate };

interface NotExported extends KubernetesObject {
  spec?: string;
}

/** Declares declares everything itself. */
export interface Declares extends TypeMeta {
  metadata: ObjectMeta;
  spec?: string;
}
