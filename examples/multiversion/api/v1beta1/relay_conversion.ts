import type { SpokeConverter } from "@kubescaffold/runtime";

import { formatAddress, parseAddress } from "../v1/relay_address.ts";
import { RelayHub } from "../v1/relay_conversion.ts";
import { type KeptFields, takeKeptFields, withKeptFields } from "../v1/relay_kept_fields.ts";
import type { RelayLimits } from "../v1/relay_types.ts";
import { Relay } from "./relay_types.ts";

/**
 * relayConverter converts between Relay v1beta1 and the hub, v1.
 *
 * v1 splits `target` and moves `idleSeconds` to `limits`; an annotation stores its other fields.
 */
export const relayConverter: SpokeConverter<RelayHub, Relay> = {
  spoke: Relay,

  /** Converts from v1beta1 to the hub version. */
  convertTo: ({ metadata: given, spec: { target, idleSeconds, ...common }, status }) => {
    const { metadata, kept } = takeKeptFields(given);
    const limits = idleSeconds === undefined ? kept.limits : { ...kept.limits, idleSeconds };
    return RelayHub.create({
      metadata,
      spec: { ...kept, ...common, target: parseAddress(target), ...(limits === undefined ? {} : { limits }) },
      ...(status === undefined ? {} : { status }),
    });
  },

  /** Converts from the hub version to v1beta1. */
  convertFrom: ({ metadata, spec: { target, listenPort, limits, ...common }, status }) => {
    const idleSeconds = limits?.idleSeconds;
    return Relay.create({
      metadata: withKeptFields(metadata, {
        ...(listenPort === undefined ? {} : { listenPort }),
        ...withoutIdleSeconds(limits),
      }),
      spec: { ...common, target: formatAddress(target), ...(idleSeconds === undefined ? {} : { idleSeconds }) },
      ...(status === undefined ? {} : { status }),
    });
  },
};

// Excludes fields that v1beta1 has, because two copies could differ.
function withoutIdleSeconds(limits: RelayLimits | undefined): Pick<KeptFields, "limits"> {
  if (limits === undefined) return {};
  const { idleSeconds, ...others } = limits;
  return idleSeconds !== undefined && Object.keys(others).length === 0 ? {} : { limits: others };
}
