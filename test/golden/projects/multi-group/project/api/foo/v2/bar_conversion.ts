import type { SpokeConverter } from "@kubescaffold/runtime";

import { BarHub } from "../v1/bar_conversion.ts";
import { Bar } from "./bar_types.ts";

/**
 * barConverter converts between Bar v2 and the hub, v1.
 *
 * Conversion must be lossless: store values that the other version has no field for in an annotation.
 */
export const barConverter: SpokeConverter<BarHub, Bar> = {
  spoke: Bar,

  /** Converts from v2 to the hub version. */
  convertTo: ({ metadata, spec, status }) => {
    // TODO(user): convert the fields that differ between v2 and v1.
    return BarHub.create({
      metadata,
      spec: { ...spec },
      ...(status === undefined ? {} : { status: { ...status } }),
    });
  },

  /** Converts from the hub version to v2. */
  convertFrom: ({ metadata, spec, status }) => {
    // TODO(user): convert the fields that differ between v1 and v2.
    return Bar.create({
      metadata,
      spec: { ...spec },
      ...(status === undefined ? {} : { status: { ...status } }),
    });
  },
};
