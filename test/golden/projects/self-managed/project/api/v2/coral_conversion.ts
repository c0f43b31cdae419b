import type { SpokeConverter } from "@kubescaffold/runtime";

import { CoralHub } from "../v1/coral_conversion.ts";
import { Coral } from "./coral_types.ts";

/**
 * coralConverter converts between Coral v2 and the hub, v1.
 *
 * Conversion must be lossless: store values that the other version has no field for in an annotation.
 */
export const coralConverter: SpokeConverter<CoralHub, Coral> = {
  spoke: Coral,

  /** Converts from v2 to the hub version. */
  convertTo: ({ metadata, spec, status }) => {
    // TODO(user): convert the fields that differ between v2 and v1.
    return CoralHub.create({
      metadata,
      spec: { ...spec },
      ...(status === undefined ? {} : { status: { ...status } }),
    });
  },

  /** Converts from the hub version to v2. */
  convertFrom: ({ metadata, spec, status }) => {
    // TODO(user): convert the fields that differ between v1 and v2.
    return Coral.create({
      metadata,
      spec: { ...spec },
      ...(status === undefined ? {} : { status: { ...status } }),
    });
  },
};
