import type { SpokeConverter } from "@kubescaffold/runtime";

import { BarHub } from "../v1/bar_conversion.ts";
import { Bar } from "./bar_types.ts";

/**
 * barConverter converts between Bar v2 and the hub, v1.
 *
 * Nothing may be lost on the way there and back: what the other version has no field for belongs into an annotation.
 */
export const barConverter: SpokeConverter<BarHub, Bar> = {
  spoke: Bar,

  /** Returns an object of v2 in the hub's version. */
  convertTo: ({ metadata, spec, status }) => {
    // TODO(user): convert the fields in which v2 and v1 differ.
    return BarHub.create({
      metadata,
      spec: { ...spec },
      ...(status === undefined ? {} : { status: { ...status } }),
    });
  },

  /** Returns an object of the hub's version in v2. */
  convertFrom: ({ metadata, spec, status }) => {
    // TODO(user): convert the fields in which v1 and v2 differ.
    return Bar.create({
      metadata,
      spec: { ...spec },
      ...(status === undefined ? {} : { status: { ...status } }),
    });
  },
};
