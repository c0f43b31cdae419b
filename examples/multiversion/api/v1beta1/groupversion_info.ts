/*
Copyright 2026 The Kubescaffold authors.

SPDX-License-Identifier: Apache-2.0
*/

// Package v1beta1 contains the v1beta1 API of the group network.demo.
// +kubebuilder:object:generate=true
// +groupName=network.demo
import type { GroupVersion as ApiGroupVersion } from "@kubescaffold/k8s";

/** GroupVersion is the group and version of the kinds in this folder. */
export const GroupVersion: ApiGroupVersion = { group: "network.demo", version: "v1beta1" };
