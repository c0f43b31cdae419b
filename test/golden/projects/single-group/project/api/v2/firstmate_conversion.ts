/*
Copyright <year> Acme.
*/

import type { SpokeConverter } from "@kubescaffold/runtime";

import { FirstMateHub } from "../v1/firstmate_conversion.ts";
import { FirstMate } from "./firstmate_types.ts";

/**
 * firstMateConverter converts between FirstMate v2 and the hub, v1.
 *
 * Nothing may be lost on the way there and back: what the other version has no field for belongs into an annotation.
 */
export const firstMateConverter: SpokeConverter<FirstMateHub, FirstMate> = {
  spoke: FirstMate,

  /** Returns an object of v2 in the hub's version. */
  convertTo: ({ metadata, spec, status }) => {
    // TODO(user): convert the fields in which v2 and v1 differ.
    return FirstMateHub.create({
      metadata,
      spec: { ...spec },
      ...(status === undefined ? {} : { status: { ...status } }),
    });
  },

  /** Returns an object of the hub's version in v2. */
  convertFrom: ({ metadata, spec, status }) => {
    // TODO(user): convert the fields in which v1 and v2 differ.
    return FirstMate.create({
      metadata,
      spec: { ...spec },
      ...(status === undefined ? {} : { status: { ...status } }),
    });
  },
};
