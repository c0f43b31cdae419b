import { newShipConverter, type ShipConversions } from "./zz_generated.ship_conversion.ts";

const complete: ShipConversions = {
  convertShipSpecToHub: ({ size, depth, target, speed = 0 }, converted) => ({
    ...converted,
    target: { host: target },
    speed,
    ...(size === undefined ? {} : { replicas: size }),
    ...(depth === undefined ? {} : { depth: Math.min(depth, 2 ** 31 - 1) }),
  }),
  convertShipSpecFromHub: ({ replicas, weight, target, mode }, converted) => ({
    ...converted,
    target: target.host,
    ...(replicas === undefined ? {} : { size: replicas }),
    ...(weight === undefined ? {} : { weight: Math.min(weight, 2 ** 31 - 1) }),
    ...(mode === undefined ? {} : { mode: mode === "Steam" ? "Sail" : mode }),
  }),
  convertDeckToHub: ({ size }, converted) => ({ ...converted, ...(size === undefined ? {} : { area: size }) }),
  convertDeckFromHub: ({ area }, converted) => ({ ...converted, ...(area === undefined ? {} : { size: area }) }),
};

/** shipConverter converts with the functions for all structs that differ. */
export const shipConverter = newShipConverter(complete);

/** The generated code converts what is equal, and can be replaced. */
export const otherConverter = newShipConverter({
  ...complete,
  convertEngineToHub: ({ power }, converted) => ({ ...converted, power: (power ?? 0) * 1000 }),
});

const { convertShipSpecToHub: _omitted, ...incomplete } = complete;

// @ts-expect-error A function for structs that differ is missing.
newShipConverter(incomplete);

// @ts-expect-error The generated code does not set a field that is required.
newShipConverter({ ...complete, convertShipSpecToHub: (_source, converted) => converted });

// @ts-expect-error No struct has this name.
newShipConverter({ ...complete, convertBoatToHub: () => ({}) });
