import type { SpokeConverter } from "@kubescaffold/runtime";

import { formatAddress, parseAddress } from "../v1/relay_address.ts";
import type { RelayHub } from "../v1/relay_conversion.ts";
import type { Relay } from "./relay_types.ts";
import { newRelayConverter } from "./zz_generated.relay_conversion.ts";

// +kubescaffold:conversion:kind=Relay,hub=v1

/**
 * relayConverter converts between Relay v1alpha1 and the hub, v1.
 *
 * v1 renames `size` to `replicas` and splits `target`; an annotation keeps its other fields.
 */
export const relayConverter: SpokeConverter<RelayHub, Relay> = newRelayConverter({
  convertRelaySpecToHub: ({ target, size }, converted) => ({
    ...converted,
    target: parseAddress(target),
    ...(size === undefined ? {} : { replicas: size }),
  }),

  convertRelaySpecFromHub: ({ target, replicas }, converted) => ({
    ...converted,
    target: formatAddress(target),
    ...(replicas === undefined ? {} : { size: replicas }),
  }),
});
