/*
Copyright 2026 The Kubescaffold authors.

SPDX-License-Identifier: Apache-2.0
*/

// Package v1 contains the v1 API of the group web.demo.
// +kubebuilder:object:generate=true
// +groupName=web.demo
import type { GroupVersion as ApiGroupVersion } from "@kubescaffold/k8s";

/** GroupVersion is the group and version of the kinds in this folder. */
export const GroupVersion: ApiGroupVersion = { group: "web.demo", version: "v1" };
