/*
Copyright <year> Acme.
*/

import type { SpokeConverter } from "@kubescaffold/runtime";

import { FirstMateHub } from "../v1/firstmate_conversion.ts";
import { FirstMate } from "./firstmate_types.ts";

/**
 * firstMateConverter converts between FirstMate v3 and the hub, v1.
 *
 * Conversion must be lossless: store values that the other version has no field for in an annotation.
 */
export const firstMateConverter: SpokeConverter<FirstMateHub, FirstMate> = {
  spoke: FirstMate,

  /** Converts from v3 to the hub version. */
  convertTo: ({ metadata, spec, status }) => {
    // TODO(user): convert the fields that differ between v3 and v1.
    return FirstMateHub.create({
      metadata,
      spec: { ...spec },
      ...(status === undefined ? {} : { status: { ...status } }),
    });
  },

  /** Converts from the hub version to v3. */
  convertFrom: ({ metadata, spec, status }) => {
    // TODO(user): convert the fields that differ between v1 and v3.
    return FirstMate.create({
      metadata,
      spec: { ...spec },
      ...(status === undefined ? {} : { status: { ...status } }),
    });
  },
};
