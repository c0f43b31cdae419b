import type { SpokeConverter } from "@kubescaffold/runtime";

import { formatAddress, parseAddress } from "../v1/relay_address.ts";
import type { RelayHub } from "../v1/relay_conversion.ts";
import type { Relay } from "./relay_types.ts";
import { newRelayConverter } from "./zz_generated.relay_conversion.ts";

// +kubescaffold:conversion:kind=Relay,hub=v1

/**
 * relayConverter converts between Relay v1beta1 and the hub, v1.
 *
 * v1 splits `target` and moves `idleSeconds` to `limits`; an annotation keeps its other fields.
 */
export const relayConverter: SpokeConverter<RelayHub, Relay> = newRelayConverter({
  convertRelaySpecToHub: ({ target, idleSeconds }, converted) => ({
    ...converted,
    target: parseAddress(target),
    ...(idleSeconds === undefined ? {} : { limits: { idleSeconds } }),
  }),

  convertRelaySpecFromHub: ({ target, limits }, converted) => ({
    ...converted,
    target: formatAddress(target),
    ...(limits?.idleSeconds === undefined ? {} : { idleSeconds: limits.idleSeconds }),
  }),
});
