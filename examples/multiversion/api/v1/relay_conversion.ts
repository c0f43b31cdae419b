/*
Copyright 2026 The Kubescaffold authors.

SPDX-License-Identifier: Apache-2.0
*/

// v1 is the hub of Relay: the storage version, which all spokes convert to and from. The converter of a spoke is the file with this name in its folder.
export { Relay as RelayHub } from "./relay_types.ts";
