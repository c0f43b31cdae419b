/*
Copyright 2026 The Kubescaffold authors.

SPDX-License-Identifier: Apache-2.0
*/

// Package v1alpha1 contains the v1alpha1 API of the group example.com.demo.
// +kubebuilder:object:generate=true
// +groupName=example.com.demo
import type { GroupVersion as ApiGroupVersion } from "@kubescaffold/k8s";

/** GroupVersion is the group and version of the kinds in this folder. */
export const GroupVersion: ApiGroupVersion = { group: "example.com.demo", version: "v1alpha1" };
