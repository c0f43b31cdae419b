/*
 * Of the Acme lagoon office. All rights reserved.
 */

import type { SpokeConverter } from "@kubescaffold/runtime";

import type { CoralHub } from "../v1/coral_conversion.ts";
import type { Coral } from "./coral_types.ts";
import { newCoralConverter } from "./zz_generated.coral_conversion.ts";

// +kubescaffold:conversion:kind=Coral,hub=v1

/**
 * coralConverter converts between Coral v2 and the hub, v1.
 *
 * Generated code converts equal fields, and keeps in an annotation what the other version cannot express. For structs that differ, the compiler
 * requires functions here, which CoralConversions describes.
 */
export const coralConverter: SpokeConverter<CoralHub, Coral> = newCoralConverter({});
