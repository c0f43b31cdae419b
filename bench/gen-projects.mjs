// Writes the projects that `scaffold gen` and controller-gen are compared on: the same kinds in TypeScript and in Go.
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const GROUP = "bench.example.com";

/** The kinds of a project: how many, and how one of them looks in each language. */
const PROJECTS = {
  simple: { typescript: simpleInTypeScript, go: simpleInGo },
  podTemplate: { typescript: podTemplateInTypeScript, go: podTemplateInGo },
};

/** Writes `count` kinds, one source each, below `api/v1` in both languages; returns the two folders. */
export function writeProjects(folder, { form, count }) {
  const [typescript, go] = [path.join(folder, "typescript"), path.join(folder, "go")];
  const names = Array.from({ length: count }, (_, index) => `Kind${String(index + 1).padStart(3, "0")}`);
  writeSource(typescript, "groupversion_info.ts", `// +groupName=${GROUP}\nexport {};\n`);
  writeSource(go, "groupversion_info.go", `// +groupName=${GROUP}\npackage v1\n`);
  for (const name of names) {
    const file = `${name.toLowerCase()}_types`;
    writeSource(typescript, `${file}.ts`, PROJECTS[form].typescript(name));
    writeSource(go, `${file}.go`, PROJECTS[form].go(name));
  }
  for (const file of ["go.mod", "go.sum"])
    cpSync(fileURLToPath(new URL(`go-guestbook/${file}`, import.meta.url)), path.join(go, file));
  return { typescript, go };
}

function writeSource(project, name, text) {
  const folder = path.join(project, "api", "v1");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, name), text);
}

/** Removes what the generators wrote, so that the next run writes all of it. */
export function removeOutput(project) {
  rmSync(path.join(project, "config"), { recursive: true, force: true });
}

function simpleInTypeScript(kind) {
  return `import type { int32 } from "@kubescaffold/k8s";
import type { Condition, KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/** ${kind}Spec is what is wanted. */
export interface ${kind}Spec {
  /**
   * Size is how many there are.
   * +kubebuilder:validation:Minimum=1
   * +kubebuilder:validation:Maximum=10
   * +kubebuilder:default=1
   */
  size?: int32;
  /**
   * Image is what runs.
   * +kubebuilder:validation:MinLength=1
   */
  image: string;
  /** Labels are put on everything. */
  labels?: Record<string, string>;
}

/** ${kind}Status is what was seen. */
export interface ${kind}Status {
  /**
   * Conditions say how it goes.
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/**
 * ${kind} is a simple kind.
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 * +kubebuilder:printcolumn:name="Size",type=integer,JSONPath=".spec.size"
 */
export interface ${kind} extends KubernetesObject {
  spec?: ${kind}Spec;
  status?: ${kind}Status;
}
`;
}

function simpleInGo(kind) {
  return `package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ${kind}Spec is what is wanted.
type ${kind}Spec struct {
	// Size is how many there are.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=10
	// +kubebuilder:default=1
	// +optional
	Size *int32 \`json:"size,omitempty"\`

	// Image is what runs.
	// +kubebuilder:validation:MinLength=1
	Image string \`json:"image"\`

	// Labels are put on everything.
	Labels map[string]string \`json:"labels,omitempty"\`
}

// ${kind}Status is what was seen.
type ${kind}Status struct {
	// Conditions say how it goes.
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition \`json:"conditions,omitempty"\`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="Size",type=integer,JSONPath=".spec.size"

// ${kind} is a simple kind.
type ${kind} struct {
	metav1.TypeMeta   \`json:",inline"\`
	metav1.ObjectMeta \`json:"metadata,omitempty"\`

	Spec   ${kind}Spec   \`json:"spec,omitempty"\`
	Status ${kind}Status \`json:"status,omitempty"\`
}
`;
}

function podTemplateInTypeScript(kind) {
  return `import type { PodTemplateSpec } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/** ${kind}Spec is what is wanted. */
export interface ${kind}Spec {
  /** Template is what runs. */
  template: PodTemplateSpec;
}

/**
 * ${kind} runs Pods.
 * +kubebuilder:object:root=true
 */
export interface ${kind} extends KubernetesObject {
  spec?: ${kind}Spec;
}
`;
}

function podTemplateInGo(kind) {
  return `package v1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ${kind}Spec is what is wanted.
type ${kind}Spec struct {
	// Template is what runs.
	Template corev1.PodTemplateSpec \`json:"template"\`
}

// +kubebuilder:object:root=true

// ${kind} runs Pods.
type ${kind} struct {
	metav1.TypeMeta   \`json:",inline"\`
	metav1.ObjectMeta \`json:"metadata,omitempty"\`

	Spec ${kind}Spec \`json:"spec,omitempty"\`
}
`;
}
