import type { SpokeConverter } from "@kubescaffold/runtime";

import type { BarHub } from "../v1/bar_conversion.ts";
import type { Bar } from "./bar_types.ts";
import { newBarConverter } from "./zz_generated.bar_conversion.ts";

// +kubescaffold:conversion:kind=Bar,hub=v1

/**
 * barConverter converts between Bar v2 and the hub, v1.
 *
 * Generated code converts equal fields, and keeps in an annotation what the other version cannot express. For structs that differ, the compiler
 * requires functions here, which BarConversions describes.
 */
export const barConverter: SpokeConverter<BarHub, Bar> = newBarConverter({});
