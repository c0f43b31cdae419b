/*
Copyright <year> Acme.
*/

import type { SpokeConverter } from "@kubescaffold/runtime";

import type { FirstMateHub } from "../v1/firstmate_conversion.ts";
import type { FirstMate } from "./firstmate_types.ts";
import { newFirstMateConverter } from "./zz_generated.firstmate_conversion.ts";

// +kubescaffold:conversion:kind=FirstMate,hub=v1

/**
 * firstMateConverter converts between FirstMate v2 and the hub, v1.
 *
 * Generated code converts equal fields, and keeps in an annotation what the other version cannot express. For structs that differ, the compiler
 * requires functions here, which FirstMateConversions describes.
 */
export const firstMateConverter: SpokeConverter<FirstMateHub, FirstMate> = newFirstMateConverter({});
