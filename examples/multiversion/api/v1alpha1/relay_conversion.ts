import type { SpokeConverter } from "@kubescaffold/runtime";

import { formatAddress, parseAddress } from "../v1/relay_address.ts";
import { RelayHub } from "../v1/relay_conversion.ts";
import { takeKeptFields, withKeptFields } from "../v1/relay_kept_fields.ts";
import { Relay } from "./relay_types.ts";

/**
 * relayConverter converts between Relay v1alpha1 and the hub, v1.
 *
 * v1 renames `size` to `replicas` and splits `target`; an annotation stores its other fields.
 */
export const relayConverter: SpokeConverter<RelayHub, Relay> = {
  spoke: Relay,

  /** Converts from v1alpha1 to the hub version. */
  convertTo: ({ metadata: given, spec: { target, size }, status }) => {
    const { metadata, kept } = takeKeptFields(given);
    return RelayHub.create({
      metadata,
      spec: { ...kept, target: parseAddress(target), ...(size === undefined ? {} : { replicas: size }) },
      ...(status === undefined ? {} : { status }),
    });
  },

  /** Converts from the hub version to v1alpha1. */
  convertFrom: ({ metadata, spec: { target, replicas, ...others }, status }) =>
    Relay.create({
      metadata: withKeptFields(metadata, others),
      spec: { target: formatAddress(target), ...(replicas === undefined ? {} : { size: replicas }) },
      ...(status === undefined ? {} : { status }),
    }),
};
