/*
 * Of the Acme lagoon office. All rights reserved.
 */

import type { SpokeConverter } from "@kubescaffold/runtime";

import { CoralHub } from "../v1/coral_conversion.ts";
import { Coral } from "./coral_types.ts";

/**
 * coralConverter converts between Coral v2 and the hub, v1.
 *
 * Nothing may be lost on the way there and back: what the other version has no field for belongs into an annotation.
 */
export const coralConverter: SpokeConverter<CoralHub, Coral> = {
  spoke: Coral,

  /** Returns an object of v2 in the hub's version. */
  convertTo: ({ metadata, spec, status }) => {
    // TODO(user): convert the fields in which v2 and v1 differ.
    return CoralHub.create({
      metadata,
      spec: { ...spec },
      ...(status === undefined ? {} : { status: { ...status } }),
    });
  },

  /** Returns an object of the hub's version in v2. */
  convertFrom: ({ metadata, spec, status }) => {
    // TODO(user): convert the fields in which v1 and v2 differ.
    return Coral.create({
      metadata,
      spec: { ...spec },
      ...(status === undefined ? {} : { status: { ...status } }),
    });
  },
};
