/*
Copyright 2026 The Kubescaffold authors.

SPDX-License-Identifier: Apache-2.0
*/

// v1 is the hub of Relay: it is stored, and the other versions are converted to it and from it, each by the file of this name in its folder.
export { Relay as RelayHub } from "./relay_types.ts";
