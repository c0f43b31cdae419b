/** The sources, as `source` of the package: they bring events to handlers. */
export { EventChannel } from "./event-channel.ts";
export { kind, type KindSourceOptions } from "./kind-source.ts";
export {
  channel,
  func,
  informer,
  type ChannelSourceOptions,
  type HandledBy,
  type InformerSourceOptions,
} from "./source.ts";
