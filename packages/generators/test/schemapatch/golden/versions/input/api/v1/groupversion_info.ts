// +groupName=demo.example.com
import type { GroupVersion as ApiGroupVersion } from "@kubescaffold/k8s";

export const GroupVersion: ApiGroupVersion = { group: "demo.example.com", version: "v1" };
