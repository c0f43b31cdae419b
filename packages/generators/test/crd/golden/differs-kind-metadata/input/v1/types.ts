// +groupName=golden.example.com
import type { ObjectMeta } from "@kubescaffold/k8s/meta/v1";

export interface Widget {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}
