/*
Copyright <year> Acme.
*/

import type { SpokeConverter } from "@kubescaffold/runtime";

import { FirstMateHub } from "../v1/firstmate_conversion.ts";
import { FirstMate } from "./firstmate_types.ts";

/**
 * firstMateConverter converts between FirstMate v2 and the hub, v1.
 *
 * Conversion must be lossless: store values that the other version has no field for in an annotation.
 */
export const firstMateConverter: SpokeConverter<FirstMateHub, FirstMate> = {
  spoke: FirstMate,

  /** Converts from v2 to the hub version. */
  convertTo: ({ metadata, spec, status }) => {
    // TODO(user): convert the fields that differ between v2 and v1.
    return FirstMateHub.create({
      metadata,
      spec: { ...spec },
      ...(status === undefined ? {} : { status: { ...status } }),
    });
  },

  /** Converts from the hub version to v2. */
  convertFrom: ({ metadata, spec, status }) => {
    // TODO(user): convert the fields that differ between v1 and v2.
    return FirstMate.create({
      metadata,
      spec: { ...spec },
      ...(status === undefined ? {} : { status: { ...status } }),
    });
  },
};
