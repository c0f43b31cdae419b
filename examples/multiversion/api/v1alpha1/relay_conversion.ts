import type { SpokeConverter } from "@kubescaffold/runtime";

import { formatAddress, parseAddress } from "../v1/relay_address.ts";
import { RelayHub } from "../v1/relay_conversion.ts";
import { takeKeptFields, withKeptFields } from "../v1/relay_kept_fields.ts";
import { Relay } from "./relay_types.ts";

/**
 * relayConverter converts between Relay v1alpha1 and the hub, v1.
 *
 * v1 calls `size` `replicas` and splits `target`; what else it has is kept in an annotation.
 */
export const relayConverter: SpokeConverter<RelayHub, Relay> = {
  spoke: Relay,

  /** Returns an object of v1alpha1 in the hub's version. */
  convertTo: ({ metadata: given, spec: { target, size }, status }) => {
    const { metadata, kept } = takeKeptFields(given);
    return RelayHub.create({
      metadata,
      spec: { ...kept, target: parseAddress(target), ...(size === undefined ? {} : { replicas: size }) },
      ...(status === undefined ? {} : { status }),
    });
  },

  /** Returns an object of the hub's version in v1alpha1. */
  convertFrom: ({ metadata, spec: { target, replicas, ...others }, status }) =>
    Relay.create({
      metadata: withKeptFields(metadata, others),
      spec: { target: formatAddress(target), ...(replicas === undefined ? {} : { size: replicas }) },
      ...(status === undefined ? {} : { status }),
    }),
};
